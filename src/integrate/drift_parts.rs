//! How far blocks of rows are from where their momentum leads, for `drift`.
//!
//! s = `launch.weight` dt α is the drag of Rayleigh's damping of the mass, α of the body [1/s].

use crate::math::{Real, Vec3};
use crate::primitives::reduce::block_sum;

/// The mass of a particle that is held: so large that its body does not drift [kg].
pub const HELD: f64 = 1e30;

crate::kernel! {
    "integrate/drift_parts" => drift_parts per Workgroup {
        read dot_blocks: uint2,         // rows: first, end
        read dot_drags: real,           // α of each block's body [1/s]; negative if it has a load
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read inertial: real4,           // ô, xyz [m]; w = share of the mass
        read offsets: real4,            // o, xyz [m]
        write drift_sums: real4,       // Σ m (o − ô + s (o − r)) [kg m], Σ m (1 + s) [kg], one per block
    }
}

#[inline(always)]
fn drift_parts<R: Real>(b: &Bindings<R>, block: u32) {
    let [first, end] = b.dot_blocks[block as usize];
    let drag = b.dot_drags[block as usize];
    let s = b.launch.weight * b.launch.dt * drag;
    let count = (end - first) as usize;
    let missing = |k: usize| {
        let i = first as usize + k;
        let w = b.positions[i].w;
        if w <= R::ZERO {
            return Vec3::ZERO;
        }
        let o = b.offsets[i].xyz();
        ((o - b.inertial[i].xyz()) * b.inertial[i].w + (o - b.residuals[i].xyz()) * s) / w
    };
    let mass = block_sum(count, |k| {
        let i = first as usize + k;
        let w = b.positions[i].w;
        if w > R::ZERO && drag >= R::ZERO { (b.inertial[i].w + s) / w } else { R::of(HELD) }
    });
    let sum = |of: fn(Vec3<R>) -> R| block_sum(count, |k| of(missing(k)));
    let left = Vec3::new(sum(|v| v.x), sum(|v| v.y), sum(|v| v.z));
    b.drift_sums.set(block, left.with_w(mass));
}
