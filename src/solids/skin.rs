//! What is drawn and exported: the particles as they are, and then the detailed surfaces, which go where their
//! tetrahedra go; those of rigid bodies follow ([`crate::rigid::place_surface`]).
//!
//!   x = Σ bₐ xₐ over the four corners of the tetrahedron in which the vertex was embedded ([`crate::meshing::embed`])
//!
//! The particles come first, so that one buffer holds all that a picture needs. `launch.base` is their number.

use crate::compute::{ComputeError, Data, Element, Kernel, Launch, Role};
use crate::math::{Real, Vec3};
use crate::model::Model;
use crate::step::{self, Member, Stage, StageList, Step};

/// The buffer of what is drawn, where there are skins.
pub const POSITIONS: &str = "skin_positions";

crate::kernel! {
    "solids/skin" => skin per Invocation {
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

/// Detailed surfaces of solids.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[&KERNEL];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "skin"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    /// Adds the tables of a model's skins, placed as at the start; nothing without skins.
    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let skins = &model.skins;
        if skins.is_empty() {
            return Ok(());
        }
        let buffers = &mut step.buffers;
        let corners = skins.embedding.corners.iter().flatten().copied().collect();
        let weights = skins.embedding.weights.iter().flatten().copied().collect();
        buffers.add("skin_corners", Element::Uint4, Role::Model, Data::Uints(corners))?;
        buffers.add("skin_weights", Element::Real4, Role::Model, Data::Reals(weights))?;
        let particles = &model.particles.positions;
        let drawn = particles.iter().copied().chain(skins.positions(particles, &model.first_frames()));
        let start = drawn.flat_map(|x| [x.x, x.y, x.z, 0.0]).collect();
        buffers.add(POSITIONS, Element::Real4, Role::Scratch, Data::Reals(start))?;
        let particle_count = particles.len() as u32;
        step.join(Skin { particle_count, vertex_count: skins.embedding.corners.len() as u32 });
        Ok(())
    }
}

struct Skin {
    particle_count: u32,
    vertex_count: u32,
}

impl Member for Skin {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        if stage != Stage::Draw {
            return Ok(());
        }
        let base = self.particle_count;
        list.run(&KERNEL, Launch { base, ..Launch::over(base + self.vertex_count) })
    }
}
