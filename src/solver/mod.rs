//! Puts the passes of the families in order: the method, as on a blackboard.

mod parts;

use crate::cloth::setup::Sheets;
use crate::compute::{BufferId, Buffers, ComputeError, Launch, Passes, Run};
use crate::constraints::grab::Hand;
use crate::constraints::setup::{Constraints, FamilyReport};
use crate::contact::ball_push::Ball;
use crate::contact::colliders::{self, Surface};
use crate::integrate::setup::Forces;
use crate::meshing::skin;
use crate::model::Model;
use crate::nets::setup::NetPasses;
use crate::particles::{self, watch, wind};
use crate::rods::setup::RodPasses;
use crate::solids::damping::setup::Damping;
use crate::solids::setup::Solids;
use parts::Parts;
use std::ops::Range;

/// The buffers and the list of passes that advance a model's state.
pub struct Solver {
    pub buffers: Buffers,
    pub passes: Passes,
    /// The passes of one substep.
    pub substep: Range<usize>,
    /// Fewer passes that do all substeps of a step, if there are any.
    pub whole: Option<Run>,
    /// The passes after the last substep of a step.
    pub finish: Range<usize>,
    /// The part of `finish` that moves detailed surfaces; empty without any.
    pub skin: Range<usize>,
    /// Particles and then vertices of detailed surfaces, if there are any.
    pub drawn: Option<BufferId>,
    pub substeps: u32,
    pub families: Vec<FamilyReport>,
    pub positions: BufferId,
    pub velocities: BufferId,
    pub clock: BufferId,
    pub watch: BufferId,
    pub world: BufferId,
    /// Pulls particles for somebody who watches; only in [`Solver::interactive`].
    pub hand: Option<Hand>,
    /// Pushes them; only there too.
    pub ball: Option<Ball>,
    /// The last pass of each iteration of a substep.
    pub iteration_ends: Vec<usize>,
}

/// Speed at which a particle counts as runaway [m/s]: beyond it f32 positions mean little after one step.
const RUNAWAY_SPEED: f64 = 1e5;

/// What the passes are made for. Results are the same up to the order of constraints, which is the same on the CPU and on
/// hardware; software adapters take the links of a sheet in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// A processor: a pass costs more to begin than many elements, and an invocation may well walk along hundreds of them.
    Few,
    /// A software adapter: few cores too, and a pass costs as much to begin as thousands of elements.
    Emulated,
    /// A device that wants ten thousand invocations at once.
    Many,
}

impl Solver {
    /// The passes for a machine of few cores.
    pub fn new(model: &Model) -> Result<Self, ComputeError> {
        Self::build(model, Cores::Few, false)
    }

    pub fn with_cores(model: &Model, cores: Cores) -> Result<Self, ComputeError> {
        Self::build(model, cores, false)
    }

    /// As [`Solver::with_cores`], with a hand to pull particles with. An empty hand changes no result, to the bit.
    pub fn interactive(model: &Model, cores: Cores) -> Result<Self, ComputeError> {
        Self::build(model, cores, true)
    }

