//! Puts the passes of the families in the order of the stages: the method, as on a blackboard.

mod families;

pub use crate::step::{Cores, Events, FamilyReport, Stage};
pub use families::{FAMILIES, Families, kernels};

use crate::compute::{ColumnId, ComputeError, Passes, Run, STATUS, Tables};
use crate::constraints::grab::Hand;
use crate::contact::ball_push::Ball;
use crate::model::Model;
use crate::particles::second_order;
use crate::particles::watch::Alarms;
use crate::solids::skin;
use crate::step::Step;
use std::ops::Range;

/// The buffers and the list of passes that advance a model's state.
pub struct Solver {
    pub buffers: Tables,
    pub passes: Passes,
    /// The stages of a step and their passes, in order.
    pub sections: Vec<Section>,
    /// What to execute for a step.
    pub step: Vec<Run>,
    /// Particles and then vertices of detailed surfaces, if there are any.
    pub drawn: Option<ColumnId>,
    pub families: Vec<FamilyReport>,
    pub positions: ColumnId,
    pub velocities: ColumnId,
    pub clock: ColumnId,
    /// What the host reads after every step.
    pub status: ColumnId,
    /// The first alarm of the watch in the status.
    pub alarms: u32,
    /// Where families count there what they have marked as broken.
    pub events: Vec<Events>,
    pub world: ColumnId,
    /// Pulls particles for somebody who watches; only in [`Solver::interactive`].
    pub hand: Option<Hand>,
    /// Pushes them; only there too.
    pub ball: Option<Ball>,
}

/// A stage and its part of the list of passes, which may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub stage: Stage,
    pub passes: Range<usize>,
}

impl Solver {
    /// The passes for a machine of few cores.
    pub fn new(model: &Model) -> Result<Self, ComputeError> {
        Self::with_cores(model, Cores::Few)
    }

    pub fn with_cores(model: &Model, cores: Cores) -> Result<Self, ComputeError> {
        Self::with_families(model, &Families::standard(), cores)
    }

    /// As [`Solver::with_cores`], of any families.
    pub fn with_families(model: &Model, families: &Families, cores: Cores) -> Result<Self, ComputeError> {
        Self::build(model, families, cores, false)
    }

    /// As [`Solver::with_families`], with a hand to pull particles with. An empty hand changes no result, to the bit.
    pub fn interactive(model: &Model, families: &Families, cores: Cores) -> Result<Self, ComputeError> {
        Self::build(model, families, cores, true)
    }

    fn build(
        model: &Model,
        families: &Families,
        cores: Cores,
        is_interactive: bool,
    ) -> Result<Self, ComputeError> {
        let mut step = Step::new(model, families.list(), cores, is_interactive)?;
        let mut passes = Passes::with_dt(model.settings.substep());
        let mut offsets = "offsets";
        let mut sections = Vec::new();
        for stage in Stage::of_step(model.settings.iterations) {
            let start = passes.list.len();
            passes.dt = match stage {
                Stage::Project { .. } if model.settings.is_second_order() => {
                    second_order::SHARE * model.settings.substep()
                }
                _ => model.settings.substep(),
            };
            step.append(stage, &mut passes, &mut offsets)?;
            sections.push(Section { stage, passes: start..passes.list.len() });
        }
        passes.link(&mut step.buffers)?;
        let report = step.report();
        let alarms: Alarms = step.take_contributions();
        let events = step.events().to_vec();
        let buffers = step.buffers;
        let id = |name: &str| buffers.find(name).expect("the families have added it");
        let mut solver = Self {
            sections,
            step: Vec::new(),
            families: report,
            drawn: buffers.find(skin::POSITIONS),
            positions: id("positions"),
            velocities: id("velocities"),
            clock: id("clock"),
            status: id(STATUS),
            alarms: alarms.first,
            events,
            world: id("world"),
            hand: Hand::of(&buffers),
            ball: Ball::of(&buffers),
            passes,
            buffers,
        };
        solver.step = vec![
            Run { passes: solver.substep(), times: model.settings.substeps },
            Run { passes: solver.end_of_step(), times: 1 },
        ];
        Ok(solver)
    }

    /// The passes of all sections of a stage; those of all iterations for [`Stage::Project`].
    pub fn section(&self, stage: Stage) -> Range<usize> {
        let mut own = self.sections.iter().filter(|section| section.stage.name() == stage.name());
        let start = own.next().map_or(0..0, |section| section.passes.clone());
        start.start..own.next_back().map_or(start.end, |section| section.passes.end)
    }

    /// The passes of one substep.
    pub fn substep(&self) -> Range<usize> {
        0..self.section(Stage::EndOfStep).start
    }

    /// The passes after the last substep of a step.
    pub fn end_of_step(&self) -> Range<usize> {
        self.substep().end..self.passes.list.len()
    }

    /// Substeps of a step.
    pub fn substeps(&self) -> u32 {
        self.step.first().map_or(0, |run| run.times)
    }

    /// Where each iteration of a substep ends in the list.
    pub fn iteration_ends(&self) -> impl DoubleEndedIterator<Item = usize> {
        let iterations =
            self.sections.iter().filter(|section| matches!(section.stage, Stage::Project { .. }));
        iterations.map(|section| section.passes.end)
    }

    /// What to execute for a number of steps.
    pub fn steps(&self, count: u32) -> Vec<Run> {
        (0..count).flat_map(|_| self.step.clone()).collect()
    }
}
