//! What a state of rods amounts to, in f64.

pub use crate::model::frames::FrameState;

use crate::model::Model;
use crate::model::rods::{Frame, Joint};
use crate::step::{Computed, Field, Shown, Values};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// What colours show of rods and nets. Files have their energies segment by segment.
pub static FIELDS: &[Field] = &[
    field("stretch", "stretch", "J/m", |model, shown| {
        particle_stretch_energies(model, shown.positions, shown.orientations)
    }),
    field("bend", "bending", "J/m", |model, shown| particle_energies(model, shown.orientations, |e| e.bend)),
    field("twist", "twist", "J/m", |model, shown| particle_energies(model, shown.orientations, |e| e.twist)),
    field("frame", "turn of frames", "°", |model, shown| frame_turns(model, shown.orientations)),
    field("misalignment", "frame against segment", "°", |model, shown| {
        particle_misalignments(model, shown.positions, shown.orientations)
    }),
];

const fn field(
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    values: fn(&Model, &Shown<'_>) -> Vec<f64>,
) -> Field {
    let is_there = |model: &Model| !model.rods.frames.is_empty();
    Field { name, title, unit, values: Values::Computed(Computed { is_there, values, in_files: None }) }
}

/// Energies of rods by what stores them [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RodEnergies {
    pub stretch: f64,
    pub shear: f64,
    pub bend: f64,
    /// The share of `bend` about the first and about the second axis of the section.
    pub bend_axes: [f64; 2],
    pub twist: f64,
    /// Kinetic energy of the frames' spins.
    pub spin: f64,
}

impl RodEnergies {
    /// What is stored elastically [J].
    pub fn elastic(&self) -> f64 {
        self.stretch + self.shear + self.bend + self.twist
    }

    /// By what a joint stores about the three axes of its section.
    fn of_joint(stored: DVec3) -> Self {
        let DVec3 { x, y, z } = stored;
        Self { bend: x + y, bend_axes: [x, y], twist: z, ..Self::default() }
    }

    /// Adds what a joint stores.
    fn add_joint(&mut self, joint: &Self) {
        self.bend += joint.bend;
        self.twist += joint.twist;
        self.bend_axes[0] += joint.bend_axes[0];
        self.bend_axes[1] += joint.bend_axes[1];
    }
}

/// How far the frames of rods are from what the laws are made for [rad].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RodAngles {
    /// The largest angle between a segment and the third axis of its frame.
    pub misalignment: f64,
    /// The largest angle between two neighbouring frames, that at rest included.
    pub joint: f64,
}

/// (shear, shear, stretch) of a frame's segment, in its axes [m].
pub fn segment_strain(frame: &Frame, positions: &[DVec3], orientation: DQuat) -> DVec3 {
    let [a, b] = frame.particles.map(|p| positions[p as usize]);
    orientation.conjugate() * (b - a) - frame.rest_length * DVec3::Z
}

/// 2 (s − s₀) of the joint between two frames: bending, bending, twist [rad].
pub fn joint_strain(rest: DVec3, first: DQuat, second: DQuat) -> DVec3 {
    let relative = first.conjugate() * second;
    2.0 * relative.xyz() * if relative.w < 0.0 { -1.0 } else { 1.0 } - rest
}

/// C·C/2α, component by component.
fn stored(strain: DVec3, compliance: DVec3) -> DVec3 {
    0.5 * strain * strain / compliance
}

/// Of a segment whose frame is kept along it by a penalty: that (l/2) κ |t − d₃|², and stretch (l/2) Kₛ (|d|/l − 1)² [J].
fn corde_energies(frame: &Frame, positions: &[DVec3], orientation: DQuat) -> (f64, f64) {
    let [a, b] = frame.particles.map(|p| positions[p as usize]);
    let (d, l) = (b - a, frame.rest_length);
    let stiffness = l / frame.stretch_compliance;
    let aside = d.normalize_or(orientation * DVec3::Z) - orientation * DVec3::Z;
    let strain = d.length() / l - 1.0;
    (0.5 * l * stiffness.x * aside.length_squared(), 0.5 * l * stiffness.z * strain * strain)
}

