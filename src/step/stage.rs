//! The order of a step.

use super::Parts;
use crate::compute::{ComputeError, Kernel, Launch, Passes, Tables};

/// A step, as on a blackboard. All but the last two stages are a substep; within a stage families act in the order of their list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Forces of the state as the last substep left it: wind, explicit rods and nets.
    Force,
    /// Where particles and frames go by themselves, and where pins and clamps lead them.
    Predict,
    /// What forces change in that, by explicit and implicit integrators, and damping.
    Integrate,
    /// What may touch what.
    Detect,
    /// One iteration on all constraints and contacts.
    Project { iteration: u32, last: bool },
    /// What holds whatever the iterations have left: limits of strain.
    Limit,
    /// The last word on displacements, before they become positions.
    Guard,
    /// Displacements become positions and velocities.
    Finish,
    /// What needs these velocities.
    After,
    /// Once, after the last substep.
    EndOfStep,
    /// After that, and when a state is put back: what is drawn follows the state.
    Draw,
}

impl Stage {
    /// The stages of a substep and of the end of a step, in their order.
    pub fn of_step(iterations: u32) -> impl Iterator<Item = Self> {
        let before = [Self::Force, Self::Predict, Self::Integrate, Self::Detect];
        let project = (0..iterations)
            .map(move |iteration| Self::Project { iteration, last: iteration + 1 == iterations });
        let after = [Self::Limit, Self::Guard, Self::Finish, Self::After, Self::EndOfStep, Self::Draw];
        before.into_iter().chain(project).chain(after)
    }

    /// The name of its section in the list of passes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Force => "force",
            Self::Predict => "predict",
            Self::Integrate => "integrate",
            Self::Detect => "detect",
            Self::Project { .. } => "project",
            Self::Limit => "limit",
            Self::Guard => "guard",
            Self::Finish => "finish",
            Self::After => "after",
            Self::EndOfStep => "end of step",
            Self::Draw => "draw",
        }
    }
}

/// The passes of a stage under construction.
pub struct StageList<'a> {
    pub buffers: &'a mut Tables,
    pub passes: &'a mut Passes,
    /// The buffer that holds the displacements of the substep. Whoever leaves them in another one says so here.
    pub offsets: &'a mut &'static str,
    pub(super) parts: &'a Parts,
}

impl StageList<'_> {
    /// Appends a kernel with one call per element; every binding is the buffer of that name.
    pub fn run(&mut self, kernel: &'static Kernel, launch: Launch<f64>) -> Result<(), ComputeError> {
        self.passes.run(self.buffers, kernel, launch)
    }

    /// As [`StageList::run`], on the displacements of the substep as the stage has found them.
    pub fn run_on_offsets(
        &mut self,
        kernel: &'static Kernel,
        launch: Launch<f64>,
    ) -> Result<(), ComputeError> {
        self.passes.run_as(self.buffers, kernel, launch, &[("offsets", *self.offsets)])
    }

    /// As [`StageList::run`], with some bindings given buffers of other names. Promises that the calls, each of which takes
    /// every `stride`-th row of a table, keep to its [`Parts`].
    pub fn run_in_parts(
        &mut self,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        renamed: &[(&str, &str)],
        (table, stride): (&str, u32),
    ) -> Result<(), ComputeError> {
        let first = self.passes.list.len();
        self.passes.run_as(self.buffers, kernel, launch, renamed)?;
        self.parts.divide(self.passes, first, table, stride);
        Ok(())
    }
}
