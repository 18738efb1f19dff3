//! The end of a substep for frames: spins from the turns, orientations turned by them.
//!
//!   ω = (2/dt) (−r ∘ g)        q' = q ∘ g        r' = −(q̄ q') ∘ g
//!
//! The residual r' is the turn that rounding kept from q. q̄ q' comes from q' − q, which is exact for neighbours, so the
//! residual has digits of its own and slow spins at many substeps are not lost.

use super::turn;
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};

crate::kernel! {
    "frames/finish_frames" => finish_frames, lanes finish_frames_lanes, per Invocation {
        read turns: real4,             // xyz the turn of this substep
        write frames: real4,           // unit quaternion, then the turn that rounding kept from it
        write spins: real4,            // xyz [rad/s], about the frame's axes
    }
}

#[inline(always)]
fn finish_frames<R: Real>(b: &Bindings<R>, k: u32) {
    let (q, residual) = (b.frames.get(2 * k), b.frames.get(2 * k + 1).xyz());
    let (spin, turned, rest) = finished(q, residual, b.turns[k as usize].xyz(), b.launch.dt);
    b.spins.set(k, spin.with_w(R::ZERO));
    b.frames.set(2 * k + 1, rest.with_w(R::ZERO));
    b.frames.set(2 * k, turned);
}

/// As [`finish_frames`], line by line, for several frames.
#[inline(always)]
fn finish_frames_lanes<L: Lanes>(b: &Bindings<f32>, k: u32) {
    let (q, residual): (Vec4<L>, Vec4<L>) =
        (b.frames.load_vectors(2 * k, 2), b.frames.load_vectors(2 * k + 1, 2));
    let g = L::strided(b.turns, k, 1).xyz();
    let (spin, turned, rest) = finished(q, residual.xyz(), g, L::splat(b.launch.dt));
    b.spins.store_vectors(k, 1, spin.with_w(L::ZERO));
    b.frames.store_vectors(2 * k + 1, 2, rest.with_w(L::ZERO));
    b.frames.store_vectors(2 * k, 2, turned);
}

/// ω, q' and r'.
#[inline(always)]
pub(super) fn finished<L: Lane>(
    q: Vec4<L>,
    residual: Vec3<L>,
    g: Vec3<L>,
    dt: L,
) -> (Vec3<L>, Vec4<L>, Vec3<L>) {
    let turned = turn::apply(q, g);
    let done = turn::difference(q, turned) * (L::ONE / turn::dot(q, turned));
    let spin = turn::compose(-residual, g) * (L::constant(2.0) / dt);
    (spin, turned, turn::compose(-done, g))
}