/// Elastic energies of each frame: (stretch and shear, bending, twist) of its segment and the joint after it [J]. A joint of
/// a net counts for the second of its frames.
pub fn frame_energies(model: &Model, positions: &[DVec3], orientations: &[DQuat]) -> Vec<RodEnergies> {
    let frames = &model.rods.frames;
    let explicit = model.explicit_frames();
    let mut all: Vec<RodEnergies> = (0..frames.len())
        .map(|k| {
            let mut energies = RodEnergies::default();
            if explicit.contains(&(k as u32)) && !frames[k].is_wall() {
                (energies.shear, energies.stretch) = corde_energies(&frames[k], positions, orientations[k]);
            } else if !frames[k].is_wall() {
                let strain = segment_strain(&frames[k], positions, orientations[k]);
                let e = stored(strain, frames[k].stretch_compliance);
                (energies.shear, energies.stretch) = (e.x + e.y, e.z);
            }
            if let Some(joint) = frames[k].joint {
                energies.add_joint(&joint_energies(&joint, orientations[k], orientations[k + 1]));
            }
            energies
        })
        .collect();
    for (joint, energies) in model.nets.joints.iter().zip(net_energies(model, orientations)) {
        all[joint.frames[1] as usize].add_joint(&energies);
    }
    all
}

/// Bending and twist energy of the joint between two frames [J].
fn joint_energies(joint: &Joint, first: DQuat, second: DQuat) -> RodEnergies {
    let e = stored(joint_strain(joint.rest, first, second), joint.compliance);
    RodEnergies::of_joint(e)
}

/// Bending and twist energies of the joints of nets [J].
fn net_energies<'a>(model: &'a Model, orientations: &'a [DQuat]) -> impl Iterator<Item = RodEnergies> + 'a {
    model.nets.joints.iter().map(|joint| {
        let e = stored(joint.strain(joint.frames.map(|k| orientations[k as usize])), joint.compliance);
        RodEnergies::of_joint(e)
    })
}

/// Energies of all rods, their frames' angular momentum [kg m²/s] and the largest stretch of a segment.
pub fn measure_rods(model: &Model, positions: &[DVec3], state: &FrameState) -> (RodEnergies, DVec3, f64) {
    let mut total = RodEnergies::default();
    for e in frame_energies(model, positions, &state.orientations) {
        total.stretch += e.stretch;
        total.shear += e.shear;
        total.add_joint(&e);
    }
    let (mut momentum, mut max_stretch) = (DVec3::ZERO, 0.0f64);
    for (frame, (&q, &spin)) in model.rods.frames.iter().zip(state.orientations.iter().zip(&state.spins)) {
        total.spin += 0.5 * (frame.inertia * spin).dot(spin);
        momentum += q * (frame.inertia * spin);
        if !frame.is_wall() {
            max_stretch = max_stretch.max(length_strain(frame, positions));
        }
    }
    (total, momentum, max_stretch)
}

/// The largest angles of all rods and nets.
pub fn rod_angles(model: &Model, positions: &[DVec3], orientations: &[DQuat]) -> RodAngles {
    let frames = &model.rods.frames;
    let mut angles = RodAngles::default();
    for (frame, &q) in frames.iter().zip(orientations).filter(|(frame, _)| !frame.is_wall()) {
        angles.misalignment = angles.misalignment.max(misalignment(frame, positions, q));
    }
    for (frame, pair) in frames.iter().zip(orientations.windows(2)) {
        if let Some(joint) = frame.joint {
            let strain = joint_strain(joint.rest, pair[0], pair[1]) + joint.rest;
            angles.joint = angles.joint.max(angle_of(strain));
        }
    }
    for joint in &model.nets.joints {
        let strain = joint.strain(joint.frames.map(|k| orientations[k as usize])) + joint.rest;
        angles.joint = angles.joint.max(angle_of(strain));
    }
    angles
}

/// The angle between a segment and the third axis of its frame [rad].
fn misalignment(frame: &Frame, positions: &[DVec3], orientation: DQuat) -> f64 {
    let [a, b] = frame.particles.map(|p| positions[p as usize]);
    let (along, axis) = (b - a, orientation * DVec3::Z);
    // Of a small angle the cosine says little.
    axis.cross(along).length().atan2(axis.dot(along))
}

/// The angle of 2 s, twice the vector part of a unit quaternion [rad].
fn angle_of(strain: DVec3) -> f64 {
    2.0 * (0.5 * strain.length()).min(1.0).asin()
}

/// The largest angle between the segments at each particle and their frames [degrees], for colouring; 0 without a rod.
pub fn particle_misalignments(model: &Model, positions: &[DVec3], orientations: &[DQuat]) -> Vec<f64> {
    let mut values = vec![0.0f64; positions.len()];
    for (frame, &q) in model.rods.frames.iter().zip(orientations).filter(|(frame, _)| !frame.is_wall()) {
        let angle = misalignment(frame, positions, q).to_degrees();
        for p in frame.particles {
            values[p as usize] = values[p as usize].max(angle);
        }
    }
    values
}

