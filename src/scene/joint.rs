//! Joints of rigid bodies: what a scene says of them, and what is made of that.

use super::bodies::{label, subject};
use super::error::{SceneError, SceneErrorKind, hint};
use super::{RigidGeometry, Scene, SceneGeometry};
use crate::limits::excerpt;
use glam::{DMat3, DQuat, DVec3};

/// Joins two rigid bodies, or one with the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Unique over joints.
    pub name: String,
    pub kind: JointKind,
    /// Name of the rigid body that it holds.
    pub a: String,
    /// Name of the rigid body that it is held by; the world if empty.
    pub b: String,
    /// The anchor, in the world at the start [m]; by default the centre of mass of `a`.
    pub at: Option<DVec3>,
    /// The anchor on `b` of a distance [m]; by default its centre of mass.
    pub to: Option<DVec3>,
    /// The axis of a hinge or slider, that of a universal joint on `b`, and the one whose angle a ball joint limits.
    pub axis: DVec3,
    /// The axis of a universal joint on `a`, across the other.
    pub second_axis: Option<DVec3>,
    /// Distance that is kept [m]; by default that of the start.
    pub length: Option<f64>,
    /// Of the free coordinate, 0 at the start [degrees or m]; of a distance, its length [m].
    pub limits: Option<[f64; 2]>,
    /// Of a spring [N/m or N m/rad].
    pub stiffness: f64,
    /// [N s/m or N m s/rad].
    pub damping: f64,
    /// Where the spring is at rest [degrees or m].
    pub rest: Option<f64>,
    pub motor: Option<Motor>,
    /// Force at which it breaks [N].
    pub break_force: Option<f64>,
    /// Torque at which it breaks [N m].
    pub break_torque: Option<f64>,
}

/// What a joint leaves free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JointKind {
    /// Rotations.
    #[default]
    Ball,
    /// The rotation about an axis.
    Hinge,
    /// The displacement along an axis.
    Slider,
    /// Rotations about an axis of either body.
    Universal,
    /// Nothing.
    Fixed,
    /// Everything but the distance of two points.
    Distance,
}

impl JointKind {
    /// Whether its free coordinate is an angle.
    pub fn is_angular(self) -> bool {
        !matches!(self, Self::Slider | Self::Distance)
    }
}

/// Drives the free coordinate of a hinge or slider.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motor {
    /// [rad/s or m/s]; with a target, the most.
    pub speed: Option<f64>,
    /// Where it goes [degrees or m].
    pub target: Option<f64>,
    /// The most it pushes with; without speed and target, what it always pushes with [N m or N].
    pub force: Option<f64>,
}

impl Default for Joint {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: JointKind::default(),
            a: String::new(),
            b: String::new(),
            at: None,
            to: None,
            axis: DVec3::Z,
            second_axis: None,
            length: None,
            limits: None,
            stiffness: 0.0,
            damping: 0.0,
            rest: None,
            motor: None,
            break_force: None,
            break_torque: None,
        }
    }
}

/// A joint with its bodies and anchors.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedJoint {
    pub name: String,
    pub kind: JointKind,
    /// Rigid bodies by their numbers: what the joint's coordinate is counted from, none of which is the world, and what moves.
    pub bodies: [Option<u32>; 2],
    /// The anchors from the centres along the principal axes, or in the world [m].
    pub arms: [DVec3; 2],
    /// The joint's axes relative to the principal axes.
    pub axes: [DQuat; 2],
    /// The free coordinate at the start [rad or m].
    pub start: f64,
    /// [N/m or N m/rad].
    pub stiffness: f64,
    /// [N s/m or N m s/rad].
    pub damping: f64,
    /// Of the spring, or the distance that is kept [rad or m].
    pub rest: f64,
    /// [rad or m].
    pub limits: Option<[f64; 2]>,
    pub motor: Option<Motor>,
    /// [N].
    pub break_force: Option<f64>,
    /// [N m].
    pub break_torque: Option<f64>,
}

impl ResolvedJoint {
    /// Whether the last row is a condition of its own: that of a fixed joint, or of a distance that is kept.
    pub fn is_locked(&self) -> bool {
        let gives = self.stiffness > 0.0 || self.damping > 0.0 || self.limits.is_some();
        self.kind == JointKind::Fixed || (self.kind == JointKind::Distance && !gives)
    }
}

type Result<T> = std::result::Result<T, SceneError>;

/// An anchor this many times farther away than its body is large is a mistake.
const REACH: f64 = 1e3;

