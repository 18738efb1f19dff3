//! From a model's loads to their tables and passes.

use super::act::{FIXED, FOLLOWING, PRESSING, STRUNG};
use super::{KERNELS, act, strengthen, tension, volumes};
use crate::compute::{ComputeError, Data, Element, Kernel, Launch, Role, Tables};
use crate::model::Model;
use crate::model::loadings::{Loading, Tendon};
use crate::primitives::reduce::BLOCK;
use crate::step::{self, Columns, FamilyReport, Measure, Member, Stage, StageList, Step};
use std::collections::BTreeMap;

/// Loads over time.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "loads"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let loads = &model.loadings;
        if loads.is_empty() {
            return Ok(());
        }
        let Enclosed { blocks, triangles, ranges } = enclosed(loads);
        let block_count = blocks.len() as u32;
        let buffers = &mut step.buffers;
        let (mut laws, mut numbers, mut keys, mut amounts) = (vec![], vec![], Vec::<f64>::new(), vec![]);
        for (load, [first_part, end_part]) in loads.iter().zip(ranges) {
            let first = (keys.len() / 2) as u32;
            keys.extend(load.keys.iter().flatten());
            laws.push([first, (keys.len() / 2) as u32, first_part, end_part]);
            let pressed = load.pressure.as_ref().map(|pressure| pressure.pressure);
            let value = pressed.or(load.tendon.as_ref().map(|tendon| tendon.tension)).unwrap_or(1.0);
            let gas = load.pressure.as_ref().and_then(|pressure| pressure.gas);
            let [ambient, leak, volume] = gas.map_or([0.0; 3], |gas| [gas.ambient, gas.leak, gas.volume]);
            numbers.extend([
                [value, ambient, leak, volume],
                [f64::from(u8::from(gas.is_some())), 0.0, 0.0, 0.0],
            ]);
            amounts.push((value + ambient) * volume);
        }
        let tendons = strung(loads, buffers)?;
        let rows = rows(loads);
        let (mut starts, mut slots, mut vectors) = (vec![], vec![], vec![]);
        for (&particle, own) in &rows {
            let first = slots.len() as u32;
            slots.extend(own.iter().map(|slot| slot.what));
            vectors.extend(own.iter().map(|slot| slot.force));
            starts.push([particle, first, slots.len() as u32, 0]);
        }
        buffers.uint4s("load_laws", Role::Model, laws)?;
        buffers.real4s("load_numbers", Role::Model, numbers)?;
        buffers.add("load_keys", Element::Real2, Role::Model, Data::Reals(keys))?;
        buffers.uint4s("gas_blocks", Role::Model, blocks)?;
        buffers.uint4s("gas_triangles", Role::Model, triangles)?;
        buffers.reals("volume_parts", Role::Scratch, vec![0.0; block_count as usize])?;
        buffers.reals("gas_amounts", Role::State, amounts)?;
        buffers.reals("strengths", Role::Scratch, vec![0.0; loads.len()])?;
        buffers.uint4s("act_rows", Role::Model, starts)?;
        buffers.uint4s("act_slots", Role::Model, slots)?;
        buffers.real4s("act_vectors", Role::Model, vectors)?;
        buffers.real4s("acting", Role::Scratch, vec![[0.0; 4]; model.particle_count()])?;
        step.join(Loads { tendons, loads: loads.len() as u32, blocks: block_count, rows: rows.len() as u32 });
        Ok(())
    }

    fn measure(
        &self,
        model: &Model,
        state: &mut dyn Columns,
        into: &mut Vec<Measure>,
    ) -> Result<(), ComputeError> {
        let pressed = |load: &Loading| load.pressure.is_some();
        if let Some(strengths) = state.column("strengths")?.filter(|_| model.loadings.iter().any(pressed)) {
            let all = model.loadings.iter().zip(strengths.reals()).filter(|(load, _)| pressed(load));
            let largest = all.map(|(_, pressure)| *pressure).fold(f64::NEG_INFINITY, f64::max);
            into.push(Measure { name: "pressure".into(), unit: "Pa", value: largest });
        }
        Ok(())
    }
}

/// The triangles of all gases, and which blocks of them are each load's.
struct Enclosed {
    blocks: Vec<[u32; 4]>,
    triangles: Vec<[u32; 4]>,
    ranges: Vec<[u32; 2]>,
}

