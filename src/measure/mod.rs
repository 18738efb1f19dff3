//! What a state amounts to: energies, momenta, speeds and strains, computed on the host in f64.

pub mod expectations;
pub mod fields;

use crate::cloth::sheets;
use crate::model::Model;
use crate::rods::measure as rod_measure;
use crate::rods::measure::{FrameState, RodAngles, RodEnergies};
use crate::solids::measure as solid_measure;
use glam::DVec3;

/// Scalars of one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// [J].
    pub kinetic_energy: f64,
    /// Weight times height above the origin [J].
    pub gravity_energy: f64,
    /// Energy of all compliant constraints [J]; rigid ones store none.
    pub elastic_energy: f64,
    /// The share of rods in the energies above, by what stores it.
    pub rods: RodEnergies,
    /// The largest angles within rods.
    pub rod_angles: RodAngles,
    /// The potential of the constant forces that pull at solids, 0 where those start: the work of the forces so far, negative [J].
    pub load_energy: f64,
    /// Of magnets in the scene's field and in each other's [J].
    pub magnetic_energy: f64,
    /// [kg m/s].
    pub momentum: DVec3,
    /// About the origin [kg m²/s].
    pub angular_momentum: DVec3,
    /// About the centre of mass [kg m²/s].
    pub spin: DVec3,
    /// The centre of mass [m].
    pub centre: DVec3,
    /// [m/s].
    pub max_speed: f64,
    /// Largest strain of a link that resists tension, of a triangle along its threads, or of a tetrahedron.
    pub max_stretch: f64,
    /// Largest compression of a tetrahedron: 1 where it is flat, more where it is inside out.
    pub max_compression: f64,
    /// Tetrahedra that are inside out or flat.
    pub inverted: u32,
    /// How often inverted tetrahedra have changed the stretch along which they are inverted, since the start.
    pub switches: u64,
    /// Strain by which the worst triangle is beyond its limits; 0 within.
    pub limit_violation: f64,
    /// Lowest and highest y of any particle [m].
    pub lowest: f64,
    pub highest: f64,
}

impl Measures {
    /// Kinetic, gravity, load, elastic and magnetic energy [J].
    pub fn energy(&self) -> f64 {
        self.kinetic_energy
            + self.gravity_energy
            + self.load_energy
            + self.elastic_energy
            + self.magnetic_energy
    }

    /// Adds the energy [J] and angular momentum [kg m²/s] of what turns about its own centre.
    pub fn add_spins(&mut self, (energy, momentum): (f64, DVec3)) {
        self.kinetic_energy += energy;
        self.angular_momentum += momentum;
        self.spin += momentum;
    }

    /// Adds what the frames of rods hold.
    pub fn add_rods(&mut self, model: &Model, positions: &[DVec3], frames: &FrameState) {
        let (rods, momentum, stretch) = rod_measure::measure_rods(model, positions, frames);
        self.kinetic_energy += rods.spin;
        self.elastic_energy += rods.elastic();
        self.angular_momentum += momentum;
        self.spin += momentum;
        self.max_stretch = self.max_stretch.max(stretch);
        self.rods = rods;
        self.rod_angles = rod_measure::rod_angles(model, positions, &frames.orientations);
    }
}

/// Measures a state given in the model's numbering. Particles of no inverse mass, which are held, carry no energy and no
/// momentum.
pub fn measure(model: &Model, positions: &[DVec3], velocities: &[DVec3], inverse_masses: &[f64]) -> Measures {
    let mut m = Measures { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, ..Measures::default() };
    let particles = positions.iter().zip(velocities).zip(&model.particles.masses);
    let mut total = 0.0;
    for (((x, v), &mass), &w) in particles.zip(inverse_masses) {
        m.lowest = m.lowest.min(x.y);
        m.highest = m.highest.max(x.y);
        if w > 0.0 {
            m.kinetic_energy += 0.5 * mass * v.length_squared();
            m.gravity_energy -= mass * model.settings.gravity.dot(*x);
            total += mass;
            m.centre += mass * *x;
            m.momentum += mass * *v;
            m.angular_momentum += mass * x.cross(*v);
            m.max_speed = m.max_speed.max(v.length());
        }
    }
    if total > 0.0 {
        m.centre /= total;
    }
    m.spin = m.angular_momentum - m.centre.cross(m.momentum);
    let way = |particle: u32| positions[particle as usize] - model.particles.positions[particle as usize];
    m.load_energy = 0.0 - model.loads.iter().map(|&(particle, force)| force.dot(way(particle))).sum::<f64>();
    let solids = solid_measure::summary(model, positions);
    m.elastic_energy = elastic_energy(model, positions) + sheets::energy(model, positions) + solids.energy;
    m.inverted = solids.inverted;
    m.max_compression = 1.0 - solids.smallest_stretch;
    let sheets = sheets::strains(model, positions).map(|(_, [weft, warp, _])| weft.max(warp));
    m.limit_violation = sheets::largest_violation(model, positions);
    m.max_stretch = link_strains(model, positions).chain(sheets).fold(solids.largest_strain, f64::max);
    m
}

fn elastic_energy(model: &Model, positions: &[DVec3]) -> f64 {
    let mut energy = 0.0;
    fields::constraint_energies(model, positions, |_, stored| energy += stored);
    energy
}

/// The strain of every link that resists tension.
fn link_strains<'a>(model: &'a Model, positions: &'a [DVec3]) -> impl Iterator<Item = f64> + 'a {
    model.elements.iter().flat_map(|elements| &elements.links).filter_map(|link| {
        let [a, b] = link.ends.map(|p| positions[p as usize]);
        (model.materials[link.material as usize][0] >= 0.0).then(|| a.distance(b) / link.rest_length - 1.0)
    })
}

/// The largest strain, of either sign, of the links and triangles at each particle, for colouring; 0 without any.
pub fn particle_strains(model: &Model, positions: &[DVec3]) -> Vec<f64> {
    let mut strains = vec![0.0f64; positions.len()];
    for link in model.elements.iter().flat_map(|elements| &elements.links) {
        // Tethers and other links that are slack on one side say nothing about the material.
        if model.materials[link.material as usize].iter().any(|&alpha| alpha < 0.0) {
            continue;
        }
        let [a, b] = link.ends.map(|p| positions[p as usize]);
        let strain = (a.distance(b) / link.rest_length - 1.0).abs();
        for p in link.ends {
            strains[p as usize] = strains[p as usize].max(strain);
        }
    }
    rod_measure::add_segment_strains(model, positions, &mut strains);
    for body in 0..model.bodies.len() {
        for (tet, state) in solid_measure::states(model, body, positions) {
            let strain = state.stretches.iter().fold(0.0f64, |largest, s| largest.max((s - 1.0).abs()));
            for p in tet.particles {
                strains[p as usize] = strains[p as usize].max(strain);
            }
        }
    }
    for (particles, strain) in sheets::strains(model, positions) {
        let strain = strain.into_iter().fold(0.0f64, |largest, s| largest.max(s.abs()));
        for p in particles {
            strains[p as usize] = strains[p as usize].max(strain);
        }
    }
    strains
}
