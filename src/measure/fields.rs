//! Values at particles that colours show: energies, stresses and how rods' frames are turned. On the host, in f64.

use super::particle_strains;
use crate::cloth::hinges::dihedral_angle;
use crate::model::Model;
use crate::rods::measure::{frame_energies, segment_strain};
use crate::solids::measure::states;
use crate::step::{Computed, Field, Shown, Values};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// What colours show of all families together.
pub static FIELDS: &[Field] = &[
    field("velocity", "speed", "m/s", None, |_, shown| shown.velocities.iter().map(|v| v.length()).collect()),
    field("strain", "strain", "%", Some("strain"), |model, shown| particle_strains(model, shown.positions)),
    field("stress", "stress", "Pa", None, |model, shown| {
        stresses(model, shown.positions, shown.orientations)
    }),
    field("energy", "elastic energy", "J/kg", None, |model, shown| {
        energy_densities(model, shown.positions, shown.orientations)
    }),
];

const fn field(
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    in_files: Option<&'static str>,
    values: fn(&Model, &Shown<'_>) -> Vec<f64>,
) -> Field {
    Field { name, title, unit, values: Values::Computed(Computed { is_there: |_| true, values, in_files }) }
}

/// C²/2α for a compliant constraint.
fn stored(c: f64, compliance: f64) -> f64 {
    if compliance > 0.0 { 0.5 * c * c / compliance } else { 0.0 }
}

/// Tells the particles of every compliant constraint and its energy [J].
pub fn constraint_energies(model: &Model, positions: &[DVec3], mut tell: impl FnMut(&[u32], f64)) {
    let x = |particle: u32| positions[particle as usize];
    for elements in &model.elements {
        for link in &elements.links {
            let c = x(link.ends[0]).distance(x(link.ends[1])) - link.rest_length;
            let [stretched, compressed] = model.materials[link.material as usize];
            tell(&link.ends, stored(c, link.factor * if c > 0.0 { stretched } else { compressed }));
        }
        for hinge in &elements.hinges {
            let c = dihedral_angle(hinge.particles.map(x)) - hinge.rest_angle;
            tell(&hinge.particles, stored(c - TAU * (c / TAU).round(), hinge.compliance));
        }
        for hinge in &elements.isometric {
            let c: DVec3 = hinge.particles.iter().zip(hinge.weights).map(|(&p, k)| k * x(p)).sum();
            tell(&hinge.particles, stored(c.length(), hinge.compliance));
        }
        for area in &elements.areas {
            let [a, b, c] = area.particles.map(x);
            let change = 0.5 * (b - a).cross(c - a).length() - area.rest_area;
            tell(&area.particles, stored(change, area.compliance));
        }
        for volume in &elements.volumes {
            let [a, b, c, d] = volume.particles.map(x);
            let change = (b - a).cross(c - a).dot(d - a) / 6.0 - volume.rest_volume;
            tell(&volume.particles, stored(change, volume.compliance));
        }
    }
    for (tie, energy) in model.joins.energies(positions) {
        let corners: Vec<u32> = tie.corners.iter().map(|corner| corner.0).collect();
        tell(&corners, energy);
    }
}

/// Elastic energy at each particle over its mass [J/kg]: elements share theirs equally among their particles.
pub fn energy_densities(model: &Model, positions: &[DVec3], orientations: &[DQuat]) -> Vec<f64> {
    let mut energies = vec![0.0; positions.len()];
    let mut share = |particles: &[u32], energy: f64| {
        for &p in particles {
            energies[p as usize] += energy / particles.len() as f64;
        }
    };
    constraint_energies(model, positions, &mut share);
    let x = |particle: u32| positions[particle as usize];
    for elements in &model.elements {
        for membrane in &elements.membranes {
            let fabric = &model.fabrics[membrane.fabric as usize];
            share(&membrane.particles, membrane.energy(fabric, membrane.particles.map(x)));
        }
        for fold in &elements.folds {
            share(&fold.particles, fold.energy(fold.particles.map(x)));
        }
    }
    for body in 0..model.bodies.len() {
        states(model, body, positions).for_each(|(tet, state)| share(&tet.particles, state.energy));
    }
    for (frame, energy) in model.rods.frames.iter().zip(frame_energies(model, positions, orientations)) {
        share(&frame.particles, energy.elastic());
    }
    energies.iter().zip(&model.particles.masses).map(|(e, m)| if *m > 0.0 { e / m } else { 0.0 }).collect()
}

/// The largest stress of the elements at each particle, of either sign [Pa].
///
/// Von Mises' of solids; otherwise force over cross-section: of sheets per width over their thickness, of links and rods over the disc of the body's
/// radius. What does not give (compliance 0) has no strain to tell its stress from, and shows none.
pub fn stresses(model: &Model, positions: &[DVec3], orientations: &[DQuat]) -> Vec<f64> {
    let mut stresses = vec![0.0f64; positions.len()];
    let mut raise = |particles: &[u32], stress: f64| {
        for &p in particles.iter().filter(|_| stress.is_finite()) {
            stresses[p as usize] = stresses[p as usize].max(stress.abs());
        }
    };
    let x = |particle: u32| positions[particle as usize];
    let thickness = |particle: u32| 2.0 * model.particles.radii[particle as usize];
    for (body, elements) in model.bodies.iter().zip(&model.elements) {
        for link in &elements.links {
            let c = x(link.ends[0]).distance(x(link.ends[1])) - link.rest_length;
            let [stretched, compressed] = model.materials[link.material as usize];
            let compliance = if c > 0.0 { stretched } else { compressed };
            if compliance <= 0.0 {
                continue;
            }
            let stress = if body.radius > 0.0 {
                c / (link.factor * compliance) / disc(body.radius)
            } else {
                // The link stands for a strip of width L / factor.
                c / link.rest_length / compliance / thickness(link.ends[0])
            };
            raise(&link.ends, stress);
        }
        for membrane in &elements.membranes {
            let [e1, e2, e12] = membrane.strains(membrane.particles.map(x));
            let [a11, a22, a12, g] = model.fabrics[membrane.fabric as usize].moduli();
            let per_width = [a11 * e1 + a12 * e2, a12 * e1 + a22 * e2, 2.0 * g * e12];
            let largest = per_width.into_iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            raise(&membrane.particles, largest / thickness(membrane.particles[0]));
        }
    }
    for body in 0..model.bodies.len() {
        states(model, body, positions).for_each(|(tet, state)| raise(&tet.particles, state.von_mises));
    }
    let frames = model.rods.frames.iter().zip(orientations).zip(frame_radii(model));
    for ((frame, q), radius) in frames.filter(|((frame, _), radius)| !frame.is_wall() && *radius > 0.0) {
        let strain = segment_strain(frame, positions, *q);
        raise(&frame.particles, strain.z / frame.stretch_compliance.z / disc(radius));
    }
    stresses
}

/// [m²].
pub fn disc(radius: f64) -> f64 {
    PI * radius * radius
}

/// The radius of the segment of each frame of a rod or a net [m]; 0 where there is none.
pub fn frame_radii(model: &Model) -> Vec<f64> {
    let mut radii = vec![0.0; model.rods.frames.len()];
    for rod in &model.rods.rods {
        let range = rod.frames.start as usize..rod.frames.end as usize;
        radii[range].fill(model.bodies[rod.body as usize].radius);
    }
    let first = model.nets.first_frame() as usize;
    radii.iter_mut().skip(first).zip(&model.nets.radii).for_each(|(radius, net)| *radius = *net);
    radii
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::measure;
    use crate::scene::Scene;

    fn model(text: &str) -> Model {
        Model::new(&Scene::parse(&format!("format = 1\n{text}"), "test", "").unwrap()).unwrap()
    }

    /// Whatever is shared among particles adds up to the energy that is measured.
    #[test]
    fn densities_add_up_to_the_energy() {
        let model = model("[[cloth]]\ngrid = { size = [1, 1], cells = [4, 4] }\n");
        let stretched: Vec<DVec3> =
            model.particles.positions.iter().map(|x| *x * DVec3::new(1.1, 1.0, 1.0)).collect();
        let none = vec![DVec3::ZERO; stretched.len()];
        let whole = measure(&model, &stretched, &none, &model.particles.inverse_masses).elastic_energy;
        let parts = energy_densities(&model, &stretched, &[]);
        let sum: f64 = parts.iter().zip(&model.particles.masses).map(|(e, m)| e * m).sum();
        assert!(whole > 1.0 && (sum / whole - 1.0).abs() < 1e-12, "{sum} J, not {whole} J");
    }

    /// A sheet of 1000 N/m and 1 mm stretched by 10 % bears 100 N/m, 100 kPa.
    #[test]
    fn a_stretched_sheet_bears_its_stiffness_times_its_strain() {
        let model = model(
            "[[cloth]]\ngrid = { size = [1, 1], cells = [4, 4] }\nthickness = 0.001\n\
             stretch_stiffness = 1000\nshear_stiffness = 0.001\n",
        );
        let stretched: Vec<DVec3> =
            model.particles.positions.iter().map(|x| *x * DVec3::new(1.1, 1.0, 1.0)).collect();
        let most = stresses(&model, &stretched, &[]).into_iter().fold(0.0, f64::max);
        assert!((most / 1e5 - 1.0).abs() < 1e-6, "{most} Pa");
    }
}