fn enclosed(loads: &[Loading]) -> Enclosed {
    let mut all = Enclosed { blocks: Vec::new(), triangles: Vec::new(), ranges: Vec::new() };
    for load in loads {
        let first = all.blocks.len() as u32;
        let gas = load.pressure.as_ref().filter(|pressure| pressure.gas.is_some());
        for block in gas.iter().flat_map(|gas| gas.triangles.chunks(BLOCK as usize)) {
            let start = all.triangles.len() as u32;
            let origin = gas.map_or(0, |gas| gas.triangles[0][0]);
            all.triangles.extend(block.iter().map(|&[a, b, c]| [a, b, c, 0]));
            all.blocks.push([start, all.triangles.len() as u32, origin, 0]);
        }
        all.ranges.push([first, all.blocks.len() as u32]);
    }
    all
}

/// Adds the tables of cables, and says how many there are.
fn strung(loads: &[Loading], buffers: &mut Tables) -> Result<u32, ComputeError> {
    let (mut tendons, mut friction, mut points, mut stretch) = (vec![], vec![], Vec::<u32>::new(), 0);
    for (number, load) in (0..).zip(loads) {
        let Some(tendon) = &load.tendon else { continue };
        let first = points.len() as u32;
        points.extend(&tendon.points);
        tendons.push([first, points.len() as u32, number, stretch]);
        friction.push(tendon.friction);
        stretch += tendon.points.len() as u32 - 1;
    }
    let count = tendons.len() as u32;
    buffers.uint4s("tendons", Role::Model, tendons)?;
    buffers.reals("tendon_friction", Role::Model, friction)?;
    buffers.uints("tendon_points", Role::Model, points)?;
    buffers.reals("tensions", Role::Scratch, vec![0.0; stretch as usize])?;
    Ok(count)
}

/// A part of a load on a particle.
struct Slot {
    what: [u32; 4],
    force: [f64; 4],
}

/// What acts on each particle, in the order of loads.
fn rows(loads: &[Loading]) -> BTreeMap<u32, Vec<Slot>> {
    let mut rows: BTreeMap<u32, Vec<Slot>> = BTreeMap::new();
    let mut stretch = 0;
    for (number, load) in (0..).zip(loads) {
        for point in &load.forces {
            let what = match point.follows {
                None => [number, point.particle, point.particle, FIXED],
                Some([a, b]) => [number, a, b, FOLLOWING],
            };
            let force = point.force.extend(0.0).to_array();
            rows.entry(point.particle).or_default().push(Slot { what, force });
        }
        if let Some(Tendon { points, .. }) = &load.tendon {
            for (k, &i) in points.iter().enumerate() {
                let (before, after) = (k.checked_sub(1).map(|k| points[k]), points.get(k + 1).copied());
                let what = [stretch + k as u32, before.unwrap_or(i), after.unwrap_or(i), STRUNG];
                let there = |end: Option<u32>| f64::from(u8::from(end.is_some()));
                let slot = Slot { what, force: [there(before), there(after), 0.0, 0.0] };
                rows.entry(i).or_default().push(slot);
            }
            stretch += points.len() as u32 - 1;
        }
        for &[a, b, c] in load.pressure.iter().flat_map(|pressure| &pressure.triangles) {
            for [i, p, q] in [[a, b, c], [b, c, a], [c, a, b]] {
                let slot = Slot { what: [number, p, q, PRESSING], force: [0.0; 4] };
                rows.entry(i).or_default().push(slot);
            }
        }
    }
    rows
}

/// The loads of a model, ready to append their passes.
struct Loads {
    tendons: u32,
    loads: u32,
    blocks: u32,
    rows: u32,
}

impl Member for Loads {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        if stage != Stage::Force {
            return Ok(());
        }
        if self.blocks > 0 {
            let launch = Launch::over(self.blocks);
            list.passes.run_groups(list.buffers, &volumes::KERNEL, launch, self.blocks, &[])?;
        }
        list.run(&strengthen::KERNEL, Launch::over(self.loads))?;
        if self.tendons > 0 {
            list.run(&tension::KERNEL, Launch::over(self.tendons))?;
        }
        list.run(&act::KERNEL, Launch::over(self.rows))
    }

    fn report(&self) -> Vec<FamilyReport> {
        vec![FamilyReport { name: "load", count: self.loads, colours: None }]
    }
}
