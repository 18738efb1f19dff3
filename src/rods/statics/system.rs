//! Rods as one energy of positions and orientations, with its slope and its second derivatives.
//!
//! Π = Σ segments + Σ joints − Σ f·x. Positions change by δ, orientations by q ∘ exp φ. The second derivatives come from the
//! laws' own forces, fed with numbers that know their slopes; of a torque's derivatives the symmetric part counts, which is
//! the Hessian of the energy in φ.

use super::envelope::Envelope;
use super::numbering::Unknowns;
use crate::frames::turn;
use crate::math::dual::Dual;
use crate::math::{Lane, Quat, Vec3, Vec4};
use crate::model::Model;
use crate::rods::{corde_joint, corde_segment, strain};
use glam::{DQuat, DVec3};

/// Which energy a segment has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// ½ C·C/α of [`strain`]: what the constraint solvers converge to.
    Constraint,
    /// Stretch and a penalty: CoRdE.
    Corde,
}

/// A segment and its frame.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub particles: [usize; 2],
    pub frame: usize,
    /// l [m].
    pub rest_length: f64,
    /// κ, κ, Kₛ [N].
    pub stiffness: DVec3,
    pub law: Law,
}

/// A joint between two frames.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    pub frames: [usize; 2],
    /// 2 s₀.
    pub rest: DVec3,
    /// K/L [N m].
    pub stiffness: DVec3,
    /// The frames are seen turned by these: how two that are not alike are fixed together.
    pub turns: [DQuat; 2],
}

/// A torque on a frame.
#[derive(Clone, Copy, Debug)]
pub struct Torque {
    pub frame: usize,
    /// In the world, or about the frame's axes if it follows [N m].
    pub value: DVec3,
    /// Whether it turns with the frame.
    pub follows: bool,
}

/// What is held and what is loaded.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub positions: Vec<DVec3>,
    pub orientations: Vec<DQuat>,
    pub free_particles: Vec<bool>,
    pub free_frames: Vec<bool>,
    /// Forces on the particles [N].
    pub forces: Vec<DVec3>,
    /// No energy belongs to them: see [`super::newton`].
    pub torques: Vec<Torque>,
    /// [kg].
    pub masses: Vec<f64>,
    /// About the frames' axes [kg m²].
    pub inertias: Vec<DVec3>,
    pub segments: Vec<Segment>,
    pub joints: Vec<Joint>,
}

impl System {
    /// The rods of a model as it starts, under gravity and the forces and torques at their ends.
    pub fn of_model(model: &Model) -> Self {
        let corde = model.explicit_frames();
        let frames = &model.rods.frames;
        let particles = &model.particles;
        let segments = frames.iter().enumerate().filter(|(_, frame)| !frame.is_wall());
        let joints = frames.iter().enumerate().filter_map(|(k, frame)| frame.joint.map(|joint| (k, joint)));
        let net_joints = model.nets.joints.iter().map(|joint| Joint {
            frames: joint.frames.map(|k| k as usize),
            rest: joint.rest,
            stiffness: joint.compliance.recip(),
            turns: joint.offsets,
        });
        let mut forces: Vec<DVec3> = particles.masses.iter().map(|&m| model.settings.gravity * m).collect();
        let mut turned = Vec::new();
        for rod in &model.rods.rods {
            for load in &rod.loads {
                forces[load.particle as usize] += load.force;
                turned.extend(load.place.map(|place| {
                    let frame = (rod.frames.start + place) as usize;
                    let axes = frames[frame].orientation.conjugate();
                    let value = if load.follows { axes * load.torque } else { load.torque };
                    Torque { frame, value, follows: load.follows }
                }));
            }
        }
        Self {
            positions: particles.positions.clone(),
            orientations: frames.iter().map(|frame| frame.orientation).collect(),
            free_particles: particles.inverse_masses.iter().map(|&w| w > 0.0).collect(),
            free_frames: frames.iter().map(|frame| frame.inverse_inertia.x > 0.0).collect(),
            forces,
            torques: turned,
            masses: particles.masses.clone(),
            inertias: frames.iter().map(|frame| frame.inertia).collect(),
            segments: segments
                .map(|(k, frame)| Segment {
                    particles: frame.particles.map(|p| p as usize),
                    frame: k,
                    rest_length: frame.rest_length,
                    stiffness: frame.rest_length / frame.stretch_compliance,
                    law: if corde.contains(&(k as u32)) { Law::Corde } else { Law::Constraint },
                })
                .collect(),
            joints: joints
                .map(|(k, joint)| Joint {
                    frames: [k, k + 1],
                    rest: joint.rest,
                    stiffness: joint.compliance.recip(),
                    turns: [DQuat::IDENTITY; 2],
                })
                .chain(net_joints)
                .collect(),
        }
    }