/// All joints of a scene.
pub(super) fn joints(scene: &Scene, geometry: &SceneGeometry) -> Result<Vec<ResolvedJoint>> {
    let resolve = |(i, joint): (usize, &Joint)| {
        let here = |e: SceneError| e.inside_entry("joint", i, &subject("joint", i, Some(&joint.name)));
        let resolved = joint.resolve(geometry).map_err(here)?;
        Ok(ResolvedJoint { name: label(&joint.name, "joint", i), ..resolved })
    };
    let joints: Vec<ResolvedJoint> = scene.joint.iter().enumerate().map(resolve).collect::<Result<_>>()?;
    for (i, wanted) in scene.expect.iter().flat_map(|expect| &expect.joint).enumerate() {
        if !joints.iter().any(|joint| joint.name == wanted.joint) {
            let hint = hint(&wanted.joint, joints.iter().map(|joint| joint.name.as_str()));
            let message = format!("is \"{}\", and no joint has that name{hint}", excerpt(&wanted.joint));
            let error = SceneError::at(SceneErrorKind::Reference, "joint", message);
            return Err(error.inside_entry("joint", i, &format!("joint {}", i + 1)).inside("expect"));
        }
    }
    Ok(joints)
}

fn refuse<T>(key: &'static str, message: impl std::fmt::Display) -> Result<T> {
    Err(SceneError::at(SceneErrorKind::Reference, key, message))
}

/// A rigid body by its name.
fn find(geometry: &SceneGeometry, key: &'static str, name: &str) -> Result<u32> {
    if let Some(found) = geometry.rigid.iter().position(|body| body.name == name) {
        return Ok(found as u32);
    }
    if geometry.bodies().any(|(known, _)| known == name) {
        return refuse(
            key,
            format!(
                "is \"{}\", which bends; joints hold rigid bodies, and `[[attach]]` ties the others",
                excerpt(name)
            ),
        );
    }
    let hint = hint(name, geometry.rigid.iter().map(|body| body.name.as_str()));
    refuse(key, format!("is \"{}\", and no rigid body has that name{hint}", excerpt(name)))
}

impl Joint {
    fn resolve(&self, geometry: &SceneGeometry) -> Result<ResolvedJoint> {
        let moved = find(geometry, "a", &self.a)?;
        let base = if self.b.is_empty() { None } else { Some(find(geometry, "b", &self.b)?) };
        if base == Some(moved) {
            return refuse("b", "is the same body as `a`; name another one, or leave it out for the world");
        }
        let body = |k: u32| &geometry.rigid[k as usize];
        let at = self.at.unwrap_or(body(moved).positions[0]);
        let to = match self.kind {
            JointKind::Distance => self.to.or(base.map(|k| body(k).positions[0])),
            _ => Some(at),
        };
        let Some(to) = to else {
            return refuse("to", "is missing: the point of the world to which the distance is kept");
        };
        for (key, point, owner) in [("at", at, Some(moved)), ("to", to, base)] {
            let Some(owner) = owner.map(body) else { continue };
            let (far, reach) = (point.distance(owner.positions[0]), 2.0 * owner.reach());
            if far > REACH * reach {
                let message = format!(
                    "is {far} m from the centre of `{}`, whose size is about {reach} m; give the anchor in the world at the start",
                    owner.name
                );
                return refuse(key, message);
            }
        }
        let frame = self.frame()?;
        let seen = |owner: Option<u32>, point: DVec3| match owner.map(body) {
            Some(RigidGeometry { positions, orientation, .. }) => {
                let back = orientation.conjugate();
                (back * (point - positions[0]), (back * frame).normalize())
            }
            None => (point, frame),
        };
        let ((base_arm, base_axes), (arm, axes)) = (seen(base, to), seen(Some(moved), at));
        let start = if self.kind == JointKind::Distance { at.distance(to) } else { 0.0 };
        let unit = |value: f64| if self.kind.is_angular() { value.to_radians() } else { value };
        if self.kind == JointKind::Distance
            && let Some([low, high]) = self.limits
            && (start < low || start > high)
        {
            let message = format!(
                "are {low} to {high} m, and the points start {start} m apart; move them, or the limits"
            );
            return refuse("limits", message);
        }
        let rest = match self.kind {
            JointKind::Distance => self.rest.or(self.length).unwrap_or(start),
            _ => unit(self.rest.unwrap_or(0.0)),
        };
        let motor = self.motor.map(|motor| Motor { target: motor.target.map(unit), ..motor });
        Ok(ResolvedJoint {
            name: self.name.clone(),
            kind: self.kind,
            bodies: [base, Some(moved)],
            arms: [base_arm, arm],
            axes: [base_axes, axes],
            start,
            stiffness: self.stiffness,
            damping: self.damping,
            rest,
            limits: self.limits.map(|limits| limits.map(unit)),
            motor,
            break_force: self.break_force,
            break_torque: self.break_torque,
        })
    }

    /// The joint's axes in the world at the start: the axis, and the second one or one across.
    fn frame(&self) -> Result<DQuat> {
        let x = self.axis.normalize();
        let second = self.second_axis.unwrap_or_else(|| x.any_orthonormal_vector()).normalize();
        let along = second.dot(x);
        if along.abs() > 1e-3 {
            let angle = along.clamp(-1.0, 1.0).acos().to_degrees();
            return refuse(
                "second_axis",
                format!("is {angle:.1} degrees from `axis`; it must be across it, 90 degrees"),
            );
        }
        let y = (second - x * along).normalize();
        Ok(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize())
    }
}
