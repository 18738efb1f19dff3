//! Where a frame's spin leads in a substep: the twin of `particles/predict` for orientations.
//!
//!   g = r ∘ (dt ω/2)
//!
//! ω is the angular velocity about the frame's own axes. A free frame with inertia (A, A, C) precesses: ω₃ stays and
//! (ω₁, ω₂) turns at the rate (1 − C/A) ω₃, here by a Cayley rotation, which changes no length and so no energy.

use super::{REST, turn};
use crate::math::{Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "rods/predict_frames" => predict_frames per Invocation {
        uniform world: World,
        read rod_rest: real4,         // … inverse inertia [1/(kg m²)], w = 1 − C/A
        read frames: real4,           // unit quaternion, then the turn that rounding kept from it
        write spins: real4,           // xyz [rad/s], about the frame's axes
        write turns: real4,           // xyz the turn of this substep
    }
}

#[inline(always)]
fn predict_frames<R: Real>(b: &Bindings<R>, k: u32) {
    let inertia = b.rod_rest[(REST * k + 3) as usize];
    let half = R::of(0.5) * b.world.dt;
    let mut spin = b.spins.get(k).xyz();
    if inertia.x > R::ZERO {
        spin = precess(spin, inertia.w * spin.z * half) * b.world.keep;
        b.spins.set(k, spin.with_w(R::ZERO));
    }
    let residual = b.frames[2 * k as usize + 1].xyz();
    b.turns.set(k, turn::compose(residual, spin * half).with_w(R::ZERO));
}

/// ω with (ω₁, ω₂) turned by −2 atan t.
#[inline(always)]
fn precess<R: Real>(w: Vec3<R>, t: R) -> Vec3<R> {
    let scale = R::ONE / (R::ONE + t * t);
    let (c, s) = ((R::ONE - t * t) * scale, (t + t) * scale);
    Vec3::new(c * w.x + s * w.y, c * w.y - s * w.x, w.z)
}
