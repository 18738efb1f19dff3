//! The passes of contact: bodies that touch, obstacles that are carried and that everything is pushed out of, and the guard.

use super::KERNELS;
use super::ball_push::{self, Ball};
use super::colliders::{self, Surface};
use super::series;
use super::surfaces::Surfaces;
use crate::compute::{ComputeError, Kernel, Launch, Passes};
use crate::model::Model;
use crate::step::{self, Columns, Measure, Member, Stage, StageList, Step};

/// Obstacles, and the ball of somebody who watches.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "contact"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let particles = &model.particles;
        let materials = particles.radii.iter().zip(&particles.friction);
        let materials: Vec<Surface> =
            materials.map(|(&radius, &friction)| Surface { radius, friction }).collect();
        colliders::add_buffers(&mut step.buffers, &model.colliders, &materials)?;
        if step.is_interactive {
            Ball::add_buffers(&mut step.buffers)?;
        }
        let surfaces = Surfaces::of(model);
        if let Some(surfaces) = &surfaces {
            surfaces.add_tables(&mut step.buffers)?;
        }
        let (particle_count, has_ball) = (model.particle_count() as u32, step.is_interactive);
        step.join(Touching { model, particle_count, has_ball, surfaces });
        Ok(())
    }

    fn measure(
        &self,
        model: &Model,
        state: &mut dyn Columns,
        into: &mut Vec<Measure>,
    ) -> Result<(), ComputeError> {
        series::measure(model, state, into)
    }
}

struct Touching<'m> {
    model: &'m Model,
    particle_count: u32,
    has_ball: bool,
    /// Bodies that touch each other.
    surfaces: Option<Surfaces>,
}

impl Member for Touching<'_> {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let colliders = &self.model.colliders;
        match stage {
            Stage::Detect => {
                colliders::append_carry(list.passes, list.buffers, colliders)?;
                match &self.surfaces {
                    Some(surfaces) => surfaces.detect(list.passes, list.buffers, list.offsets),
                    None => Ok(()),
                }
            }
            Stage::Project { iteration, .. } => {
                if self.has_ball {
                    list.run_on_offsets(&ball_push::KERNEL, Launch::over(self.particle_count))?;
                }
                let (buffers, count) = (&*list.buffers, self.particle_count);
                let collide = |passes: &mut Passes, offsets: &str| {
                    colliders::append_collide(passes, buffers, colliders, count, offsets)
                };
                match &self.surfaces {
                    // What rests on an obstacle carries what lies on it: neither goes without the other.
                    Some(surfaces) => {
                        surfaces.project(list.passes, buffers, iteration, list.offsets, collide)
                    }
                    None => collide(list.passes, list.offsets),
                }
            }
            Stage::Guard => match &self.surfaces {
                Some(surfaces) => surfaces.guard(list.passes, list.buffers, list.offsets),
                None => Ok(()),
            },
            Stage::EndOfStep => match &self.surfaces {
                Some(surfaces) => surfaces.end_of_step(list.passes, list.buffers),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
