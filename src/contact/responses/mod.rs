//! Other ways to respond to contact, to compare with: impulses with continuous tests (Bridson, Fedkiw, Anderson 2002; Provot 1997), displacements of pairs
//! (Spillmann, Teschner 2008) and volumetric displacements (Spillmann, Becker, Teschner 2007). On the host, in f64, for bodies that keep their shape.
//!
//! Each takes the velocities with which a step would go and returns those with which it goes.

pub mod displacements;
pub mod heap;
pub mod impulses;
pub mod scenes;
pub mod springs;
pub mod volumetric;

pub use scenes::{Row, compare};

use super::nearest::{Nearest, nearest};
use crate::math::Vec3;
use glam::DVec3;
use heap::Heap;

/// A way to respond to contact.
pub trait Response {
    fn name(&self) -> &'static str;

    /// Whether it knows what to do with surfaces that enclose nothing.
    fn takes_open(&self) -> bool {
        true
    }

    /// The velocities with which particles go through a step of `h` [m/s].
    fn respond(&mut self, heap: &Heap, v: &[DVec3], h: f64) -> Vec<DVec3>;
}

/// A particle and a triangle, or two edges, as in [`super::nearest`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub corners: [u32; 4],
    pub are_edges: bool,
}

/// What a pair is like: the direction from its second side to its first, their distance [m], and the corners' weights, Σ a = 0.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub normal: DVec3,
    pub distance: f64,
    pub weights: [f64; 4],
}

impl Pair {
    pub fn of<T: Copy>(&self, values: &[T]) -> [T; 4] {
        self.corners.map(|p| values[p as usize])
    }

    pub fn place(&self, x: &[DVec3]) -> Place {
        let x = self.of(x);
        let Nearest { vector, weights, .. } =
            nearest(x.map(|corner| Vec3::of((corner - x[3]).to_array())), self.are_edges);
        let vector = DVec3::new(vector.x, vector.y, vector.z);
        Place { normal: vector.normalize_or_zero(), distance: vector.length(), weights }
    }
}

/// Σ aₖ vₖ.
pub fn weighted(weights: [f64; 4], values: [DVec3; 4]) -> DVec3 {
    weights.into_iter().zip(values).map(|(a, value)| value * a).sum()
}

/// Σ aₖ² wₖ [1/kg].
pub fn mobility(weights: [f64; 4], inverse_masses: [f64; 4]) -> f64 {
    weights.into_iter().zip(inverse_masses).map(|(a, w)| a * a * w).sum()
}
