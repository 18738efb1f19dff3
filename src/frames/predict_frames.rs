//! Where a frame's spin leads in a substep: the twin of `particles/predict` for orientations.
//!
//!   g = r ∘ (dt ω/2)
//!
//! ω is the angular velocity about the frame's own axes. A free frame with inertia (A, A, C) precesses: ω₃ stays and
//! (ω₁, ω₂) turns at the rate (1 − C/A) ω₃, here by a Cayley rotation, which changes no length and so no energy. Explicit frames
//! do so in [`crate::rods::corde_turn`].

use super::turn;
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};
use crate::particles::World;

crate::kernel! {
    "frames/predict_frames" => predict_frames, lanes predict_frames_lanes, per Invocation {
        uniform world: World,
        read frame_inertia: real4,    // inverse inertia [1/(kg m²)], w = 1 − C/A
        read frames: real4,           // unit quaternion, then the turn that rounding kept from it
        write spins: real4,           // xyz [rad/s], about the frame's axes
        write turns: real4,           // xyz the turn of this substep
    }
}

#[inline(always)]
fn predict_frames<R: Real>(b: &Bindings<R>, k: u32) {
    let inertia = b.frame_inertia[k as usize];
    let residual = b.frames[2 * k as usize + 1].xyz();
    let (spin, turn) = predicted(b.spins.get(k).xyz(), inertia, residual, [b.launch.dt, b.world.keep]);
    b.spins.set(k, spin.with_w(R::ZERO));
    b.turns.set(k, turn.with_w(R::ZERO));
}

/// As [`predict_frames`], line by line, for several frames.
#[inline(always)]
fn predict_frames_lanes<L: Lanes>(b: &Bindings<f32>, k: u32) {
    let inertia: Vec4<L> = L::strided(b.frame_inertia, k, 1);
    let residual = L::strided(b.frames, 2 * k + 1, 2).xyz();
    let world = [L::splat(b.launch.dt), L::splat(b.world.keep)];
    let (spin, turn) = predicted(b.spins.load_vectors(k, 1).xyz(), inertia, residual, world);
    b.spins.store_vectors(k, 1, spin.with_w(L::ZERO));
    b.turns.store_vectors(k, 1, turn.with_w(L::ZERO));
}

/// ω and g; a held frame keeps its spin.
#[inline(always)]
pub(super) fn predicted<L: Lane>(
    spin: Vec3<L>,
    inertia: Vec4<L>,
    residual: Vec3<L>,
    [dt, keep]: [L; 2],
) -> (Vec3<L>, Vec3<L>) {
    let half = L::constant(0.5) * dt;
    let free = inertia.x.above(L::ZERO);
    let keep = L::select(free, keep, L::ONE);
    let spin = turn::precess(spin, L::select(free, inertia.w * spin.z * half, L::ZERO)) * keep;
    (spin, turn::compose(residual, spin * half))
}
