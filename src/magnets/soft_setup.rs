//! The tables and passes of cloth and solids that are magnets.

use super::soft::REST;
use super::{bend_soft, pair_soft, place_soft, push_soft};
use crate::compute::{ComputeError, Launch, Role, Tables};
use crate::model::Model;
use crate::scene::{Follows, SoftCell};
use crate::step::StageList;
use std::collections::BTreeMap;

/// The passes of triangles and tetrahedra with moments.
pub struct Soft {
    cells: u32,
    /// Magnets that act on them, and the first row of `magnet_loads` for their pairs.
    partners: u32,
    first_row: u32,
    sources: u32,
    pushed: u32,
}

impl Soft {
    /// Adds the tables of a model's soft magnets, if there are any.
    pub fn new(model: &Model, first_row: u32, buffers: &mut Tables) -> Result<Option<Self>, ComputeError> {
        let cells = &model.soft_magnets;
        if cells.is_empty() {
            return Ok(None);
        }
        let rest = cells.iter().flat_map(|cell| {
            let [g, h, i] = cell.gradients;
            let stretches = f64::from(u8::from(cell.follows == Follows::Deformation));
            let m = cell.moment;
            [
                [g.x, g.y, g.z, m.x],
                [h.x, h.y, h.z, m.y],
                [i.x, i.y, i.z, m.z],
                [cell.radius, stretches, 0.0, 0.0],
            ]
        });
        let rest: Vec<[f64; 4]> = rest.collect();
        debug_assert_eq!(rest.len(), REST * cells.len());
        let mut corners: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (k, cell) in (0..).zip(cells) {
            for (c, &particle) in (0..).zip(cell.corners.iter().filter(|&&p| p != SoftCell::NO_CORNER)) {
                corners.entry(particle).or_default().push(4 * k + c);
            }
        }
        let (mut pushed, mut slots) = (Vec::new(), Vec::new());
        for (particle, own) in corners {
            let first = slots.len() as u32;
            slots.extend(own);
            pushed.push([particle, first, slots.len() as u32, 0]);
        }
        let partners: Vec<u32> = partners(model).collect();
        let sources = model.field_sources.len() as u32;
        let own = Self {
            cells: cells.len() as u32,
            partners: partners.len() as u32,
            first_row,
            sources,
            pushed: pushed.len() as u32,
        };
        buffers.uint4s("soft_corners", Role::Model, cells.iter().map(|cell| cell.corners).collect())?;
        buffers.real4s("soft_rest", Role::Model, rest)?;
        buffers.real4s("soft_places", Role::Scratch, vec![[0.0; 4]; super::soft::PLACES * cells.len()])?;
        buffers.real4s("soft_forces", Role::Scratch, vec![[0.0; 4]; 4 * cells.len()])?;
        buffers.uints("soft_partners", Role::Model, partners)?;
        buffers.uint4s("soft_pushed", Role::Model, pushed)?;
        buffers.uints("soft_slots", Role::Model, slots)?;
        Ok(Some(own))
    }

    /// Appends the forces of magnets on them and theirs on magnets; nodes have been placed.
    pub fn append_pairs(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        list.run(&place_soft::KERNEL, Launch::over(self.cells))?;
        let pairs =
            Launch { index: self.cells, base: self.first_row, ..Launch::over(self.cells * self.partners) };
        list.run(&pair_soft::KERNEL, pairs)
    }

    /// Appends what moves their particles.
    pub fn append_pushes(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let forces = Launch {
            index: self.sources,
            base: self.first_row,
            flags: self.partners,
            ..Launch::over(self.cells)
        };
        list.run(&bend_soft::KERNEL, forces)?;
        list.run(&push_soft::KERNEL, Launch::over(self.pushed))
    }

    pub fn cells(&self) -> u32 {
        self.cells
    }
}

/// The magnets that act on soft ones: rigid bodies.
pub fn partners(model: &Model) -> impl Iterator<Item = u32> + '_ {
    (0..).zip(&model.magnets).filter(|(_, magnet)| magnet.rigid.is_some()).map(|(k, _)| k)
}