    /// Π [J].
    pub fn energy(&self) -> f64 {
        let segments: f64 = self.segments.iter().map(|s| self.segment_energies(s).iter().sum::<f64>()).sum();
        let joints: f64 = self.joints.iter().map(|j| self.joint_energies(j).element_sum()).sum();
        let work: f64 = self.forces.iter().zip(&self.positions).map(|(f, x)| f.dot(*x)).sum();
        segments + joints - work
    }

    /// Stretch, shear or penalty, bending and twist [J].
    pub fn energies(&self) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for segment in &self.segments {
            let [stretch, shear] = self.segment_energies(segment);
            sums[0] += stretch;
            sums[1] += shear;
        }
        for joint in &self.joints {
            let e = self.joint_energies(joint);
            sums[2] += e.x + e.y;
            sums[3] += e.z;
        }
        sums
    }

    /// Stretch, and shear or penalty [J].
    fn segment_energies(&self, s: &Segment) -> [f64; 2] {
        let (d, q, l) = (self.direction(s), self.orientations[s.frame], s.rest_length);
        match s.law {
            Law::Constraint => {
                let c = q.conjugate() * d - l * DVec3::Z;
                let e = 0.5 * s.stiffness / l * c * c;
                [e.z, e.x + e.y]
            }
            Law::Corde => {
                let (strain, aside) = (d.length() / l - 1.0, d.normalize() - q * DVec3::Z);
                [0.5 * l * s.stiffness.z * strain * strain, 0.5 * l * s.stiffness.x * aside.length_squared()]
            }
        }
    }

    fn joint_energies(&self, joint: &Joint) -> DVec3 {
        let c = self.joint_strain(joint);
        0.5 * joint.stiffness * c * c
    }

    /// A torque about the axes of its frame [N m].
    pub(super) fn about_axes(&self, torque: &Torque) -> DVec3 {
        if torque.follows { torque.value } else { self.orientations[torque.frame].conjugate() * torque.value }
    }

    /// The same with all forces and torques multiplied by a factor.
    pub(super) fn loaded(&self, factor: f64) -> Self {
        let forces = self.forces.iter().map(|&force| factor * force).collect();
        let scaled = |torque: &Torque| Torque { value: factor * torque.value, ..*torque };
        let torques = self.torques.iter().map(scaled).collect();
        Self { forces, torques, ..self.clone() }
    }

    /// 2 (s − s₀).
    fn joint_strain(&self, joint: &Joint) -> DVec3 {
        let [a, b] = joint.frames.map(|k| self.orientations[k]);
        let relative = (a * joint.turns[0]).conjugate() * (b * joint.turns[1]);
        relative.xyz() * if relative.w < 0.0 { -2.0 } else { 2.0 } - joint.rest
    }

    fn direction(&self, s: &Segment) -> DVec3 {
        let [i, j] = s.particles.map(|p| self.positions[p]);
        j - i
    }

    /// Force on a held particle or torque on a held frame about its own axes: what its neighbours ask of it [N, N m].
    pub fn reaction_force(&self, particle: usize) -> DVec3 {
        let pulled = self.segments.iter().filter_map(|s| {
            let end = s.particles.iter().position(|&p| p == particle)?;
            let [force, _] = self.segment_loads(s);
            Some(if end == 1 { force } else { -force })
        });
        pulled.sum::<DVec3>() + self.forces[particle]
    }

    pub fn reaction_torque(&self, frame: usize) -> DVec3 {
        let own = self.segments.iter().filter(|s| s.frame == frame).map(|s| self.segment_loads(s)[1]);
        let turned = self.joints.iter().filter_map(|joint| {
            let end = joint.frames.iter().position(|&k| k == frame)?;
            Some(self.joint_loads(joint)[end])
        });
        own.sum::<DVec3>() + turned.sum::<DVec3>()
    }

    pub(super) fn segment_loads(&self, s: &Segment) -> [DVec3; 2] {
        let (force, torque) =
            loads(s, fixed(self.direction(s)), quaternion(self.orientations[s.frame]), fixed(DVec3::ZERO));
        [values(force), values(torque)]
    }

    pub(super) fn joint_loads(&self, joint: &Joint) -> [DVec3; 2] {
        let frames = joint.frames.map(|k| quaternion(self.orientations[k]));
        torques(joint, frames, [fixed(DVec3::ZERO); 2]).map(values)
    }

    /// An empty matrix with room for the second derivatives.
    pub(super) fn envelope(&self, unknowns: &Unknowns) -> Envelope {
        let mut firsts: Vec<usize> = (0..unknowns.count).collect();
        let mut join = |places: &[Option<usize>]| {
            let known = places.iter().flatten().copied();
            let Some(least) = known.clone().min() else { return };
            for row in known.flat_map(|place| place..place + 3) {
                firsts[row] = firsts[row].min(least);
            }
        };
        for s in &self.segments {
            let [i, j] = s.particles.map(|p| unknowns.particles[p]);
            join(&[i, j, unknowns.frames[s.frame]]);
        }
        for joint in &self.joints {
            join(&joint.frames.map(|k| unknowns.frames[k]));
        }
        Envelope::new(firsts)
    }

    /// The slope of Π, and its second derivatives if asked for.
    pub(super) fn derivatives(&self, unknowns: &Unknowns, mut hessian: Option<&mut Envelope>) -> Vec<f64> {
        let mut slope = vec![0.0; unknowns.count];
        for (place, force) in unknowns.particles.iter().zip(&self.forces) {
            if let Some(place) = place {
                (0..3).for_each(|axis| slope[place + axis] -= force[axis]);
            }
        }
        for torque in &self.torques {
            if let Some(place) = unknowns.frames[torque.frame] {
                let value = self.about_axes(torque);
                (0..3).for_each(|axis| slope[place + axis] -= value[axis]);
            }
        }
        let mut add = |terms: &[(Option<usize>, f64, usize)], loads: [Vec3<Dual<6>>; 2]| {
            let rows = [loads[0].x, loads[0].y, loads[0].z, loads[1].x, loads[1].y, loads[1].z];
            for &(place, sign, block) in terms {
                let Some(place) = place else { continue };
                for axis in 0..3 {
                    slope[place + axis] -= sign * rows[3 * block + axis].value;
                }
            }
            let Some(hessian) = hessian.as_deref_mut() else { return };
            for &(one, sign, block) in terms {
                for &(two, other_sign, other) in terms {
                    let (Some(one), Some(two)) = (one, two) else { continue };
                    for (a, b) in (0..9).map(|n| (n / 3, n % 3)).filter(|(a, b)| two + b <= one + a) {
                        let (row, column) = (3 * block + a, 3 * other + b);
                        let even = 0.5 * (rows[row].slopes[column] + rows[column].slopes[row]);
                        hessian.add(one + a, two + b, -sign * other_sign * even);
                    }
                }
            }
        };
        for s in &self.segments {
            let d = variable(self.direction(s), 0);
            let turned = variable(DVec3::ZERO, 3);
            let (force, torque) = loads(s, d, quaternion(self.orientations[s.frame]), turned);
            let [i, j] = s.particles.map(|p| unknowns.particles[p]);
            add(&[(i, -1.0, 0), (j, 1.0, 0), (unknowns.frames[s.frame], 1.0, 1)], [force, torque]);
        }
        for joint in &self.joints {
            let frames = joint.frames.map(|k| quaternion(self.orientations[k]));
            let torques = torques(joint, frames, [variable(DVec3::ZERO, 0), variable(DVec3::ZERO, 3)]);
            let [a, b] = joint.frames.map(|k| unknowns.frames[k]);
            add(&[(a, 1.0, 0), (b, 1.0, 1)], torques);
        }
        slope
    }

    /// The state after a step of the unknowns.
    pub(super) fn moved(&self, unknowns: &Unknowns, step: &[f64], share: f64) -> Self {
        let vector = |place: usize| DVec3::from_slice(&step[place..]) * share;
        let mut next = self.clone();
        for (x, place) in next.positions.iter_mut().zip(&unknowns.particles) {
            *x += place.map_or(DVec3::ZERO, vector);
        }
        for (q, place) in next.orientations.iter_mut().zip(&unknowns.frames) {
            *q = (*q * DQuat::from_scaled_axis(place.map_or(DVec3::ZERO, vector))).normalize();
        }
        next
    }
}

