//! From a model's particles and pins to their buffers.

use super::World;
use super::pin::{PIN_RIGID, PIN_STILL};
use crate::compute::{Buffers, ComputeError, Data, Element, Role};
use crate::math::Vec4;
use crate::model::{Model, Settings};

/// A release that never comes [s]: the largest number both precisions have.
const NEVER: f64 = f32::MAX as f64;

/// Adds the state of the particles. `multiplicities` says how many constraints share each particle's mass.
pub fn add_particles(
    model: &Model,
    multiplicities: &[f64],
    buffers: &mut Buffers,
) -> Result<(), ComputeError> {
    let p = &model.particles;
    // A position is what f32 can hold of it plus a residual, on an f64 backend too: there the whole position plus
    // the residual would start beside the point.
    let high = |c: f64| f64::from(c as f32);
    let positions = p.positions.iter().zip(&p.inverse_masses).map(|(x, &w)| {
        let [x, y, z] = x.to_array().map(high);
        [x, y, z, w]
    });
    buffers.real4s("positions", Role::State, positions.collect())?;
    let velocities = p.velocities.iter().map(|v| [v.x, v.y, v.z, 0.0]);
    buffers.real4s("velocities", Role::State, velocities.collect())?;
    let residuals = p.positions.iter().zip(multiplicities).map(|(x, &n)| {
        let [x, y, z] = x.to_array().map(|c| c - high(c));
        [x, y, z, n]
    });
    buffers.real4s("residuals", Role::State, residuals.collect())?;
    buffers.real4s("offsets", Role::Scratch, vec![[0.0; 4]; p.positions.len()])?;
    buffers.uints("clock", Role::State, vec![0])?;
    let world = Data::Reals(world(&model.settings, 0.0).values());
    buffers.add("world", Element::Real, Role::Uniform, world).map(drop)
}

/// Adds pins that move, let go or give way, and the tracks of pins and colliders. `multiplicities` as for
/// [`add_particles`].
pub fn add_pins(model: &Model, multiplicities: &[f64], buffers: &mut Buffers) -> Result<(), ComputeError> {
    let pins = model.pins.iter().map(|pin| {
        [pin.particle, pin.track.unwrap_or(PIN_STILL), if pin.is_rigid() { PIN_RIGID } else { 0 }, 0]
    });
    buffers.uint4s("pins", Role::Model, pins.collect())?;
    let rest = model.pins.iter().flat_map(|pin| {
        let a = pin.anchor;
        let solver_weight = multiplicities[pin.particle as usize] * pin.inverse_mass;
        [[a.x, a.y, a.z, pin.inverse_mass], [pin.release.min(NEVER), pin.compliance, solver_weight, 0.0]]
    });
    buffers.real4s("pin_rest", Role::Model, rest.collect())?;
    buffers.real4s("pin_targets", Role::Scratch, vec![[0.0; 4]; model.pins.len()])?;
    buffers.uint2s("tracks", Role::Model, model.tracks.tracks.clone())?;
    buffers.real4s("track_keys", Role::Model, model.tracks.keys.clone()).map(drop)
}

/// The uniform `world` for these settings, with the clock starting at a time [s].
pub fn world(settings: &Settings, start: f64) -> World<f64> {
    let dt = settings.time_step / f64::from(settings.substeps);
    let g = settings.gravity;
    let mut world = World {
        gravity: Vec4::new(g.x, g.y, g.z, 0.0),
        dt,
        keep: (-settings.damping * dt).exp(),
        relaxation: settings.relaxation,
        start,
        ..World::default()
    };
    if let Some(wind) = &settings.wind {
        let v = wind.velocity;
        world.wind = Vec4::new(v.x, v.y, v.z, wind.density);
        if let Some(gust) = wind.gust {
            world.gust_amplitude = gust.amplitude;
            world.gust_frequency = std::f64::consts::TAU / gust.period;
        }
    }
    world
}
