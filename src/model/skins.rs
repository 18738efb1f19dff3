//! Surfaces that follow solids and rigid bodies: drawn and exported, no part of the simulation.

use super::Model;
use super::frames::FrameState;
use crate::meshing::Embedding;
use crate::scene::{SkinGeometry, SolidGeometry};
use glam::DVec3;
use std::ops::Range;

/// The detailed surfaces of all bodies that have one. Their vertices are numbered by themselves, from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skins {
    /// Where each vertex is embedded, by the model's particle numbers.
    pub embedding: Embedding,
    /// The vertices after those, which rigid bodies carry.
    pub rigid: Vec<RigidVertex>,
    pub parts: Vec<Skin>,
}

/// A vertex that a rigid body carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidVertex {
    /// The body's, by the model's number.
    pub particle: u32,
    /// The body's, by the model's number.
    pub frame: u32,
    /// From the particle along the frame's axes [m].
    pub arm: DVec3,
}

/// The detailed surface of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Index of the model's bodies.
    pub body: u32,
    pub vertices: Range<u32>,
    pub triangles: Vec<[u32; 3]>,
}

impl Model {
    /// Adds the detailed surfaces of solids, the first of which is the body `first`.
    pub(crate) fn add_skins(&mut self, first: usize, solids: &[SolidGeometry]) {
        for (index, solid) in solids.iter().enumerate() {
            let Some(skin) = &solid.skin else { continue };
            let body = first + index;
            let start = self.bodies[body].particles.start;
            let number = |v: u32| self.order.new_of_old[(start + v) as usize];
            let skins = &mut self.skins;
            let base = skins.len() as u32;
            let SkinGeometry { triangles, embedding } = skin;
            skins.embedding.corners.extend(embedding.corners.iter().map(|corners| corners.map(number)));
            skins.embedding.weights.extend(&embedding.weights);
            skins.parts.push(Skin {
                body: body as u32,
                vertices: base..skins.len() as u32,
                triangles: triangles.iter().map(|t| t.map(|v| base + v)).collect(),
            });
        }
    }
}

impl Skins {
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.embedding.corners.len() + self.rigid.len()
    }

    /// The skin of a body, if it has one.
    pub fn of_body(&self, body: usize) -> Option<&Skin> {
        self.parts.iter().find(|skin| skin.body as usize == body)
    }

    /// Where the vertices are for positions of the particles [m].
    pub fn positions(&self, particles: &[DVec3], frames: &FrameState) -> Vec<DVec3> {
        let mut all = self.embedding.apply(particles);
        all.extend(self.carried(particles, frames));
        all
    }

    /// Where those of rigid bodies are [m].
    pub fn carried(&self, particles: &[DVec3], frames: &FrameState) -> impl Iterator<Item = DVec3> {
        self.rigid.iter().map(|vertex| {
            particles[vertex.particle as usize] + frames.orientations[vertex.frame as usize] * vertex.arm
        })
    }

    /// How fast the vertices move for velocities of the particles [m/s].
    pub fn velocities(&self, particles: &[DVec3], frames: &FrameState) -> Vec<DVec3> {
        let mut all = self.embedding.apply(particles);
        all.extend(self.rigid.iter().map(|vertex| {
            let frame = vertex.frame as usize;
            let swing = frames.orientations[frame] * frames.spins[frame].cross(vertex.arm);
            particles[vertex.particle as usize] + swing
        }));
        all
    }

    /// What values of the particles are at the vertices; a vertex outside its tetrahedron takes its corners' range.
    pub fn values(&self, particles: &[f32]) -> Vec<f32> {
        let at = |(corners, weights): (&[u32; 4], &[f64; 4])| {
            let values = corners.map(|v| particles[v as usize]);
            let sum: f64 = values.iter().zip(weights).map(|(&x, &w)| f64::from(x) * w).sum();
            let low = values.into_iter().fold(f32::INFINITY, f32::min);
            let high = values.into_iter().fold(f32::NEG_INFINITY, f32::max);
            // NaN marks particles without a value; it stays, and must not reach `clamp`.
            if low <= high && !sum.is_nan() { (sum as f32).clamp(low, high) } else { f32::NAN }
        };
        let embedded = self.embedding.corners.iter().zip(&self.embedding.weights).map(at);
        embedded.chain(self.rigid.iter().map(|vertex| particles[vertex.particle as usize])).collect()
    }
}
