//! The tables and passes of rigid bodies.

use super::motion::{BOX_SOLID, NO_SOLID, RECORDS};
use super::spin::spin_of;
use super::{gather_bodies, kick_bodies, move_bodies, place_surface, predict_bodies, touch_colliders};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::frames::{Frame, Frames};
use crate::model::Model;
use crate::model::rigid::RigidBody;
use crate::scene::RigidSolid;
use crate::step::{self, FamilyReport, Member, Stage, StageList, Step};
use glam::DVec3;
use std::ops::Range;

/// Bodies that do not bend.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[
    &gather_bodies::KERNEL,
    &kick_bodies::KERNEL,
    &move_bodies::KERNEL,
    &place_surface::KERNEL,
    &predict_bodies::KERNEL,
    &touch_colliders::KERNEL,
];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "rigid"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        add_surfaces(model, step)?;
        let Some(first) = model.rigid.first() else { return Ok(()) };
        let h = model.settings.substep();
        let row = |body: &RigidBody| Frame {
            particles: [body.particle; 2],
            orientation: body.orientation,
            inverse_inertia: body.moments.recip(),
            gyroscopic: 0.0,
            spin: spin_of(body.spin, body.moments, h),
            release: None,
            drive: None,
        };
        let start = step.contributions::<Frames>().add(model.rigid.iter().map(row));
        debug_assert_eq!(start, first.frame, "frames of rods and nets come first");
        step.buffers.real4s("rigid_torques", Role::Scratch, vec![[0.0; 4]; model.rigid.len()])?;
        let touches = !model.colliders.is_empty();
        if touches {
            add_contact(model, step)?;
        }
        step.join(Bodies {
            frames: start..start + model.rigid.len() as u32,
            touches,
            bounces: touches && model.rigid.iter().any(|body| body.restitution > 0.0),
        });
        Ok(())
    }
}

/// Adds the surfaces of rigid bodies, and those of bonded cells, which frames carry likewise.
fn add_surfaces(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let vertices = &model.skins.rigid;
    if vertices.is_empty() {
        return Ok(());
    }
    let owners = vertices.iter().map(|vertex| [vertex.particle, vertex.frame]);
    step.buffers.uint2s("rigid_vertices", Role::Model, owners.collect())?;
    let arms = vertices.iter().map(|vertex| vertex.arm.extend(0.0).to_array());
    step.buffers.real4s("rigid_arms", Role::Model, arms.collect())?;
    step.join(Surfaces {
        vertex_count: vertices.len() as u32,
        first_vertex: (model.particle_count() + model.skins.embedding.corners.len()) as u32,
    });
    Ok(())
}

/// Adds what contact needs of every body.
fn add_contact(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let (mut bodies, mut parts) = (Vec::new(), Vec::new());
    for body in &model.rigid {
        bodies.push([body.particle, body.frame, parts.len() as u32, body.features.len() as u32]);
        parts.push(match body.solid {
            Some(RigidSolid::Box { half }) => half.extend(BOX_SOLID),
            _ => DVec3::ZERO.extend(NO_SOLID),
        });
        let far = body.features.iter().map(|feature| feature.arm.length() + feature.radius);
        parts.push(DVec3::new(body.friction, body.restitution, far.fold(0.0, f64::max)).extend(0.0));
        parts.extend(body.features.iter().map(|feature| feature.arm.extend(feature.radius)));
    }
    let motions = vec![[0.0; 4]; bodies.len() * RECORDS as usize];
    step.buffers.uint4s("rigid_bodies", Role::Model, bodies)?;
    step.buffers.real4s("rigid_parts", Role::Model, parts.iter().map(|part| part.to_array()).collect())?;
    step.buffers.real4s("rigid_motions", Role::Scratch, motions)?;
    Ok(())
}

struct Bodies {
    frames: Range<u32>,
    /// Whether there is anything to touch.
    touches: bool,
    bounces: bool,
}

impl Member for Bodies {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let all = Launch::over(self.frames.len() as u32);
        match stage {
            Stage::Predict => list.run(&predict_bodies::KERNEL, Launch::range(&self.frames)),
            Stage::Project { iteration, .. } if self.touches => {
                list.run_on_offsets(&gather_bodies::KERNEL, Launch { index: iteration, ..all })?;
                list.run(&touch_colliders::KERNEL, all)?;
                list.run_on_offsets(&move_bodies::KERNEL, all)
            }
            Stage::After if self.bounces => list.run(&kick_bodies::KERNEL, all),
            _ => Ok(()),
        }
    }

    fn report(&self) -> Vec<FamilyReport> {
        vec![FamilyReport { name: "rigid bodies", count: self.frames.len() as u32, colours: None }]
    }
}

/// What is drawn of rigid bodies and bonded cells.
struct Surfaces {
    vertex_count: u32,
    /// In the buffer of what is drawn.
    first_vertex: u32,
}

impl Member for Surfaces {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        if stage != Stage::Draw {
            return Ok(());
        }
        let launch = Launch { base: self.first_vertex, ..Launch::over(self.vertex_count) };
        list.run(&place_surface::KERNEL, launch)
    }
}