/// |xⱼ − xᵢ|/l − 1.
fn length_strain(frame: &Frame, positions: &[DVec3]) -> f64 {
    let [a, b] = frame.particles.map(|p| positions[p as usize]);
    a.distance(b) / frame.rest_length - 1.0
}

/// Raises the strains of particles to those of the rods' segments, for colouring.
pub fn add_segment_strains(model: &Model, positions: &[DVec3], strains: &mut [f64]) {
    for frame in model.rods.frames.iter().filter(|frame| !frame.is_wall()) {
        let strain = length_strain(frame, positions).abs();
        for p in frame.particles {
            strains[p as usize] = strains[p as usize].max(strain);
        }
    }
}

/// An elastic energy per length of the joints at each particle, the largest one [J/m]; 0 where there is none.
pub fn particle_energies(model: &Model, orientations: &[DQuat], pick: fn(&RodEnergies) -> f64) -> Vec<f64> {
    let mut values = vec![0.0f64; model.particle_count()];
    let mut raise = |particle: u32, density: f64| {
        let value = &mut values[particle as usize];
        *value = value.max(density);
    };
    for (frame, pair) in model.rods.frames.iter().zip(orientations.windows(2)) {
        if let Some(joint) = frame.joint {
            raise(frame.particles[1], pick(&joint_energies(&joint, pair[0], pair[1])) / joint.length);
        }
    }
    for (joint, energy) in model.nets.joints.iter().zip(net_energies(model, orientations)) {
        raise(joint.particle, pick(&energy) / joint.length);
    }
    values
}

/// The stretch and shear energy per length of the segments at each particle, the larger one [J/m]; 0 where there is none.
pub fn particle_stretch_energies(model: &Model, positions: &[DVec3], orientations: &[DQuat]) -> Vec<f64> {
    let mut values = vec![0.0f64; positions.len()];
    let energies = frame_energies(model, positions, orientations);
    for (frame, energy) in model.rods.frames.iter().zip(&energies).filter(|(frame, _)| !frame.is_wall()) {
        let density = (energy.stretch + energy.shear) / frame.rest_length;
        for p in frame.particles {
            values[p as usize] = values[p as usize].max(density);
        }
    }
    values
}

/// By how much the material frames of rods are turned about their tangents [degrees], at each particle: against the frame
/// that is carried from the rod's start without twist. 0 without a rod.
pub fn frame_turns(model: &Model, orientations: &[DQuat]) -> Vec<f64> {
    let mut turns = vec![0.0; model.particle_count()];
    for rod in &model.rods.rods {
        let mut carried: Option<DQuat> = None;
        let mut turn = 0.0f64;
        for k in rod.frames.clone().map(|k| k as usize) {
            let (frame, q) = (&model.rods.frames[k], orientations[k]);
            if frame.is_wall() {
                continue;
            }
            let free = carried
                .map_or(q, |before| DQuat::from_rotation_arc(before * DVec3::Z, q * DVec3::Z) * before);
            let across = free.conjugate() * (q * DVec3::X);
            let angle = across.y.atan2(across.x);
            turn = angle + TAU * ((turn - angle) / TAU).round();
            carried = Some(free);
            for p in frame.particles {
                turns[p as usize] = turn.to_degrees();
            }
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    /// A rod that is twisted by two turns shows 720 degrees at its end, and its frames at rest show none.
    #[test]
    fn frames_count_their_turns() {
        let text = "format = 1\n[[rod]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 40\n";
        let model = Model::new(&Scene::parse(text, "test", "").unwrap()).unwrap();
        let rest: Vec<DQuat> = model.rods.frames.iter().map(|frame| frame.orientation).collect();
        assert!(frame_turns(&model, &rest).iter().all(|turn| turn.abs() < 1e-9));
        let last = (rest.len() - 1) as f64;
        let twisted: Vec<DQuat> = rest
            .iter()
            .enumerate()
            .map(|(k, q)| *q * DQuat::from_rotation_z(2.0 * TAU * k as f64 / last))
            .collect();
        let most = frame_turns(&model, &twisted).into_iter().fold(0.0, f64::max);
        assert!((most - 720.0).abs() < 1e-6, "{most} degrees");
    }
}
