//! A room, a robot and how to plan: `room.toml`, and tables of lines beside it.

use super::lines::Lines;
use super::roadmap::{Roadmap, Sampling};
use super::room::{Room, obstacles};
use super::sweep::{Robot, alone, fingerprint, sweep};
use crate::limits;
use crate::scene::{Checked, SceneError};
use crate::scenes;
use crate::{Options, SimulationError};
use glam::DVec2;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Why there is no path.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("{}: {message}", file.display())]
    File { file: PathBuf, message: String },
    #[error("{}: {key}: {message}", file.display())]
    Key { file: PathBuf, key: &'static str, message: String },
    #[error("{}: scene: {error}", file.display())]
    Scene { file: PathBuf, error: Box<SceneError> },
    #[error("driving through `{body}`, line {line}: {error}")]
    Simulation { body: String, line: u32, error: Box<SimulationError> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    format: u32,
    scene: String,
    robot: RobotKeys,
    plan: PlanKeys,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RobotKeys {
    radius: f64,
    height: f64,
    #[serde(default = "slow")]
    speed: f64,
}

fn slow() -> f64 {
    0.2
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PlanKeys {
    low: [f64; 2],
    high: [f64; 2],
    floor: f64,
    soft: Vec<String>,
    samples: u32,
    neighbours: u32,
    trade_off: f64,
    cost_unit: f64,
    directions: u32,
    offsets: u32,
    settle: f64,
}

impl Default for PlanKeys {
    fn default() -> Self {
        Self {
            low: [0.0; 2],
            high: [0.0; 2],
            floor: 0.0,
            soft: Vec::new(),
            samples: 600,
            neighbours: 12,
            trade_off: 0.5,
            cost_unit: 1.0,
            directions: 16,
            offsets: 15,
            settle: 1.0,
        }
    }
}

/// A room ready to be planned in.
pub struct PlanFile {
    file: PathBuf,
    scene: Checked,
    pub robot: Robot,
    pub room: Room,
    pub sampling: Sampling,
    pub trade_off: f64,
    /// J₀ [J m].
    pub cost_unit: f64,
    floor: f64,
    settle: f64,
    /// A table without costs for each soft body.
    pub soft: Vec<Lines>,
}

/// Points of a line at which its cost is kept.
const STEPS: u32 = 48;

impl PlanFile {
    /// Reads a file and its scene, whose path is relative to the file.
    pub fn read(file: &Path) -> Result<Self, PlanError> {
        let malformed = |message: String| PlanError::File { file: file.to_owned(), message };
        let key = |key, message: &str| PlanError::Key { file: file.to_owned(), key, message: message.into() };
        let Text { format, scene, robot, plan } = limits::toml(file).map_err(malformed)?;
        if format != 1 {
            return Err(key("format", "it is not a known format; write `format = 1`"));
        }
        let path = file.parent().unwrap_or(Path::new("")).join(&scene);
        let loaded = match scenes::find(&scene) {
            Some(built_in) if !path.is_file() => built_in.load(),
            _ => Checked::load(&path),
        };
        let scene =
            loaded.map_err(|error| PlanError::Scene { file: file.to_owned(), error: Box::new(error) })?;
        let is_size = |x: f64| (1e-3..1e3).contains(&x);
        if !(is_size(robot.radius) && is_size(robot.height) && is_size(robot.speed)) {
            return Err(key("robot", "radius, height and speed must be within 0.001 to 1000 m and m/s"));
        }
        let [low, high] = [plan.low, plan.high].map(DVec2::from);
        if !((high - low).min_element() > 2.0 * robot.radius && (high - low).max_element() < 1e4) {
            return Err(key(
                "plan.high",
                "`low` and `high` are corners of the floor, as [x, z] in metres; the robot must fit between",
            ));
        }
        if !((0.0..1.0).contains(&plan.trade_off) && plan.cost_unit > 0.0 && plan.cost_unit.is_finite()) {
            return Err(key(
                "plan.trade_off",
                "it must be at least 0 and below 1, and `cost_unit` above 0 J m",
            ));
        }
        let counts = [plan.samples, plan.neighbours, plan.directions, plan.offsets];
        if !(plan.samples <= 100_000
            && (1..=100).contains(&plan.neighbours)
            && (4..=90).contains(&plan.directions)
            && (3..=91).contains(&plan.offsets))
        {
            return Err(PlanError::Key {
                file: file.to_owned(),
                key: "plan",
                message: format!(
                    "samples, neighbours, directions and offsets {counts:?} are not within 0 to 100,000, 1 to 100, 4 to 90 and 3 to 91"
                ),
            });
        }
        let robot = Robot { radius: robot.radius, height: robot.height, speed: robot.speed };
        let geometry = scene.geometry();
        let mut soft = Vec::new();
        for name in &plan.soft {
            let cloth = geometry.cloth.iter().find(|c| c.name == *name).map(|c| &c.mesh.positions);
            let solid = geometry.solids.iter().find(|s| s.name == *name).map(|s| &s.positions);
            let Some(positions) = cloth.or(solid) else {
                let message = format!("the scene has no sheet or solid `{name}`; correct the name");
                return Err(PlanError::Key { file: file.to_owned(), key: "plan.soft", message });
            };
            let flat = || positions.iter().map(|x| DVec2::new(x.x, x.z));
            let least = flat().fold(DVec2::INFINITY, DVec2::min);
            let most = flat().fold(DVec2::NEG_INFINITY, DVec2::max);
            let middle = 0.5 * (least + most);
            let mut lines = Lines {
                fingerprint: 0,
                body: name.clone(),
                middle: middle.to_array(),
                reach: 0.5 * least.distance(most) + 1.2 * robot.radius,
                directions: plan.directions,
                offsets: plan.offsets,
                costs: Vec::new(),
            };
            lines.fingerprint = fingerprint(&alone(&scene, name), robot, &lines);
            soft.push(lines);
        }
        let room = Room {
            low,
            high,
            obstacles: obstacles(&scene.scene().collider, &geometry.surfaces, plan.floor, robot.height),
            radius: robot.radius,
        };
        Ok(Self {
            file: file.to_owned(),
            scene,
            robot,
            room,
            sampling: Sampling { samples: plan.samples, neighbours: plan.neighbours },
            trade_off: plan.trade_off,
            cost_unit: plan.cost_unit,
            floor: plan.floor,
            settle: plan.settle.clamp(0.0, 60.0),
            soft,
        })
    }

    /// Drives all lines of a soft body; `done` hears of each.
    pub fn measure(&self, body: usize, options: &Options, done: &dyn Fn(u32)) -> Result<Lines, PlanError> {
        let mut lines = self.soft[body].clone();
        let scene = alone(&self.scene, &lines.body);
        for line in 0..lines.directions * lines.offsets {
            let found = sweep(&scene, self.robot, self.floor, lines.line(line), STEPS, self.settle, options);
            lines.costs.push(found.map_err(|error| PlanError::Simulation {
                body: lines.body.clone(),
                line,
                error: Box::new(error),
            })?);
            done(line + 1);
        }
        Ok(lines)
    }

    /// Reads a table that [`Self::measure`] has made for this very body, robot and grid.
    pub fn table(&self, body: usize, file: &Path) -> Result<Lines, PlanError> {
        let refused = |message: String| PlanError::File { file: file.to_owned(), message };
        let bytes = limits::bounded(file, limits::MESH_BYTES).map_err(refused)?;
        let lines: Lines =
            serde_json::from_slice(&bytes).map_err(|e| refused(format!("it is no table of lines: {e}")))?;
        let expected = &self.soft[body];
        if lines.fingerprint != expected.fingerprint
            || (Lines { costs: Vec::new(), ..lines.clone() }) != *expected
        {
            return Err(refused(format!(
                "it was made of another body, robot or grid than `{}` of {}; make it again with --precompute",
                expected.body,
                self.file.display()
            )));
        }
        let count = (lines.directions * lines.offsets) as usize;
        let is_sound = |line: &Vec<f64>| line.len() >= 2 && line.iter().all(|c| c.is_finite());
        if lines.costs.len() != count || !lines.costs.iter().all(is_sound) {
            return Err(refused(format!(
                "it has not {count} lines of finite costs; make it again with --precompute"
            )));
        }
        Ok(lines)
    }

    /// The roadmap for a start and a goal, which must be free.
    pub fn roadmap(&self, start: DVec2, goal: DVec2, tables: &[Lines]) -> Result<Roadmap, String> {
        for (word, place) in [("start", start), ("goal", goal)] {
            match self.room.hit(place) {
                None => {}
                Some(None) => {
                    return Err(format!(
                        "the {word} {place} is outside of the floor from {} to {}",
                        self.room.low, self.room.high
                    ));
                }
                Some(Some(k)) => {
                    return Err(format!(
                        "the {word} {place} is within {} m of `{}`; choose a free place",
                        self.robot.radius, self.room.obstacles[k].name
                    ));
                }
            }
        }
        let cost = |a: DVec2, b: DVec2| tables.iter().map(|lines| lines.cost(a, b)).sum();
        Ok(Roadmap::new(&self.room, start, goal, self.sampling, &cost))
    }
}
