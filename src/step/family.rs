//! What a family of physics is.

use super::{Columns, Field, Measure, Stage, StageList, Step};
use crate::compute::{ComputeError, Kernel};
use crate::model::Model;
use crate::model::colouring::ColouringStatistics;
use crate::scene::Cut;

/// A family of physics: one folder with its laws, and a place in the list of families.
pub trait Family: Sync {
    /// The name of its folder.
    fn name(&self) -> &'static str;

    /// All kernels of the folder.
    fn kernels(&self) -> &'static [&'static Kernel];

    /// Adds its tables, what it contributes to what others solve, and a [`Member`] if it has passes of its own.
    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError>;

    /// Adds what depends on the contributions of all families. Comes after `add` of all of them.
    fn complete<'m>(&self, _model: &'m Model, _step: &mut Step<'m>) -> Result<(), ComputeError> {
        Ok(())
    }

    /// What can be shown of it.
    fn fields(&self) -> &'static [Field] {
        &[]
    }

    /// Measures a state; nothing where a scene has nothing of the family.
    fn measure(
        &self,
        _model: &Model,
        _state: &mut dyn Columns,
        _into: &mut Vec<Measure>,
    ) -> Result<(), ComputeError> {
        Ok(())
    }

    /// How the model is to be cut, after a step in which a kernel has counted an event ([`Step::count_events`]); nothing if it
    /// stays as it is. The cuts are made one after the other, each by the numbers that those before it leave.
    fn cut(&self, _model: &Model, _state: &mut dyn Columns) -> Result<Vec<Cut>, ComputeError> {
        Ok(Vec::new())
    }
}

/// A family in one step: what appends its passes.
pub trait Member {
    /// Appends what the family does in a stage.
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError>;

    /// Counts for `sinew check`.
    fn report(&self) -> Vec<FamilyReport> {
        Vec::new()
    }
}

/// What `sinew check` prints of a kind of constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyReport {
    pub name: &'static str,
    pub count: u32,
    /// Of the colouring, for the coloured solver.
    pub colours: Option<ColouringStatistics>,
}
