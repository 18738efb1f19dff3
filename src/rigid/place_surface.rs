//! Where the vertices of rigid surfaces are drawn.
//!
//!   x = c + R a        c the centre of mass, R the principal axes, a the vertex along them
//!
//! They stand behind the particles and the surfaces of solids in one buffer; `launch.base` is how many those are.

use crate::math::{Quat, Real};

crate::kernel! {
    "rigid/place_surface" => place_surface per Invocation {
        read rigid_vertices: uint2,     // particle, frame
        read rigid_arms: real4,         // xyz [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read frames: real4,             // unit quaternions, every second
        write skin_positions: real4,    // xyz [m]
    }
}

#[inline(always)]
fn place_surface<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, frame] = b.rigid_vertices[id as usize];
    let axes = Quat::from_vec4(b.frames[2 * frame as usize]);
    let x = b.positions[particle as usize].xyz() + axes.rotate(b.rigid_arms[id as usize].xyz());
    b.skin_positions.set(b.launch.base + id, x.with_w(R::ZERO));
}
