//! The tables and passes of magnets.

use super::chunk_loads::CHUNK;
use super::drive_sources::STILL;
use super::induce::Induction;
use super::push_magnets::{FIRST, SECOND, WHOLE};
use super::soft_setup::{Soft, partners};
use super::sum_loads::{FIELDS, ONE, OTHER};
use super::tree::{Node, tree_of};
use super::{
    bend_soft, chunk_loads, drive_sources, field_cells, induce_decide, induce_fields, induce_guess,
    induce_image, induce_moments, induce_places, induce_rest, induce_sides, induce_step, induce_turn,
    pair_nodes, pair_soft, place_nodes, place_soft, push_magnets, push_soft, sources, sum_loads,
    turn_segments, twist_bodies,
};
use crate::compute::{ComputeError, Kernel, Launch, Role, Tables};
use crate::model::Model;
use crate::model::magnets::FieldSource;
use crate::step::{self, FamilyReport, Member, Stage, StageList, Step};
use std::collections::BTreeMap;

/// Bodies that attract, repel and turn each other.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[
    &bend_soft::KERNEL,
    &chunk_loads::KERNEL,
    &drive_sources::KERNEL,
    &field_cells::KERNEL,
    &induce_decide::KERNEL,
    &induce_fields::KERNEL,
    &induce_guess::KERNEL,
    &induce_image::KERNEL,
    &induce_moments::KERNEL,
    &induce_places::KERNEL,
    &induce_rest::KERNEL,
    &induce_sides::KERNEL,
    &induce_step::KERNEL,
    &induce_turn::KERNEL,
    &pair_nodes::KERNEL,
    &pair_soft::KERNEL,
    &place_nodes::KERNEL,
    &place_soft::KERNEL,
    &push_magnets::KERNEL,
    &push_soft::KERNEL,
    &sum_loads::KERNEL,
    &turn_segments::KERNEL,
    &twist_bodies::KERNEL,
];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "magnets"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        if !(model.magnets.is_empty() && model.soft_magnets.is_empty()) {
            let magnets = Magnets::new(model, &mut step.buffers)?;
            step.join(magnets);
        }
        Ok(())
    }
}

struct Magnets {
    sources: u32,
    nodes: u32,
    pair_rows: u32,
    field_rows: u32,
    chunks: u32,
    magnets: u32,
    pushed: u32,
    twisted: u32,
    turned: u32,
    pairs: u32,
    cells: u32,
    induction: Option<Induction>,
    soft: Option<Soft>,
}

