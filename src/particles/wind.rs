//! Wind: drag and lift on the triangles of a sheet, gathered by particle.
//!
//!   v = w(t) − (v₁ + v₂ + v₃)/3        w(t) = w₀ (1 + a sin ωt)        cos φ = |n·v|/|v|
//!   F_drag = ½ ρ A C_d |v|² cos φ v̂        F_lift = ½ ρ A C_l |v|² cos φ sin φ l̂        l̂ ⟂ v̂ in the plane of n and v̂
//!
//! The drag is that of the projected area A cos φ (Keckeisen, Kimmerle, Thomaszewski, Wacker 2004). The lift has the
//! angular dependence of a plate in separated flow: it vanishes broadside and edge-on, with no jump where a
//! normal passes through the stream, and is largest at 45°. A sheet has two sides: both forces stay the same
//! when n changes sign. Skin friction along an edge-on sheet is left out, as is the lee of other triangles.
//!
//! Each corner gets a third. Explicit drag would overshoot on light cloth, so that a particle's force is limited to
//!
//!   |dt w F| ≤ |w(t) − keep vᵢ|
//!
//! where `keep` is the share that damping leaves of vᵢ, and in one substep drag takes a particle at most to the velocity of the wind, never past it. With C_l ≤ √3 C_d
//! the force on a sheet that moves as one is within 60° of v̂, and the limit keeps the relative speed from growing
//! at any step size.

use super::{World, push};
use crate::compute::{ComputeError, Data, Element, Launch, Passes, Role, Tables};
use crate::math::{Real, Vec3};
use crate::model::incidence::Incidence;

crate::kernel! {
    "particles/wind" => wind per Invocation {
        uniform world: World,
        read clock: uint,               // substeps done
        read wind_starts: uint,         // where each particle's slots begin
        read wind_slots: uint,          // triangles
        read triangles: uint4,          // three particles, material
        read wind_materials: real2,     // C_d, C_l
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read velocities: real4,         // xyz [m/s]
        write forces: real4,            // xyz [N]
    }
}

#[inline(always)]
fn wind<R: Real>(b: &Bindings<R>, i: u32) {
    let (w, air) = (b.positions[i as usize].w, velocity(b.world, b.world.time(b.clock[0], b.launch.dt)));
    let mut sum = Vec3::ZERO;
    let slots = b.wind_starts[i as usize] as usize..b.wind_starts[i as usize + 1] as usize;
    for &slot in &b.wind_slots[slots] {
        let [p, q, r, material] = b.triangles[slot as usize];
        let [p, q, r] = [p as usize, q as usize, r as usize];
        let x = b.positions[p].xyz();
        let area = (b.positions[q].xyz() - x).cross(b.positions[r].xyz() - x) * R::of(0.5);
        let mean = (b.velocities[p].xyz() + b.velocities[q].xyz() + b.velocities[r].xyz()) / R::of(3.0);
        sum += force(area, air - mean, b.world.wind.w, b.wind_materials[material as usize]);
    }
    let relative = (air - b.velocities[i as usize].xyz() * b.world.keep).length();
    b.forces.set(i, limited(sum / R::of(3.0), b.launch.dt * w, relative).with_w(R::ZERO));
}

/// The wind at a time [m/s].
#[inline(always)]
pub(super) fn velocity<R: Real>(world: &World<R>, time: R) -> Vec3<R> {
    world.wind.xyz() * (R::ONE + world.gust_amplitude * (world.gust_frequency * time).sin())
}

/// Drag and lift on one triangle [N].
#[inline(always)]
pub fn force<R: Real>(
    area: Vec3<R>,        // A n [m²]
    v: Vec3<R>,           // air relative to the triangle [m/s]
    density: R,           // ρ [kg/m³]
    [drag, lift]: [R; 2], // C_d, C_l
) -> Vec3<R> {
    let (size, speed) = (area.length(), v.length());
    if size * speed == R::ZERO {
        return Vec3::ZERO;
    }
    // |v|² cos φ sin φ l̂ = |v| (n·v) n − (n·v)² v̂, whichever way n points.
    let n = area / size;
    let across = n.dot(v);
    let along = v * (drag * across.abs() - lift * across * across / speed);
    (along + n * (lift * across * speed)) * (R::of(0.5) * density * size)
}

/// The force, shortened so that it changes the velocity by no more than `relative`.
#[inline(always)]
pub(super) fn limited<R: Real>(force: Vec3<R>, dt_w: R, relative: R) -> Vec3<R> {
    let change = dt_w * force.length();
    force * R::select(change > relative, relative / change, R::ONE)
}

/// Adds what [`append`] needs: triangles of three particles and a material (C_d, C_l) each.
pub fn add_buffers(
    buffers: &mut Tables,
    particle_count: u32,
    triangles: &[[u32; 4]],
    materials: &[[f64; 2]],
) -> Result<(), ComputeError> {
    let error = |problem: String| ComputeError::Buffer { buffer: "triangles".into(), problem };
    if let Some((k, t)) = triangles.iter().enumerate().find(|(_, t)| t[3] as usize >= materials.len()) {
        let count = materials.len();
        return Err(error(format!("triangle {k} has aerodynamic material {}, of {count} materials", t[3])));
    }
    let corners: Vec<[u32; 3]> = triangles.iter().map(|&[p, q, r, _]| [p, q, r]).collect();
    let incidence =
        Incidence::new(&corners, particle_count as usize).map_err(|problem| error(problem.to_string()))?;
    buffers.uints("wind_starts", Role::Model, incidence.starts)?;
    buffers.uints("wind_slots", Role::Model, incidence.slots.iter().map(|slot| slot / 3).collect())?;
    buffers.uint4s("triangles", Role::Model, triangles.to_vec())?;
    buffers.add(
        "wind_materials",
        Element::Real2,
        Role::Model,
        Data::Reals(materials.as_flattened().to_vec()),
    )?;
    buffers.real4s("forces", Role::Scratch, vec![[0.0; 4]; particle_count as usize])?;
    Ok(())
}

/// Appends the wind, before `predict`: the forces, then the velocities they give.
pub fn append(passes: &mut Passes, buffers: &Tables, particle_count: u32) -> Result<(), ComputeError> {
    passes.run(buffers, &KERNEL, Launch::over(particle_count))?;
    passes.run(buffers, &push::KERNEL, Launch::over(particle_count))
}
