//! Loads over time by the model's numbers, each particle with its share.

use crate::model::Model;
use crate::model::loadings::{EnclosedGas, Loading, PointForce, Pressure, Tendon};
use crate::scene::{LoadedParticle, ResolvedLoad};
use glam::DVec3;

pub(super) fn of(loads: &[ResolvedLoad], model: &Model) -> Vec<Loading> {
    let number = |old: u32| model.order.new_of_old[old as usize];
    let of_load = |load: &ResolvedLoad| {
        let mass = |loaded: &LoadedParticle| model.particles.masses[number(loaded.particle) as usize];
        let whole: f64 = load.particles.iter().map(mass).sum();
        let forces = load.particles.iter().map(|loaded| {
            let force = load.force * loaded.share.unwrap_or_else(|| mass(loaded) / whole);
            let along = |axes: [DVec3; 3]| DVec3::from_array(axes.map(|axis| axis.dot(force)));
            PointForce {
                particle: number(loaded.particle),
                force: loaded.follows.map_or(force, |(_, axes)| along(axes)),
                follows: loaded.follows.map(|(ends, _)| ends.map(number)),
            }
        });
        let enclosed =
            load.gas.map(|(gas, volume)| EnclosedGas { volume, ambient: gas.ambient, leak: gas.leak });
        let pressure = load.pressure.as_ref().map(|(pressure, triangles)| Pressure {
            triangles: triangles.iter().map(|t| t.map(number)).collect(),
            pressure: *pressure,
            gas: enclosed,
        });
        let tendon = load.tendon.as_ref().map(|tendon| Tendon {
            points: tendon.points.iter().map(|&p| number(p)).collect(),
            tension: tendon.tension,
            friction: tendon.friction,
        });
        Loading {
            name: load.name.clone(),
            keys: load.keys.clone(),
            forces: forces.collect(),
            pressure,
            tendon,
        }
    };
    loads.iter().map(of_load).collect()
}