    fn build(model: &Model, cores: Cores, has_hand: bool) -> Result<Self, ComputeError> {
        let mut buffers = Buffers::new();
        let constraints = Constraints::new(model, cores, &mut buffers)?;
        particles::setup::add_particles(model, &constraints.multiplicities, &mut buffers)?;
        particles::setup::add_pins(model, &constraints.multiplicities, &mut buffers)?;
        let surfaces: Vec<Surface> = model
            .particles
            .radii
            .iter()
            .zip(&model.particles.friction)
            .map(|(&radius, &friction)| Surface { radius, friction })
            .collect();
        colliders::add_buffers(&mut buffers, &model.colliders, &surfaces)?;
        let rods = RodPasses::new(model, cores, &mut buffers)?;
        let nets = NetPasses::new(model, &mut buffers)?;
        let mut forces = Forces::new(model);
        let sheets = Sheets::new(model, &mut buffers, &mut forces)?;
        let solids = Solids::new(model, &mut buffers, &mut forces)?;
        let damping = Damping::new(model, &mut buffers)?;
        forces.add_buffers(&mut buffers)?;
        let watch = watch::add_buffers(&mut buffers)?;
        let hand = has_hand.then(|| Hand::add_buffers(&mut buffers)).transpose()?;
        let ball = has_hand.then(|| Ball::add_buffers(&mut buffers)).transpose()?;

        let count = model.particle_count() as u32;
        let mut passes = Passes::new();
        if model.settings.wind.is_some() && !model.triangles.is_empty() {
            wind::add_buffers(&mut buffers, count, &wind_triangles(model), &model.aerodynamics)?;
            wind::append(&mut passes, &buffers, count)?;
        }
        let drags = if model.settings.wind.is_some() { wind_segments(model) } else { Vec::new() };
        if !drags.is_empty() {
            particles::wind_segments::add_buffers(&mut buffers, count, &drags)?;
            particles::wind_segments::append(&mut passes, &buffers, count)?;
        }
        if let Some(rods) = &rods {
            rods.forces(&mut passes, &buffers)?;
        }
        if let Some(nets) = &nets {
            nets.forces(&mut passes, &buffers, 0)?;
        }
        passes.run(&buffers, &particles::predict::KERNEL, Launch::over(count))?;
        passes.run(&buffers, &particles::pin::KERNEL, Launch::over(model.pins.len() as u32))?;
        if let Some(rods) = &rods {
            rods.predict(&mut passes, &buffers, |passes, index| {
                nets.as_ref().map_or(Ok(()), |nets| nets.forces(passes, &buffers, index))
            })?;
        }
        solids.append_before(&mut passes, &buffers)?;
        forces.append(&mut passes, &mut buffers)?;
        damping.append(&mut passes, &buffers)?;
        colliders::append_carry(&mut passes, &buffers, &model.colliders)?;
        let mut iteration_ends = Vec::new();
        let result = constraints.iterate(&mut passes, &buffers, |passes, iteration, offsets| {
            if let Some(rods) = &rods {
                rods.iterate(passes, &buffers, iteration, offsets)?;
            }
            if let Some(nets) = &nets {
                nets.iterate(passes, &buffers, iteration, offsets)?;
            }
            if hand.is_some() {
                Hand::append(passes, &buffers, iteration, offsets)?;
            }
            if ball.is_some() {
                Ball::append(passes, &buffers, count, offsets)?;
            }
            colliders::append_collide(passes, &buffers, &model.colliders, count, offsets)?;
            iteration_ends.push(passes.list.len() - 1);
            Ok(())
        })?;
        sheets.append_limits(&mut passes, &mut buffers, result)?;
        passes.run_as(&buffers, &particles::finish::KERNEL, Launch::over(count), &[("offsets", result)])?;
        if let Some(rods) = &rods {
            rods.finish(&mut passes, &buffers)?;
        }
        forces.append_after(&mut passes, &buffers)?;
        sheets.append_after(&mut passes, &buffers)?;
        let substep = 0..passes.list.len();
        watch::append(&mut passes, &buffers, count, RUNAWAY_SPEED)?;
        let skin_start = passes.list.len();
        let drawn = skin::append(model, &mut buffers, &mut passes)?;
        let finish = substep.end..passes.list.len();
        let substeps = model.settings.substeps;
        let whole = match &rods {
            Some(rods) => rods.append_whole(&mut passes, &buffers, &substep, substeps)?,
            None => constraints.append_whole(&mut passes, &buffers, &substep, substeps)?,
        };
        if let Some(parts) = Parts::new(model) {
            parts.divide(&mut passes);
        }

        let id = |name: &str| buffers.find(name).expect("the families have added it");
        Ok(Self {
            skin: skin_start..finish.end,
            finish,
            substep,
            whole,
            substeps,
            families: constraints
                .report()
                .into_iter()
                .chain(rods.iter().flat_map(|r| r.report().to_vec()))
                .chain(nets.iter().flat_map(|n| n.report().to_vec()))
                .collect(),
            drawn,
            positions: id("positions"),
            velocities: id("velocities"),
            clock: id("clock"),
            watch,
            world: id("world"),
            hand,
            ball,
            iteration_ends,
            passes,
            buffers,
        })
    }

    /// What to execute for a number of steps.
    pub fn steps(&self, count: u32) -> Vec<Run> {
        let substeps = Run { passes: self.substep.clone(), times: self.substeps };
        let step = [self.whole.clone().unwrap_or(substeps), Run { passes: self.finish.clone(), times: 1 }];
        (0..count).flat_map(|_| step.clone()).collect()
    }
}

/// The surface triangles with their body as aerodynamic material.
fn wind_triangles(model: &Model) -> Vec<[u32; 4]> {
    let bodies = model.bodies.iter().enumerate();
    bodies
        .flat_map(|(material, body)| {
            let range = body.triangles.start as usize..body.triangles.end as usize;
            model.triangles[range].iter().map(move |&[a, b, c]| [a, b, c, material as u32])
        })
        .collect()
}

/// The segments of rods and nets with C_d times their width [m].
fn wind_segments(model: &Model) -> Vec<([u32; 2], f64)> {
    let nets = &model.nets;
    let segments = nets.nets.iter().flat_map(|net| net.segments());
    let with_drag = segments.map(|k| {
        let place = (k - nets.first_frame()) as usize;
        (model.rods.frames[k as usize].particles, 2.0 * nets.radii[place] * nets.drags[place])
    });
    let rods = model.rods.rods.iter().flat_map(|rod| {
        let frames = &model.rods.frames[rod.frames.start as usize..rod.frames.end as usize];
        let segments = frames.iter().filter(|frame| !frame.is_wall());
        segments.map(move |frame| (frame.particles, rod.drag_width))
    });
    rods.chain(with_drag).filter(|(_, width)| *width > 0.0).collect()
}
