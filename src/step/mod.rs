//! What families of physics give to a step: tables, contributions to what others solve, and passes at named stages.
//!
//! A [`Family`] is a folder. It adds its tables to a [`Step`] and a [`Member`], which appends its passes when a [`Stage`] is
//! reached. Families know neither the solver nor the list of families.

mod family;
mod field;
mod parts;
mod stage;

pub use family::{Family, FamilyReport, Member};
pub use field::{Columns, Computed, Field, Measure, Shown, Values};
pub use parts::Parts;
pub use stage::{Stage, StageList};

use crate::compute::{ComputeError, Passes, Rows, Tables};
use crate::model::Model;
use std::any::{Any, TypeId};
use std::collections::HashMap;

/// The kind of machine that the passes are made for. Results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// A processor: a pass costs more to begin than many elements, and an invocation may well walk along hundreds of them.
    Few,
    /// A device, which wants ten thousand invocations at once.
    Many,
}

/// A step under construction.
pub struct Step<'m> {
    pub buffers: Tables,
    pub cores: Cores,
    /// Whether somebody watches, who may pull particles and push them with a ball.
    pub is_interactive: bool,
    /// How many constraints share each particle's mass, as far as they are known (Jacobi); zeros otherwise.
    pub multiplicities: Vec<f64>,
    pub parts: Parts,
    contributions: HashMap<TypeId, Box<dyn Any>>,
    /// Each with the place of its family in the list.
    members: Vec<(usize, Box<dyn Member + 'm>)>,
    family: usize,
    events: Vec<Events>,
}

/// Where a family counts what breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Events {
    /// Its place in the list of families.
    pub family: usize,
    /// An entry of the status.
    pub entry: u32,
}

impl<'m> Step<'m> {
    /// Lets every family add what it has, then what depends on what the others have added.
    pub fn new(
        model: &'m Model,
        families: &[&dyn Family],
        cores: Cores,
        is_interactive: bool,
    ) -> Result<Self, ComputeError> {
        let mut buffers = Tables::new();
        // Most others refer to them.
        buffers.table("particles", Rows::Fixed(model.particle_count() as u32))?;
        let mut step = Self {
            buffers,
            cores,
            is_interactive,
            multiplicities: vec![0.0; model.particle_count()],
            parts: Parts::default(),
            contributions: HashMap::new(),
            members: Vec::new(),
            family: 0,
            events: Vec::new(),
        };
        for (place, family) in families.iter().enumerate() {
            step.family = place;
            family.add(model, &mut step)?;
        }
        for (place, family) in families.iter().enumerate() {
            step.family = place;
            family.complete(model, &mut step)?;
        }
        step.members.sort_by_key(|(place, _)| *place);
        Ok(step)
    }

    /// What families contribute to something that one of them completes, such as forces to an integrator. Empty at first.
    pub fn contributions<T: Default + 'static>(&mut self) -> &mut T {
        let found = self.contributions.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(T::default()));
        found.downcast_mut().expect("contributions are stored by their type")
    }

    /// All that was contributed, for the family that completes it.
    pub fn take_contributions<T: Default + 'static>(&mut self) -> T {
        std::mem::take(self.contributions())
    }

    /// Adds what appends passes. Members act in the order of their families, whenever they have joined.
    pub fn join(&mut self, member: impl Member + 'm) {
        self.members.push((self.family, Box::new(member)));
    }

    /// Reserves an entry of the status, in which kernels of this family count what they have marked as broken. After a step in
    /// which it is not zero, [`Family::cut`] is asked how to cut the model.
    pub fn count_events(&mut self) -> Result<u32, ComputeError> {
        let entry = self.buffers.reserve_status(&[0])?;
        self.events.push(Events { family: self.family, entry });
        Ok(entry)
    }

    /// All entries that count events.
    pub fn events(&self) -> &[Events] {
        &self.events
    }

    /// Appends the passes of a stage. `offsets` names the buffer that holds the displacements of the substep, which an
    /// iteration may change.
    pub fn append(
        &mut self,
        stage: Stage,
        passes: &mut Passes,
        offsets: &mut &'static str,
    ) -> Result<(), ComputeError> {
        let mut list = StageList { buffers: &mut self.buffers, passes, offsets, parts: &self.parts };
        self.members.iter().try_for_each(|(_, member)| member.append(stage, &mut list))
    }

    /// Counts for `sinew check`, family by family.
    pub fn report(&self) -> Vec<FamilyReport> {
        self.members.iter().flat_map(|(_, member)| member.report()).collect()
    }
}
