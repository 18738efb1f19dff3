//! Wind on thin round rods: drag across each segment, gathered by particle.
//!
//!   v = w(t) − (v₁ + v₂)/2        v⊥ = v − t (t·v)        F = ½ ρ C_d 2r L |v⊥| v⊥
//!
//! Cross-flow drag of a slender cylinder: only the velocity across it counts (Hoerner 1965, the independence principle). Each end
//! gets a half; as on sheets ([`super::wind`]) a particle is taken at most to the velocity of the wind in one substep.

use super::{World, push, wind};
use crate::compute::{ComputeError, Data, Element, Launch, Passes, Role, Tables};
use crate::math::{Real, Vec3};
use crate::model::incidence::Incidence;

crate::kernel! {
    "particles/wind_segments" => wind_segments per Invocation {
        uniform world: World,
        read clock: uint,                    // substeps done
        read wind_segment_starts: uint,      // where each particle's slots begin
        read wind_segment_slots: uint,       // segments
        read wind_segment_ends: uint2,       // particles
        read wind_segment_widths: real,      // C_d 2r [m]
        read positions: real4,               // xyz [m], w = 1/mass [1/kg]
        read velocities: real4,              // xyz [m/s]
        write segment_forces: real4,         // xyz [N]
    }
}

#[inline(always)]
fn wind_segments<R: Real>(b: &Bindings<R>, i: u32) {
    let air = wind::velocity(b.world, b.world.time(b.clock[0], b.launch.dt));
    let mut sum = Vec3::ZERO;
    let slots = b.wind_segment_starts[i as usize] as usize..b.wind_segment_starts[i as usize + 1] as usize;
    for &slot in &b.wind_segment_slots[slots] {
        let [p, q] = b.wind_segment_ends[slot as usize].map(|end| end as usize);
        let mean = (b.velocities[p].xyz() + b.velocities[q].xyz()) * R::of(0.5);
        let d = b.positions[q].xyz() - b.positions[p].xyz();
        sum += force(d, air - mean, b.world.wind.w, b.wind_segment_widths[slot as usize]);
    }
    let relative = (air - b.velocities[i as usize].xyz() * b.world.keep).length();
    let dt_w = b.launch.dt * b.positions[i as usize].w;
    b.segment_forces.set(i, wind::limited(sum * R::of(0.5), dt_w, relative).with_w(R::ZERO));
}

/// Drag on one segment [N].
#[inline(always)]
pub fn force<R: Real>(
    d: Vec3<R>, // from end to end [m]
    v: Vec3<R>, // air relative to the segment [m/s]
    density: R, // ρ [kg/m³]
    width: R,   // C_d 2r [m]
) -> Vec3<R> {
    let length = d.length();
    if length == R::ZERO {
        return Vec3::ZERO;
    }
    let t = d / length;
    let across = v - t * t.dot(v);
    across * (R::of(0.5) * density * width * length * across.length())
}

/// Adds what [`append`] needs: segments of two particles with C_d times their width [m].
pub fn add_buffers(
    buffers: &mut Tables,
    particle_count: u32,
    segments: &[([u32; 2], f64)],
) -> Result<(), ComputeError> {
    let ends: Vec<[u32; 2]> = segments.iter().map(|(ends, _)| *ends).collect();
    let incidence = Incidence::new(&ends, particle_count as usize).map_err(|problem| {
        ComputeError::Buffer { buffer: "wind_segment_ends".into(), problem: problem.to_string() }
    })?;
    buffers.uints("wind_segment_starts", Role::Model, incidence.starts)?;
    buffers.uints(
        "wind_segment_slots",
        Role::Model,
        incidence.slots.iter().map(|slot| slot / 2).collect(),
    )?;
    buffers.uint2s("wind_segment_ends", Role::Model, ends)?;
    let widths = segments.iter().map(|(_, width)| *width).collect();
    buffers.add("wind_segment_widths", Element::Real, Role::Model, Data::Reals(widths))?;
    buffers.real4s("segment_forces", Role::Scratch, vec![[0.0; 4]; particle_count as usize]).map(drop)
}

/// Appends the wind, before `predict`: the forces, then the velocities they give.
pub fn append(passes: &mut Passes, buffers: &Tables, particle_count: u32) -> Result<(), ComputeError> {
    passes.run(buffers, &KERNEL, Launch::over(particle_count))?;
    let forces = [("forces", "segment_forces")];
    passes.run_as(buffers, &push::KERNEL, Launch::over(particle_count), &forces)
}