type Number = Dual<6>;

fn fixed(v: DVec3) -> Vec3<Number> {
    Vec3::new(Dual::fixed(v.x), Dual::fixed(v.y), Dual::fixed(v.z))
}

fn variable(v: DVec3, place: usize) -> Vec3<Number> {
    Vec3::new(Dual::variable(v.x, place), Dual::variable(v.y, place + 1), Dual::variable(v.z, place + 2))
}

fn values(v: Vec3<Number>) -> DVec3 {
    DVec3::new(v.x.value, v.y.value, v.z.value)
}

fn quaternion(q: DQuat) -> Vec4<Number> {
    Vec4::new(Dual::fixed(q.x), Dual::fixed(q.y), Dual::fixed(q.z), Dual::fixed(q.w))
}

/// A frame turned by φ/2 as a Gibbs vector, which is φ to first order.
fn half(turn: Vec3<Number>) -> Vec3<Number> {
    turn * Dual::fixed(0.5)
}

/// Force on the far end and torque on the frame.
fn loads(
    s: &Segment,
    d: Vec3<Number>,
    q: Vec4<Number>,
    turned: Vec3<Number>,
) -> (Vec3<Number>, Vec3<Number>) {
    let rotation: Quat<Number> = turn::rotation(q, half(turned));
    let length = Dual::fixed(s.rest_length);
    match s.law {
        Law::Corde => {
            let moduli = [s.stiffness.z, s.stiffness.x, 0.0].map(Dual::fixed);
            corde_segment::loads(d, Vec3::ZERO, rotation, length, moduli)
        }
        Law::Constraint => {
            let local = rotation.conjugate().rotate(d);
            let strain = local - Vec3::new(Dual::ZERO, Dual::ZERO, length);
            let stress = strain.scaled(fixed(s.stiffness / s.rest_length));
            (-rotation.rotate(stress), local.cross(stress))
        }
    }
}

/// Torques on both frames.
fn torques(joint: &Joint, frames: [Vec4<Number>; 2], turned: [Vec3<Number>; 2]) -> [Vec3<Number>; 2] {
    // q exp(φ) t = q t exp(t̄ φ): a frame seen turned turns about turned axes.
    let seen = |end: usize| turn::product(frames[end], quaternion(joint.turns[end]));
    let turn = |end: usize| Quat::from_vec4(quaternion(joint.turns[end]));
    let about = |end: usize| half(turn(end).conjugate().rotate(turned[end]));
    let relative = strain::relative([seen(0), seen(1)], [about(0), about(1)]);
    let [first, second] = corde_joint::torques(
        relative,
        [Vec3::ZERO; 2],
        fixed(joint.rest),
        fixed(joint.stiffness),
        Dual::ZERO,
    );
    [turn(0).rotate(first), turn(1).rotate(second)]
}