impl Magnets {
    fn new(model: &Model, buffers: &mut Tables) -> Result<Self, ComputeError> {
        let magnets = &model.magnets;
        let tolerance = model.settings.magnet_tolerance;
        let trees: Vec<Vec<Node>> = magnets.iter().map(|magnet| tree_of(magnet, tolerance)).collect();
        let mut starts = vec![0];
        for tree in &trees {
            starts.push(starts[starts.len() - 1] + tree.len() as u32);
        }
        let (mut nodes, mut rest) = (Vec::new(), Vec::new());
        for ((number, tree), start) in (0..).zip(&trees).zip(&starts) {
            for node in tree {
                let is_cell = u32::from(node.is_cell);
                nodes.push([number, start + node.parent, start + node.end, is_cell]);
                rest.push(node.arm.extend(node.reach).to_array());
                rest.push(node.moment.extend(node.radius).to_array());
            }
        }
        let lists = Lists::new(model, &trees, &starts);
        let rows = magnets.iter().zip(&starts);
        let rows = rows.map(|(magnet, &start)| {
            let [a, b] = magnet.particles;
            [a, b, magnet.frame, start]
        });
        buffers.uint4s("magnets", Role::Model, rows.collect())?;
        let node_count = nodes.len();
        buffers.uint4s("magnet_nodes", Role::Model, nodes)?;
        buffers.real4s("node_rest", Role::Model, rest)?;
        buffers.real4s("node_places", Role::Scratch, vec![[0.0; 4]; 2 * node_count])?;
        let counts = [lists.pair_rows.len(), lists.field_rows.len(), lists.chunks.len()];
        let soft = Soft::new(model, (counts[0] + counts[1]) as u32, buffers)?;
        let rows = counts[0] + counts[1] + lists.soft_rows;
        let scratch = |rows: usize, each: usize| vec![[0.0; 4]; each * rows.max(1)];
        buffers.real4s("magnet_loads", Role::Scratch, scratch(rows, 3))?;
        buffers.real4s("chunk_sums", Role::Scratch, scratch(counts[2], 3))?;
        buffers.real4s("magnet_sums", Role::Scratch, scratch(magnets.len(), 2))?;
        buffers.uint2s("pair_rows", Role::Model, lists.pair_rows)?;
        buffers.uints("field_rows", Role::Model, lists.field_rows)?;
        buffers.uint2s("magnet_chunks", Role::Model, lists.chunks)?;
        buffers.uint2s("magnet_ranges", Role::Model, lists.ranges)?;
        buffers.uint2s("magnet_entries", Role::Model, lists.entries)?;
        let pushed = add_pushes(model, buffers)?;
        let numbered = || (0u32..).zip(magnets);
        let twisted: Vec<_> = numbered().filter_map(|(k, magnet)| Some([k, magnet.rigid?])).collect();
        let turned: Vec<_> = numbered().filter(|(_, m)| m.rigid.is_none()).map(|(k, _)| k).collect();
        let [pair_rows, field_rows, chunks] = counts.map(|count| count as u32);
        let sources = model.field_sources.len() as u32;
        let own = Self {
            sources,
            nodes: node_count as u32,
            pair_rows,
            field_rows,
            chunks,
            magnets: magnets.len() as u32,
            pushed,
            twisted: twisted.len() as u32,
            turned: turned.len() as u32,
            pairs: lists.pairs,
            cells: magnets.iter().map(|magnet| magnet.cells.len() as u32).sum(),
            induction: Induction::new(magnets, &starts, buffers, sources)?,
            soft,
        };
        buffers.uint2s("twisted", Role::Model, twisted)?;
        buffers.uints("turned", Role::Model, turned)?;
        if own.sources > 0 {
            add_sources(&model.field_sources, buffers)?;
        } else {
            buffers.real4s("field_sources", Role::Scratch, vec![[0.0; 4]; super::field::RECORDS])?;
        }
        Ok(own)
    }
}

/// Which node meets which magnet, which cells are in the scene's fields, and whom the sums are for.
#[derive(Default)]
struct Lists {
    pairs: u32,
    pair_rows: Vec<[u32; 2]>,
    field_rows: Vec<u32>,
    /// Pairs of magnets with cloth and solids.
    soft_rows: usize,
    chunks: Vec<[u32; 2]>,
    ranges: Vec<[u32; 2]>,
    entries: Vec<[u32; 2]>,
}

impl Lists {
    fn new(model: &Model, trees: &[Vec<Node>], starts: &[u32]) -> Self {
        let mut own = Self::default();
        let mut entries: Vec<Vec<[u32; 2]>> = vec![Vec::new(); trees.len()];
        // Segments of rods do not act on each other.
        let acts = |k: usize| model.magnets[k].rigid.is_some();
        for a in 0..trees.len() {
            for b in (a + 1..trees.len()).filter(|&b| acts(a) || acts(b)) {
                // The one with fewer nodes gives the rows.
                let (one, other) = if trees[b].len() < trees[a].len() { (b, a) } else { (a, b) };
                let first = own.pair_rows.len();
                own.pair_rows.extend((starts[one]..starts[one + 1]).map(|node| [node, other as u32]));
                for chunk in own.add_chunks(first, own.pair_rows.len()) {
                    entries[one].push([chunk, ONE]);
                    entries[other].push([chunk, OTHER]);
                }
                own.pairs += 1;
            }
        }
        if !model.field_sources.is_empty() {
            let base = own.pair_rows.len();
            for (k, tree) in trees.iter().enumerate() {
                let first = base + own.field_rows.len();
                let cells = (starts[k]..).zip(tree).filter(|(_, node)| node.is_cell);
                own.field_rows.extend(cells.map(|(node, _)| node));
                for chunk in own.add_chunks(first, base + own.field_rows.len()) {
                    entries[k].push([chunk, FIELDS]);
                }
            }
        }
        let base = own.pair_rows.len() + own.field_rows.len();
        for k in partners(model) {
            let first = base + own.soft_rows;
            own.soft_rows += model.soft_magnets.len();
            for chunk in own.add_chunks(first, base + own.soft_rows) {
                entries[k as usize].push([chunk, OTHER]);
            }
        }
        for list in entries {
            let first = own.entries.len() as u32;
            own.entries.extend(list);
            own.ranges.push([first, own.entries.len() as u32]);
        }
        own
    }

