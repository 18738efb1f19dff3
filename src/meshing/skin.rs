//! What is drawn and exported: the particles as they are, and then the detailed surfaces, which go where their
//! tetrahedra go.
//!
//!   x = Σ bₐ xₐ over the four corners of the tetrahedron in which the vertex was embedded ([`super::embed`])
//!
//! The particles come first, so that one buffer holds all that a picture needs. `launch.base` is their number.

use crate::compute::{BufferId, Buffers, ComputeError, Data, Element, Launch, Passes, Role};
use crate::math::{Real, Vec3};
use crate::model::Model;

crate::kernel! {
    "meshing/skin" => skin per Invocation {
        read skin_corners: uint4,       // particles
        read skin_weights: real4,       // barycentric coordinates
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write skin_positions: real4,    // xyz [m]
    }
}

#[inline(always)]
fn skin<R: Real>(b: &Bindings<R>, i: u32) {
    if i < b.launch.base {
        b.skin_positions.set(i, b.positions[i as usize].xyz().with_w(R::ZERO));
        return;
    }
    let k = (i - b.launch.base) as usize;
    let w = b.skin_weights[k];
    let x = b.skin_corners[k].map(|v| b.positions[v as usize].xyz());
    let sum: Vec3<R> = x[0] * w.x + x[1] * w.y + x[2] * w.z + x[3] * w.w;
    b.skin_positions.set(i, sum.with_w(R::ZERO));
}

/// Adds the buffers of a model's skins, placed as at the start, and the pass that moves them; nothing without skins.
pub fn append(
    model: &Model,
    buffers: &mut Buffers,
    passes: &mut Passes,
) -> Result<Option<BufferId>, ComputeError> {
    let skins = &model.skins;
    if skins.is_empty() {
        return Ok(None);
    }
    let corners = skins.embedding.corners.iter().flatten().copied().collect();
    let weights = skins.embedding.weights.iter().flatten().copied().collect();
    buffers.add("skin_corners", Element::Uint4, Role::Model, Data::Uints(corners))?;
    buffers.add("skin_weights", Element::Real4, Role::Model, Data::Reals(weights))?;
    let particles = &model.particles.positions;
    let drawn = particles.iter().copied().chain(skins.positions(particles));
    let start = drawn.flat_map(|x| [x.x, x.y, x.z, 0.0]).collect();
    let drawn = buffers.add("skin_positions", Element::Real4, Role::Scratch, Data::Reals(start))?;
    let base = particles.len() as u32;
    let count = base + skins.len() as u32;
    passes.run(buffers, &KERNEL, Launch { base, ..Launch::over(count) })?;
    Ok(Some(drawn))
}
