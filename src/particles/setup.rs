//! From a model's particles and pins to their tables and passes.

use super::pin::{PIN_RIGID, PIN_STILL};
use super::second_order::PAST;
use super::{
    KERNELS, SMALLEST_KEEP, World, finish, pin, predict, second_finish, second_predict, watch, wind,
    wind_segments,
};
use crate::compute::{ComputeError, Data, Element, Kernel, Launch, Role, Tables};
use crate::math::Vec4;
use crate::model::{Model, Settings};
use crate::step::{self, Member, Stage, StageList, Step};

/// A release that never comes [s]: the largest number both precisions have.
const NEVER: f64 = f32::MAX as f64;

/// Speed at which a particle counts as runaway [m/s]: beyond it f32 positions mean little after one step.
const RUNAWAY_SPEED: f64 = 1e5;

/// Particles: how they move by themselves, in the wind and with their pins.
pub struct Family;

/// Segments of rods and nets in the wind: their ends, and C_d times their width [m].
#[derive(Default)]
pub struct Drags(pub Vec<([u32; 2], f64)>);

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "particles"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, _: &'m Model, _: &mut Step<'m>) -> Result<(), ComputeError> {
        Ok(())
    }

    fn complete<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let multiplicities: Vec<f64> = step.multiplicities.iter().map(|n| n.max(1.0)).collect();
        add_particles(model, &multiplicities, &mut step.buffers)?;
        add_pins(model, &multiplicities, &mut step.buffers)?;
        let is_second_order = model.settings.is_second_order();
        if is_second_order {
            let pasts = vec![[0.0; 4]; PAST as usize * model.particle_count()];
            step.buffers.real4s("pasts", Role::State, pasts)?;
            step.buffers.gather("particles", model.particle_count() as u32, &["pasts"])?;
        }
        let alarms = watch::Alarms { first: watch::reserve(&mut step.buffers)? };
        *step.contributions() = alarms;
        let count = model.particle_count() as u32;
        let Drags(mut drags) = step.take_contributions();
        drags.retain(|(_, width)| *width > 0.0 && model.settings.wind.is_some());
        let triangles = wind_triangles(model);
        if !triangles.is_empty() {
            wind::add_buffers(&mut step.buffers, count, &triangles, &model.aerodynamics)?;
        }
        if !drags.is_empty() {
            wind_segments::add_buffers(&mut step.buffers, count, &drags)?;
        }
        step.join(Particles {
            count,
            alarms,
            pins: model.pins.len() as u32,
            is_second_order,
            has_wind: !triangles.is_empty(),
            has_drags: !drags.is_empty(),
        });
        Ok(())
    }
}

/// The particles of a model, ready to append their passes.
struct Particles {
    count: u32,
    alarms: watch::Alarms,
    pins: u32,
    is_second_order: bool,
    /// Whether wind blows on surfaces, and on segments.
    has_wind: bool,
    has_drags: bool,
}

impl Member for Particles {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let all = Launch::over(self.count);
        match stage {
            Stage::Force => {
                if self.has_wind {
                    wind::append(list.passes, list.buffers, self.count)?;
                }
                if self.has_drags {
                    wind_segments::append(list.passes, list.buffers, self.count)?;
                }
                Ok(())
            }
            Stage::Predict => {
                list.run_in_parts(&predict::KERNEL, all, &[], ("particles", 1))?;
                if self.is_second_order {
                    list.run(&second_predict::KERNEL, all)?;
                }
                list.run(&pin::KERNEL, Launch::over(self.pins))
            }
            Stage::Finish => {
                let renamed = [("offsets", *list.offsets)];
                list.run_in_parts(&finish::KERNEL, all, &renamed, ("particles", 1))?;
                if self.is_second_order {
                    list.run(&second_finish::KERNEL, all)?;
                }
                Ok(())
            }
            Stage::EndOfStep => {
                watch::append(list.passes, list.buffers, self.count, RUNAWAY_SPEED, self.alarms.first)
            }
            _ => Ok(()),
        }
    }
}

/// The surface triangles with their body as aerodynamic material; none without wind.
fn wind_triangles(model: &Model) -> Vec<[u32; 4]> {
    if model.settings.wind.is_none() {
        return Vec::new();
    }
    let bodies = model.bodies.iter().enumerate();
    bodies
        .flat_map(|(material, body)| {
            let range = body.triangles.start as usize..body.triangles.end as usize;
            model.triangles[range].iter().map(move |&[a, b, c]| [a, b, c, material as u32])
        })
        .collect()
}

/// Adds the state of the particles. `multiplicities` says how many constraints share each particle's mass.
pub fn add_particles(
    model: &Model,
    multiplicities: &[f64],
    buffers: &mut Tables,
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
    let columns = ["positions", "velocities", "residuals", "offsets"];
    buffers.gather("particles", p.positions.len() as u32, &columns)?;
    // 1/mass, and how many constraints share it.
    buffers.renew("positions", 3)?;
    buffers.renew("residuals", 3)?;
    buffers.uints("clock", Role::State, vec![0])?;
    let world = Data::Reals(world(&model.settings, 0.0).values());
    buffers.add("world", Element::Real, Role::Uniform, world).map(drop)
}

/// Adds pins that move, let go or give way, and the tracks of pins and colliders. `multiplicities` as for
/// [`add_particles`].
pub fn add_pins(model: &Model, multiplicities: &[f64], buffers: &mut Tables) -> Result<(), ComputeError> {
    let pins = model.pins.iter().map(|pin| {
        [pin.particle, pin.track.unwrap_or(PIN_STILL), if pin.is_rigid() { PIN_RIGID } else { 0 }, pin.axes]
    });
    buffers.uint4s("pins", Role::Model, pins.collect())?;
    let rest = model.pins.iter().flat_map(|pin| {
        let a = pin.anchor;
        let solver_weight = multiplicities[pin.particle as usize] * pin.inverse_mass;
        [[a.x, a.y, a.z, pin.inverse_mass], [pin.release.min(NEVER), pin.compliance, solver_weight, 0.0]]
    });
    buffers.real4s("pin_rest", Role::Model, rest.collect())?;
    buffers.real4s("pin_targets", Role::Scratch, vec![[0.0; 4]; model.pins.len()])?;
    buffers.gather("pins", model.pins.len() as u32, &["pins", "pin_rest", "pin_targets"])?;
    buffers.refer("pins", 1, "particles")?;
    buffers.uint2s("tracks", Role::Model, model.tracks.tracks.clone())?;
    buffers.real4s("track_keys", Role::Model, model.tracks.keys.clone()).map(drop)
}

/// The uniform `world` for these settings, with the clock starting at a time [s].
pub fn world(settings: &Settings, start: f64) -> World<f64> {
    let g = settings.gravity;
    let mut world = World {
        gravity: Vec4::new(g.x, g.y, g.z, 0.0),
        keep: (-settings.damping * settings.substep()).exp().max(SMALLEST_KEEP),
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
