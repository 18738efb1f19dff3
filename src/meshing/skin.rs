//! A detailed surface goes where its tetrahedra go.
//!
//!   x = Σ bₐ xₐ over the four corners of the tetrahedron in which the vertex was embedded ([`super::embed`])

use crate::math::{Real, Vec3};

crate::kernel! {
    "meshing/skin" => skin per Invocation {
        read skin_corners: uint4,       // particles
        read skin_weights: real4,       // barycentric coordinates
        read positions: real4,          // xyz [m]
        write skin_positions: real4,    // xyz [m]
    }
}

#[inline(always)]
fn skin<R: Real>(b: &Bindings<R>, i: u32) {
    let corners = b.skin_corners[i as usize];
    let w = b.skin_weights[i as usize];
    let x = corners.map(|v| b.positions[v as usize].xyz());
    let sum: Vec3<R> = x[0] * w.x + x[1] * w.y + x[2] * w.z + x[3] * w.w;
    b.skin_positions.set(i, sum.with_w(R::ZERO));
}
