//! The rigid bodies of a model.

use super::Model;
use super::skins::{RigidVertex, Skin};
use crate::scene::{Feature, Rigid, RigidGeometry, RigidSolid};
use glam::{DQuat, DVec3};

/// One particle, the centre of mass, and one frame, the principal axes.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidBody {
    /// Index of the model's bodies.
    pub body: u32,
    /// By the model's number.
    pub particle: u32,
    /// Among all frames of the model; those of rods and nets come first.
    pub frame: u32,
    /// Principal moments of inertia [kg m²].
    pub moments: DVec3,
    /// The principal axes at the start.
    pub orientation: DQuat,
    /// About these axes at the start [rad/s].
    pub spin: DVec3,
    /// What touches others.
    pub features: Vec<Feature>,
    /// The same solid as a distance, where that has a closed form.
    pub solid: Option<RigidSolid>,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Speed after a bounce over the speed before it.
    pub restitution: f64,
}

impl Model {
    /// Adds rigid bodies, the first of which is the body `first`, and their surfaces.
    pub(crate) fn add_rigid(&mut self, first: usize, bodies: &[Rigid], shapes: &[RigidGeometry]) {
        let frames = self.rods.frames.len();
        for (index, (rigid, shape)) in bodies.iter().zip(shapes).enumerate() {
            let body = first + index;
            let particle = self.order.new_of_old[self.bodies[body].particles.start as usize];
            let frame = (frames + index) as u32;
            let base = self.skins.len() as u32;
            let vertices = shape.surface.positions.iter();
            self.skins.rigid.extend(vertices.map(|&arm| RigidVertex { particle, frame, arm }));
            self.skins.parts.push(Skin {
                body: body as u32,
                vertices: base..self.skins.len() as u32,
                triangles: shape.surface.triangles.iter().map(|t| t.map(|v| base + v)).collect(),
            });
            self.rigid.push(RigidBody {
                body: body as u32,
                particle,
                frame,
                moments: shape.moments,
                orientation: shape.orientation,
                spin: shape.orientation.conjugate() * rigid.spin,
                features: shape.features.clone(),
                solid: shape.solid,
                friction: rigid.friction,
                restitution: rigid.restitution,
            });
        }
    }
}
