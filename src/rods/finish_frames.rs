//! The end of a substep for frames: spins from the turns, orientations turned by them.
//!
//!   ω = (2/dt) (−r ∘ g)        q' = q ∘ g        r' = −(q̄ q') ∘ g
//!
//! The residual r' is the turn that rounding kept from q. q̄ q' comes from q' − q, which is exact for neighbours, so the
//! residual has digits of its own and slow spins at many substeps are not lost.

use super::turn;
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "rods/finish_frames" => finish_frames per Invocation {
        uniform world: World,
        read turns: real4,             // xyz the turn of this substep
        write frames: real4,           // unit quaternion, then the turn that rounding kept from it
        write spins: real4,            // xyz [rad/s], about the frame's axes
    }
}

#[inline(always)]
fn finish_frames<R: Real>(b: &Bindings<R>, k: u32) {
    let g = b.turns[k as usize].xyz();
    let residual = b.frames.get(2 * k + 1).xyz();
    let q = b.frames.get(2 * k);
    let turned = turn::apply(q, g);
    let done = turn::difference(q, turned) / turn::dot(q, turned);
    b.spins.set(k, (turn::compose(-residual, g) * (R::of(2.0) / b.world.dt)).with_w(R::ZERO));
    b.frames.set(2 * k + 1, turn::compose(-done, g).with_w(R::ZERO));
    b.frames.set(2 * k, turned);
}
