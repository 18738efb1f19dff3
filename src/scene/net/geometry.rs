//! A net in world space.

use super::super::geometry::ResolvedPin;
use glam::{DQuat, DVec3};

/// Points, segments and joints of a net in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct NetGeometry {
    /// The body's name.
    pub name: String,
    /// The nodes of the graph in its order, then the points inside edges, edge by edge [m].
    pub positions: Vec<DVec3>,
    pub segments: Vec<NetSegment>,
    /// Joints between two segments.
    pub pairs: Vec<NetPair>,
    /// Knots that segments are fixed to.
    pub hubs: Vec<NetHub>,
    /// Points and the masses that hang on them [kg].
    pub weights: Vec<(u32, f64)>,
    /// The pins in the order of the scene, then the clamps.
    pub pins: Vec<ResolvedPin>,
    /// Where the clamps begin among the pins.
    pub first_clamp: usize,
}

/// A segment of a net.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetSegment {
    pub ends: [u32; 2],
    /// [m].
    pub radius: f64,
    /// Its material frame before any twist is put in: the third axis along the segment.
    pub frame: DQuat,
    /// The twist put in, about the third axis [rad].
    pub twist: f64,
    /// The pin that holds its frame.
    pub held: Option<u32>,
}

/// A joint between two segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetPair {
    pub segments: [u32; 2],
    /// The point they share.
    pub node: u32,
    /// How many segments share it.
    pub valence: u32,
    /// Turn of the second section against the first when they were joined [rad].
    pub glue: f64,
}

/// A knot: segments fixed to one section.
#[derive(Debug, Clone, PartialEq)]
pub struct NetHub {
    pub node: u32,
    pub segments: Vec<u32>,
    /// The pin that holds it, for a clamp.
    pub held: Option<u32>,
}
