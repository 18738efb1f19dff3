//! The frames of rods, ready to run.

use crate::scene::{self, RodMethod};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// A rod: a chain of frames, the walls of clamped ends included.
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// Which of the model's bodies it belongs to.
    pub body: u32,
    pub method: RodMethod,
    /// Its place among the model's frames.
    pub frames: Range<u32>,
    /// Drag coefficient times width, in the wind [m].
    pub drag_width: f64,
    /// What pulls at and turns its ends.
    pub loads: Vec<EndLoad>,
}

/// A constant force and torque at the end of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndLoad {
    /// The frame that it turns by its place in the rod, if it turns any.
    pub place: Option<u32>,
    pub particle: u32,
    /// In the world [N].
    pub force: DVec3,
    /// In the world at the start [N m].
    pub torque: DVec3,
    /// Whether it turns with the frame.
    pub follows: bool,
}

/// A segment's frame and the joint to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The particles at the segment's ends; a wall names the held one twice.
    pub particles: [u32; 2],
    /// Where it points at the start: the third axis along the segment.
    pub orientation: DQuat,
    /// How it turns then, about its own axes [rad/s].
    pub spin: DVec3,
    /// l [m]; 0 for a wall.
    pub rest_length: f64,
    /// l over the stiffness of shear (twice) and stretch [m/N].
    pub stretch_compliance: DVec3,
    /// γₜ of explicit rods [kg m/s].
    pub friction: f64,
    /// About its own axes [kg m²].
    pub inertia: DVec3,
    /// 0 while it is held [1/(kg m²)].
    pub inverse_inertia: DVec3,
    /// When it is let go, if it is held and ever will be.
    pub release: Option<Release>,
    /// The joint to the next frame of the rod.
    pub joint: Option<Joint>,
    /// The track that turns a wall.
    pub track: Option<u32>,
    /// Its orientation before the track turns it.
    pub drive_rest: DQuat,
}

/// A held frame that becomes free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// [s].
    pub time: f64,
    /// From then on [1/(kg m²)].
    pub inverse_inertia: DVec3,
}

impl Release {
    /// Of a held frame that has this inertia when it is free, if it is ever let go.
    pub(crate) fn at(time: Option<f64>, inertia: DVec3) -> Option<Self> {
        time.map(|time| Self { time, inverse_inertia: inertia.recip() })
    }
}

/// What resists the rotation of a frame against the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// 2 s₀, of the relative orientation at rest.
    pub rest: DVec3,
    /// L/K about the three axes [rad/(N m)].
    pub compliance: DVec3,
    /// L [m].
    pub length: f64,
    /// γᵣ of explicit rods [kg m³/s].
    pub friction: f64,
}

impl Frame {
    /// Whether it stands for a wall and not for a segment.
    pub fn is_wall(&self) -> bool {
        self.rest_length == 0.0
    }

    /// [`Self::inverse_inertia`], of a held frame once it is free; 0 if it never is [1/(kg m²)].
    pub fn free_inverse_inertia(&self) -> DVec3 {
        self.release.map_or(self.inverse_inertia, |release| release.inverse_inertia)
    }

    /// Whether it may turn, now or later.
    pub fn turns(&self) -> bool {
        self.free_inverse_inertia().x > 0.0
    }
}

/// All rods of a model and their frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rods {
    /// Sorted by method.
    pub rods: Vec<Rod>,
    pub frames: Vec<Frame>,
    pub weights: Vec<Weight>,
}

/// A mass attached to a point of a rod or net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Which of the model's bodies it belongs to.
    pub body: u32,
    pub particle: u32,
    /// [kg].
    pub mass: f64,
}

impl Weight {
    /// Of a ball of steel, as which it is drawn [m].
    pub fn radius(&self) -> f64 {
        let volume = self.mass / scene::RodMaterial::STEEL_WIRE.density;
        (0.75 * volume / std::f64::consts::PI).cbrt()
    }
}

impl Rods {
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Adds the weights of a body whose particles begin at `base`.
    pub(crate) fn hang(&mut self, body: u32, base: u32, weights: &[(u32, f64)]) {
        let weight = |&(node, mass): &(u32, f64)| Weight { body, particle: base + node, mass };
        self.weights.extend(weights.iter().map(weight));
    }

    /// Puts the rods of each method side by side.
    pub(crate) fn sort(&mut self) {
        self.rods.sort_by_key(|rod| rod.method);
        let mut frames = Vec::with_capacity(self.frames.len());
        for rod in &mut self.rods {
            let range = rod.frames.start as usize..rod.frames.end as usize;
            let start = frames.len() as u32;
            frames.extend_from_slice(&self.frames[range]);
            rod.frames = start..frames.len() as u32;
        }
        self.frames = frames;
    }

    /// The range of rods of a method.
    pub fn of_method(&self, method: RodMethod) -> Range<u32> {
        let start = self.rods.partition_point(|rod| rod.method < method) as u32;
        let end = self.rods.partition_point(|rod| rod.method <= method) as u32;
        start..end
    }

    /// The range of frames of a method.
    pub fn frames_of_method(&self, method: RodMethod) -> Range<u32> {
        let rods = self.of_method(method);
        let rods = &self.rods[rods.start as usize..rods.end as usize];
        let start = rods.first().map_or(0, |rod| rod.frames.start);
        start..rods.last().map_or(start, |rod| rod.frames.end)
    }
}