    /// Divides rows into chunks and returns their numbers.
    fn add_chunks(&mut self, first: usize, end: usize) -> std::ops::Range<u32> {
        let start = self.chunks.len() as u32;
        let pieces = (first..end).step_by(CHUNK);
        self.chunks.extend(pieces.map(|row| [row as u32, (row + CHUNK).min(end) as u32]));
        start..self.chunks.len() as u32
    }
}

/// Who pushes which particle, and how many particles are pushed.
fn add_pushes(model: &Model, buffers: &mut Tables) -> Result<u32, ComputeError> {
    let mut rows: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
    for (k, magnet) in (0..).zip(&model.magnets) {
        let [a, b] = magnet.particles;
        let ends = if a == b { vec![(a, WHOLE)] } else { vec![(a, FIRST), (b, SECOND)] };
        for (particle, end) in ends {
            rows.entry(particle).or_default().push([k, end]);
        }
    }
    let (mut pushed, mut pushing) = (Vec::new(), Vec::new());
    for (particle, own) in rows {
        let first = pushing.len() as u32;
        pushing.extend(own);
        pushed.push([particle, first, pushing.len() as u32, 0]);
    }
    let count = pushed.len() as u32;
    buffers.uint4s("pushed", Role::Model, pushed)?;
    buffers.uint2s("pushing", Role::Model, pushing)?;
    Ok(count)
}

fn add_sources(list: &[FieldSource], buffers: &mut Tables) -> Result<(), ComputeError> {
    let (mut laws, mut keys, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for source in list {
        let first = keys.len() as u32;
        keys.extend(source.keys.iter().map(|&[time, factor]| [time, factor, 0.0, 0.0]));
        laws.push([first, keys.len() as u32, source.track.unwrap_or(STILL), 0]);
        rest.extend(sources::records(source).map(|record| record.to_array()));
        rest.push([source.frequency, source.phase, 0.0, 0.0]);
    }
    let records = list.len() * super::field::RECORDS;
    buffers.uint4s("source_laws", Role::Model, laws)?;
    buffers.real4s("source_keys", Role::Model, keys)?;
    buffers.real4s("source_rest", Role::Model, rest)?;
    buffers.real4s("field_sources", Role::Scratch, vec![[0.0; 4]; records])?;
    Ok(())
}

impl Member for Magnets {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::Force => {
                list.run(&place_nodes::KERNEL, Launch::over(self.nodes))?;
                if self.sources > 0 {
                    list.run(&drive_sources::KERNEL, Launch::over(self.sources))?;
                }
                if let Some(induction) = &self.induction {
                    induction.append(list)?;
                }
                if let Some(soft) = &self.soft {
                    soft.append_pairs(list)?;
                }
                list.run(&pair_nodes::KERNEL, Launch::over(self.pair_rows))?;
                if self.sources > 0 {
                    let fields =
                        Launch { index: self.sources, base: self.pair_rows, ..Launch::over(self.field_rows) };
                    list.run(&field_cells::KERNEL, fields)?;
                }
                list.run(&chunk_loads::KERNEL, Launch::over(self.chunks))?;
                list.run(&sum_loads::KERNEL, Launch::over(self.magnets))?;
                list.run(&push_magnets::KERNEL, Launch::over(self.pushed))?;
                if let Some(soft) = &self.soft {
                    soft.append_pushes(list)?;
                }
                if self.twisted > 0 {
                    list.run(&twist_bodies::KERNEL, Launch::over(self.twisted))?;
                }
                Ok(())
            }
            Stage::Integrate if self.turned > 0 => {
                list.run(&turn_segments::KERNEL, Launch::over(self.turned))
            }
            _ => Ok(()),
        }
    }

    fn report(&self) -> Vec<FamilyReport> {
        let report = |name, count| FamilyReport { name, count, colours: None };
        let soft = self.soft.as_ref().map(|soft| report("soft magnet cells", soft.cells()));
        let rigid = [report("magnet cells", self.cells), report("magnet pairs", self.pairs)];
        rigid.into_iter().chain(soft).collect()
    }
}
