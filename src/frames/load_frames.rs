//! A constant force and torque change the displacement of a particle and the turn of a frame (symplectic Euler).
//!
//!   o ← o + dt² w F        g ← g ∘ (dt²/2) J⁻¹ Rᵀ τ
//!
//! The force is fixed in the world, and so is the torque unless it follows: then it is fixed in the frame, Rᵀ τ = const. Where the frame is
//! held, or the particle, nothing happens.

use super::turn;
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::math::Real;
use crate::model::Model;
use crate::step::{self, Member, Stage, StageList, Step};
use glam::DVec3;

crate::kernel! {
    "frames/load_frames" => load_frames per Invocation {
        read frame_loads: uint2,          // particle, frame
        read frame_load_rest: real4,      // force [N]; torque [N m], w = 1 if about the frame's axes
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read frame_inertia: real4,      // inverse inertia [1/(kg m²)]
        read frames: real4,             // unit quaternions, every second
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write turns: real4,             // xyz the turn of this substep
    }
}

/// The frame of a load that turns nothing.
pub const NO_FRAME: u32 = u32::MAX;

#[inline(always)]
fn load_frames<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, k] = b.frame_loads[id as usize];
    let square = b.launch.dt * b.launch.dt;
    let force = b.frame_load_rest[2 * id as usize].xyz();
    let offset = b.offsets.get(particle);
    let change = force * (square * b.positions[particle as usize].w);
    b.offsets.set(particle, (offset.xyz() + change).with_w(offset.w));
    if k == NO_FRAME {
        return;
    }
    let torque = b.frame_load_rest[2 * id as usize + 1];
    let inverse_inertia = b.frame_inertia[k as usize].xyz();
    let g = b.turns.get(k).xyz();
    let about_axes = if torque.w == R::ZERO {
        turn::rotation(b.frames[2 * k as usize], g).conjugate().rotate(torque.xyz())
    } else {
        torque.xyz()
    };
    let change = about_axes.scaled(inverse_inertia) * (R::of(0.5) * square);
    b.turns.set(k, turn::compose(g, change).with_w(R::ZERO));
}

/// A constant force on a particle and torque on a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    pub particle: u32,
    pub frame: Option<u32>,
    /// [N].
    pub force: DVec3,
    /// In the world, or about the frame's axes if it follows [N m].
    pub torque: DVec3,
    /// Whether it turns with the frame.
    pub follows: bool,
}

/// All loads of a model: families contribute them. No particle and no frame may have two.
#[derive(Default)]
pub struct Loads(pub Vec<Load>);

/// Loads on particles and frames. They come after what explicit rods do in the same stage.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[&KERNEL];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "frame_loads"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, _: &'m Model, _: &mut Step<'m>) -> Result<(), ComputeError> {
        Ok(())
    }

    fn complete<'m>(&self, _: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let Loads(loads) = step.take_contributions();
        if loads.is_empty() {
            return Ok(());
        }
        let loaded = loads.iter().map(|load| [load.particle, load.frame.unwrap_or(NO_FRAME)]);
        step.buffers.uint2s("frame_loads", Role::Model, loaded.collect())?;
        let rest = loads.iter().flat_map(|load| {
            [load.force.extend(0.0), load.torque.extend(f64::from(load.follows))].map(|v| v.to_array())
        });
        step.buffers.real4s("frame_load_rest", Role::Model, rest.collect())?;
        step.join(LoadPass { count: loads.len() as u32 });
        Ok(())
    }
}

struct LoadPass {
    count: u32,
}

impl Member for LoadPass {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::Integrate => list.run(&KERNEL, Launch::over(self.count)),
            _ => Ok(()),
        }
    }
}
