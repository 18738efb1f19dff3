//! A hand: particles pulled to points that the host moves between steps, XPBD.
//!
//!   C = x − p        Δλ = −(C + α̃ λ) / (w + α̃)        Δx = w Δλ        α̃ = α / dt²
//!
//! As `attachment`, a spring of rest length zero and stiffness 1/α, but after everything else of an iteration and on its
//! own, so that the solver's colours and masses do not have to know which particles are held. α = 0 pins. A slot without
//! a particle does nothing; no particle may be in two slots.

use super::iterate::Corner;
use crate::compute::{ColumnId, ComputeError, Data, Executor, Kernel, Launch, Role, Tables};
use crate::math::{Real, Vec3};
use crate::model::Model;
use crate::step::{self, Member, Stage, StageList, Step};
use glam::DVec3;

/// Particles that can be held at once.
pub const SLOTS: usize = 256;
/// The particle of an empty slot.
pub const EMPTY: u32 = u32::MAX;

crate::kernel! {
    "constraints/grab" => grab per Invocation {
        read grabs: uint,               // particle, or EMPTY
        read grab_targets: real4,       // p [m], w = α [m/N]
        write grab_lambdas: real4,      // λ [N s²]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn grab<R: Real>(b: &Bindings<R>, k: u32) {
    let i = b.grabs[k as usize];
    if i == EMPTY {
        return;
    }
    let w = b.positions[i as usize].w;
    if w == R::ZERO {
        return;
    }
    let target = b.grab_targets[k as usize];
    let tilde = target.w / (b.launch.dt * b.launch.dt);
    let c = Corner::load(b.positions, b.offsets, i).relative_to(target.xyz());
    let lambda = if b.launch.index > 0 { b.grab_lambdas.get(k).xyz() } else { Vec3::ZERO };
    let dl = -(c + lambda * tilde) / (w + tilde);
    b.grab_lambdas.set(k, (lambda + dl).with_w(R::ZERO));
    let o = b.offsets.get(i);
    b.offsets.set(i, (o.xyz() + dl * w).with_w(o.w));
}

/// A particle and where it is pulled to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// By the model's number.
    pub particle: u32,
    /// [m].
    pub target: DVec3,
    /// α [m/N]; 0 is rigid.
    pub compliance: f64,
}

/// The hand of somebody who watches. An empty hand changes no result, to the bit.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[&KERNEL];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "grab"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, _: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        if step.is_interactive {
            Hand::add_buffers(&mut step.buffers)?;
            step.join(Pull);
        }
        Ok(())
    }
}

/// Pulls after every iteration on constraints.
struct Pull;

impl Member for Pull {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let Stage::Project { iteration, .. } = stage else { return Ok(()) };
        list.run_on_offsets(&KERNEL, Launch { index: iteration, ..Launch::over(SLOTS as u32) })
    }
}

/// The buffers through which the host moves the hand.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    grabs: ColumnId,
    targets: ColumnId,
}

impl Hand {
    /// Adds the slots, all empty.
    fn add_buffers(buffers: &mut Tables) -> Result<(), ComputeError> {
        buffers.uints("grabs", Role::Scratch, vec![EMPTY; SLOTS])?;
        buffers.real4s("grab_targets", Role::Scratch, vec![[0.0; 4]; SLOTS])?;
        buffers.real4s("grab_lambdas", Role::Scratch, vec![[0.0; 4]; SLOTS]).map(drop)
    }

    /// The hand of a step that has one.
    pub fn of(buffers: &Tables) -> Option<Self> {
        Some(Self { grabs: buffers.find("grabs")?, targets: buffers.find("grab_targets")? })
    }

    /// Holds these particles from the next substep on and lets go of all others. What does not fit into the slots, and a
    /// particle's second hold, is left out.
    pub fn hold(&self, executor: &mut dyn Executor, holds: &[Hold]) -> Result<(), ComputeError> {
        let mut grabs = vec![EMPTY; SLOTS];
        let mut targets = vec![0.0; 4 * SLOTS];
        let mut seen = std::collections::HashSet::new();
        let distinct = holds.iter().filter(|hold| seen.insert(hold.particle));
        for (slot, hold) in distinct.take(SLOTS).enumerate() {
            grabs[slot] = hold.particle;
            let [x, y, z] = hold.target.to_array();
            targets[4 * slot..4 * slot + 4].copy_from_slice(&[x, y, z, hold.compliance]);
        }
        executor.write(self.grabs, &Data::Uints(grabs))?;
        executor.write(self.targets, &Data::Reals(targets))
    }
}
