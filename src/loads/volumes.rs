//! The volume inside of surfaces: sums over blocks of at most 4,096 triangles.
//!
//!   V = Σ (a − o) · ((b − o) × (c − o)) / 6
//!
//! o is a particle of the surface, so that f32 keeps its digits far from the origin. Of an open surface this is the volume of the cone to o.

use crate::math::Real;
use crate::primitives::reduce::block_sum;

crate::kernel! {
    "loads/volumes" => volumes per Workgroup {
        read gas_blocks: uint4,         // triangles: first, end; particle o
        read gas_triangles: uint4,      // three particles
        read positions: real4,          // xyz [m]
        write volume_parts: real,       // one per block [m³]
    }
}

#[inline(always)]
fn volumes<R: Real>(b: &Bindings<R>, block: u32) {
    let [first, end, origin, _] = b.gas_blocks[block as usize];
    let o = b.positions[origin as usize].xyz();
    let triangles = &b.gas_triangles[first as usize..end as usize];
    let sum = block_sum(triangles.len(), |i| {
        let [p, q, r, _] = triangles[i];
        let arm = |k: u32| b.positions[k as usize].xyz() - o;
        arm(p).dot(arm(q).cross(arm(r))) / R::of(6.0)
    });
    b.volume_parts.set(block, sum);
}
