//! The tables and passes of the solve for what fields magnetise.

use super::induction::{ITERATIONS, RECORDS, Rows, TOLERANCE};
use super::{
    induce_decide, induce_fields, induce_guess, induce_image, induce_moments, induce_places, induce_rest,
    induce_sides, induce_step, induce_turn,
};
use crate::compute::{ComputeError, Launch, Role, Tables, Unread};
use crate::integrate::pcg_prepare;
use crate::model::magnets::Magnet;
use crate::primitives::reduce;
use crate::step::StageList;

/// The buffer of the solver's counts.
pub const COUNTS: &str = "induced_counts";

/// The passes that give cells their moments.
pub struct Induction {
    cells: u32,
    /// The first magnet that fields magnetise, and nodes of those before it.
    first: u32,
    nodes: u32,
    /// Whether there is more than one.
    is_shared: bool,
    sources: u32,
}

impl Induction {
    /// Adds the tables of those magnets whose moments are found, if there are any.
    pub fn new(
        magnets: &[Magnet],
        first_nodes: &[u32],
        buffers: &mut Tables,
        sources: u32,
    ) -> Result<Option<Self>, ComputeError> {
        let rows = Rows::new(magnets, first_nodes);
        let cells = rows.count();
        let Some(first) = magnets.iter().position(|magnet| magnet.susceptible.is_some()) else {
            return Ok(None);
        };
        let vectors = |each: usize| vec![[0.0; 4]; each * cells as usize];
        buffers.uint4s("induced_cells", Role::Model, rows.cells)?;
        buffers.real4s("induced_rest", Role::Model, rows.rest)?;
        buffers.real4s("induced_table", Role::Model, rows.table)?;
        buffers.real4s("magnetisations", Role::State, vectors(1))?;
        buffers.real4s("induced_places", Role::Scratch, vectors(RECORDS))?;
        for name in [
            "induced_fields",
            "induced_residuals",
            "induced_sides",
            "induced_images",
            "induced_directions",
            "induced_products",
        ] {
            buffers.real4s(name, Role::Scratch, vectors(1))?;
        }
        for name in ["induced_first", "induced_left", "induced_old", "induced_new", "induced_steep"] {
            buffers.reals(name, Role::Scratch, vec![0.0])?;
        }
        buffers.uints(COUNTS, Role::State, vec![0; 5])?;
        let is_shared = first + 1 < magnets.len();
        Ok(Some(Self { cells, first: first as u32, nodes: first_nodes[first], is_shared, sources }))
    }

    /// Appends the solve; nodes have been placed and the scene's fields driven.
    pub fn append(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let all = Launch::over(self.cells);
        list.run(&induce_places::KERNEL, Launch { index: self.first, ..all })?;
        let fields = Launch { index: self.sources, base: self.nodes, flags: self.first, ..all };
        list.run(&induce_fields::KERNEL, fields)?;
        list.passes.run_as(list.buffers, &pcg_prepare::KERNEL, Launch::over(1), &[("cg_counts", COUNTS)])?;
        list.run(&induce_guess::KERNEL, all)?;
        self.image(list)?;
        list.run(&induce_rest::KERNEL, all)?;
        self.dot(list, ["induced_fields"; 2], "induced_first")?;
        self.dot(list, ["induced_residuals"; 2], "induced_left")?;
        let first = list.passes.list.len();
        let (mut old, mut new) = ("induced_old", "induced_new");
        for index in 0..ITERATIONS {
            let decide = Launch { weight: TOLERANCE * TOLERANCE, ..Launch::over(1) };
            list.run(&induce_decide::KERNEL, decide)?;
            self.image(list)?;
            self.dot(list, ["induced_residuals", "induced_images"], new)?;
            let renamed = [("induced_old", old), ("induced_new", new)];
            list.passes.run_as(list.buffers, &induce_turn::KERNEL, Launch { index, ..all }, &renamed)?;
            self.dot(list, ["induced_products"; 2], "induced_steep")?;
            list.passes.run_as(list.buffers, &induce_step::KERNEL, all, &[("induced_new", new)])?;
            self.dot(list, ["induced_residuals"; 2], "induced_left")?;
            std::mem::swap(&mut old, &mut new);
        }
        if let Some(column) = list.buffers.find(COUNTS) {
            list.passes.note_unread(first, Unread { column, stride: 1, count: 1 });
        }
        list.run(&induce_moments::KERNEL, all)
    }

    fn image(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let all = Launch::over(self.cells);
        if self.is_shared {
            list.run(&induce_sides::KERNEL, all)?;
        }
        list.run(&induce_image::KERNEL, all)?;
        list.passes.note_walk(self.cells);
        Ok(())
    }

    fn dot(&self, list: &mut StageList<'_>, sides: [&str; 2], result: &str) -> Result<(), ComputeError> {
        reduce::dot(list.passes, list.buffers, sides, self.cells, result)
    }
}
