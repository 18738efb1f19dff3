//! What a robot does to soft bodies along a line: a simulation with a capsule that drives.

use super::lines::Lines;
use crate::scene::{Checked, Collider, ColliderShape, Keyframe, Scene};
use crate::{Options, Simulation, SimulationError};
use glam::{DVec2, DVec3};

/// A round robot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Robot {
    /// [m]
    pub radius: f64,
    pub height: f64,
    /// [m/s]; lines are driven no faster than 0.2 m/s, so that bodies follow as if at rest.
    pub speed: f64,
}

/// The fastest along lines [m/s].
const FASTEST: f64 = 0.2;
/// What a scene may not use for its own collider.
const NAME: &str = "the robot of a line";

impl Robot {
    fn collider(&self, floor: f64, at: DVec2) -> Collider {
        let length = (self.height - 2.0 * self.radius).max(0.0);
        let height = floor + self.radius + 0.5 * length + 1e-3;
        Collider {
            name: NAME.into(),
            shape: ColliderShape::Capsule { radius: self.radius, length },
            position: DVec3::new(at.x, height, at.y),
            ..Collider::default()
        }
    }
}

/// The scene with one soft body, if nothing joins it to others, and without what it expects.
pub fn alone(scene: &Checked, body: &str) -> Scene {
    let mut scene = scene.scene().clone();
    (scene.expect, scene.probe) = (None, Vec::new());
    scene.collider.retain(|collider| collider.motion.is_empty());
    let is_apart = scene.attach.is_empty() && scene.seam.is_empty() && scene.joint.is_empty();
    if is_apart && scene.load.is_empty() && scene.tendon.is_empty() {
        scene.cloth.retain(|cloth| cloth.name == body);
        scene.solid.retain(|solid| solid.name == body);
        scene.points.clear();
        scene.rod.clear();
        scene.net.clear();
        scene.rigid.clear();
        scene.other.clear();
    }
    scene
}

/// G of a line, at equal steps along it: the energy above that at rest, where the robot stands before the line, times the way.
pub fn sweep(
    scene: &Scene,
    robot: Robot,
    floor: f64,
    [from, to]: [DVec2; 2],
    steps: u32,
    settle: f64,
    options: &Options,
) -> Result<Vec<f64>, SimulationError> {
    let length = from.distance(to);
    let duration = length / robot.speed.min(FASTEST);
    let mut collider = robot.collider(floor, from);
    let way = DVec3::new(to.x - from.x, 0.0, to.y - from.y);
    let at = |time: f64, offset: DVec3| Keyframe { time, offset, rotation: DVec3::ZERO };
    collider.motion = vec![at(settle.max(1e-3), DVec3::ZERO), at(settle.max(1e-3) + duration, way)];
    let mut scene = scene.clone();
    scene.collider.push(collider);
    scene.duration = settle + duration;
    let dt = scene.time_step;
    let mut simulation = Simulation::new(&scene, options)?;
    let advance = |simulation: &mut Simulation, time: f64| {
        let wanted = (time / dt).round() as u64;
        simulation.advance(wanted.saturating_sub(simulation.steps()) as u32)
    };
    // What is lifted has its energy in its weight: a curtain hardly stretches.
    let energy = |simulation: &mut Simulation| -> Result<f64, SimulationError> {
        let m = simulation.measure()?;
        Ok(m.elastic_energy + m.gravity_energy + m.load_energy)
    };
    advance(&mut simulation, settle)?;
    let rest = energy(&mut simulation)?;
    let (mut costs, mut before) = (vec![0.0], 0.0);
    for k in 1..=steps {
        advance(&mut simulation, settle + duration * f64::from(k) / f64::from(steps))?;
        let above = (energy(&mut simulation)? - rest).max(0.0);
        let last = costs[costs.len() - 1];
        costs.push(last + 0.5 * (before + above) * length / f64::from(steps));
        before = above;
    }
    Ok(costs)
}

/// The mark of what a table was made of: the scene, the robot and the grid.
pub fn fingerprint(scene: &Scene, robot: Robot, lines: &Lines) -> u64 {
    let text = format!(
        "{scene:?} {robot:?} {:?} {} {} {}",
        lines.middle, lines.reach, lines.directions, lines.offsets
    );
    // FNV-1a: the same on every machine and in every version.
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
