//! From a model's sheets with coarse links to their tables and passes.

use super::nets::{Net, Nets, Shares};
use super::{KERNELS, coarse_carry, coarse_move, coarse_pull};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::model::Model;
use crate::step::{self, FamilyReport, Member, Stage, StageList, Step};
use std::ops::Range;

/// Coarse links of sheets.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "coarse"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let sheets = sheets(model);
        let depth = sheets.iter().map(|sheet| sheet.nets.len()).max().unwrap_or_default();
        if depth == 0 {
            return Ok(());
        }
        let mut lists = Lists { starts: vec![0], ..Lists::default() };
        // The first node of each sheet's net in the one that was added last.
        let mut firsts: Vec<u32> = vec![0; sheets.len()];
        for level in (0..depth).rev() {
            lists.add_level(&sheets, level, &mut firsts);
        }
        let nodes = lists.particles.len() as u32;
        for (sheet, &first) in sheets.iter().zip(&firsts) {
            for (particle, shares) in sheet.particles.iter().zip(&sheet.shares) {
                lists.add_row(*particle, shares, first);
            }
        }
        let particles = nodes..lists.particles.len() as u32;
        let tables = &mut step.buffers;
        tables.uints("coarse_starts", Role::Model, lists.starts)?;
        tables.uint2s("coarse_shares", Role::Model, lists.shares)?;
        tables.uints("coarse_particles", Role::Model, lists.particles)?;
        tables.reals("coarse_weights", Role::Model, lists.weights)?;
        tables.uint2s("coarse_ends", Role::Model, lists.ends)?;
        tables.reals("coarse_rest", Role::Model, lists.rest)?;
        tables.real4s("coarse_moves", Role::Scratch, vec![[0.0; 4]; nodes as usize])?;
        step.join(Passes { levels: lists.levels, particles });
        Ok(())
    }
}

/// The nets of a sheet, by the model's particle numbers.
struct Sheet {
    nets: Vec<Net>,
    particles: Vec<u32>,
    shares: Vec<Shares>,
}

fn sheets(model: &Model) -> Vec<Sheet> {
    let (scene, geometry) = (model.source.scene().scene(), model.source.scene().geometry());
    let wanted = scene.cloth.iter().zip(&geometry.cloth).filter(|(cloth, _)| cloth.coarse_links);
    let sheets = wanted.filter_map(|(_, shape)| {
        // What was cut has other threads; its own links go on alone.
        let cells = shape.cells.filter(|_| shape.origins.is_empty())?;
        let body = model.bodies.iter().find(|body| body.name == shape.name)?;
        let particles: Vec<u32> =
            body.particles.clone().map(|user| model.order.new_of_old[user as usize]).collect();
        let masses: Vec<f64> = particles.iter().map(|&p| model.particles.masses[p as usize]).collect();
        let Nets { mut nets, shares } = Nets::new(cells, &shape.mesh.positions, &masses);
        for net in &mut nets {
            net.particles.iter_mut().for_each(|p| *p = particles[*p as usize]);
        }
        Some(Sheet { nets, particles, shares })
    });
    sheets.collect()
}

/// Rows and links of all sheets: nodes net by net, the coarsest first.
#[derive(Default)]
struct Lists {
    starts: Vec<u32>,
    shares: Vec<[u32; 2]>,
    particles: Vec<u32>,
    weights: Vec<f64>,
    ends: Vec<[u32; 2]>,
    rest: Vec<f64>,
    levels: Vec<Level>,
}

/// The nets of all sheets that are gone through together: their nodes, and their links by colours.
struct Level {
    nodes: Range<u32>,
    colours: Vec<Range<u32>>,
}

impl Lists {
    /// Adds the nets of this number of all sheets that have so many, and says where each sheet's begins.
    fn add_level(&mut self, sheets: &[Sheet], level: usize, firsts: &mut [u32]) {
        let start = self.particles.len() as u32;
        for (sheet, first) in sheets.iter().zip(&mut *firsts) {
            let Some(net) = sheet.nets.get(level) else { continue };
            let coarser = std::mem::replace(first, self.particles.len() as u32);
            for ((&particle, shares), mass) in net.particles.iter().zip(&net.shares).zip(&net.masses) {
                self.add_row(particle, shares, coarser);
                self.weights.push(1.0 / mass);
            }
        }
        let mut colours = Vec::new();
        for colour in 0..4 {
            let start = self.ends.len() as u32;
            for (sheet, first) in sheets.iter().zip(&*firsts) {
                let Some(net) = sheet.nets.get(level) else { continue };
                for &(ends, length) in &net.links[colour] {
                    self.ends.push(ends.map(|node| first + node));
                    self.rest.push(length);
                }
            }
            colours.push(start..self.ends.len() as u32);
        }
        colours.retain(|range| !range.is_empty());
        self.levels.push(Level { nodes: start..self.particles.len() as u32, colours });
    }

    /// Adds a row for a particle that follows nodes of a net which begins at `first`.
    fn add_row(&mut self, particle: u32, shares: &Shares, first: u32) {
        self.particles.push(particle);
        self.shares.extend(shares.iter().map(|(node, weight)| [first + node, (*weight as f32).to_bits()]));
        self.starts.push(self.shares.len() as u32);
    }
}

/// The coarse links of a model, ready to append their passes.
struct Passes {
    /// The coarsest first.
    levels: Vec<Level>,
    /// Rows of particles.
    particles: Range<u32>,
}

impl Member for Passes {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let Stage::Project { iteration: 0, .. } = stage else { return Ok(()) };
        for level in &self.levels {
            list.run(&coarse_carry::KERNEL, Launch::range(&level.nodes))?;
            for colour in &level.colours {
                list.run_on_offsets(&coarse_pull::KERNEL, Launch::range(colour))?;
            }
        }
        list.run_on_offsets(&coarse_move::KERNEL, Launch::range(&self.particles))
    }

    fn report(&self) -> Vec<FamilyReport> {
        let links = self.levels.iter().flat_map(|level| &level.colours);
        let count = links.map(|range| range.end - range.start).sum();
        vec![FamilyReport { name: "coarse link", count, colours: None }]
    }
}
