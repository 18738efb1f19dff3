//! Bodies of bonded cells: one particle and one frame for each cell, and the faces between them.

use super::skins::{RigidVertex, Skin};
use super::{Model, ModelError};
use crate::limits;
use crate::scene::{Composite, CompositeGeometry, WoodProperties};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// A body of bonded cells.
#[derive(Clone, Debug, PartialEq)]
pub struct CellBody {
    /// Index of the model's bodies.
    pub body: u32,
    /// By the model's numbers, which follow the lattice.
    pub particles: Range<u32>,
    /// Among all frames of the model; those of rods, nets and rigid bodies come first.
    pub frames: Range<u32>,
    /// Edges of every cell: along the grain, radially, tangentially [m].
    pub cell: DVec3,
    /// The axes of all cells at the start.
    pub axes: DQuat,
    /// [kg].
    pub mass: f64,
    /// Moment of inertia of a cell: the mean of those about its axes [kg m²].
    pub moment: f64,
    /// About the cells' axes at the start [rad/s].
    pub spin: DVec3,
    /// Cells of the body that share a face, the second one further along the axis of that number.
    pub bonds: Vec<([u32; 2], usize)>,
    /// Most cells in a row along each axis.
    pub rows: [u32; 3],
    pub wood: WoodProperties,
    /// Whether it breaks and yields at all.
    pub breaks: bool,
    /// Whether each bond is open from the start.
    pub open: Vec<bool>,
    /// Factor of the strengths of each bond.
    pub strengths: Vec<f64>,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Most rounds of solving and breaking in a substep.
    pub rounds: u32,
    /// What holds each cell's orientation.
    pub held: Vec<HeldCell>,
}

/// A cell whose orientation a pin holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldCell {
    /// Its number in the body.
    pub cell: u32,
    /// What turns it, if it moves.
    pub track: Option<u32>,
    /// When it is let go, if ever [s].
    pub release: Option<f64>,
}

impl Model {
    /// Adds the bodies of bonded cells, the first of which is the body `first`, and what is drawn of them.
    pub(crate) fn add_composites(
        &mut self,
        first: usize,
        bodies: &[Composite],
        shapes: &[CompositeGeometry],
    ) -> Result<(), ModelError> {
        let total: usize = shapes.iter().map(|shape| shape.positions.len()).sum();
        if total as u64 > limits::CELLS {
            return Err(ModelError::Cells { cells: total });
        }
        let mut frame = (self.rods.frames.len() + self.rigid.len()) as u32;
        for (index, (composite, shape)) in bodies.iter().zip(shapes).enumerate() {
            let body = first + index;
            let count = shape.positions.len() as u32;
            let start = self.order.new_of_old[self.bodies[body].particles.start as usize];
            let (particles, frames) = (start..start + count, frame..frame + count);
            frame += count;
            self.add_cell_skin(body, shape, [start, frames.start]);
            let wood = composite.properties();
            let mass = wood.density * shape.cell.element_product();
            let held = if composite.clamped { self.held_cells(&particles) } else { Vec::new() };
            self.composites.push(CellBody {
                body: body as u32,
                particles,
                frames,
                cell: shape.cell,
                axes: shape.axes,
                mass,
                moment: mass * shape.cell.length_squared() / 18.0,
                spin: shape.axes.conjugate() * composite.spin,
                bonds: shape.bonds.clone(),
                rows: shape.rows,
                wood,
                breaks: composite.breaks,
                open: shape.open.clone(),
                strengths: shape.strengths.clone(),
                friction: composite.friction,
                rounds: if composite.breaks { composite.rounds } else { 1 },
                held,
            });
        }
        Ok(())
    }

    fn held_cells(&self, particles: &Range<u32>) -> Vec<HeldCell> {
        let is_fixed = |p: &u32| self.particles.inverse_masses[*p as usize] == 0.0;
        let moving = |p: u32| self.pins.iter().find(|pin| pin.particle == p && pin.is_rigid());
        let held = particles.clone().filter(is_fixed).map(|p| {
            let pin = moving(p);
            HeldCell {
                cell: p - particles.start,
                track: pin.and_then(|pin| pin.track),
                release: pin.map(|pin| pin.release).filter(|release| release.is_finite()),
            }
        });
        held.collect()
    }

    /// Six faces for each cell, with corners of their own, so that edges are sharp.
    fn add_cell_skin(&mut self, body: usize, shape: &CompositeGeometry, [particle, frame]: [u32; 2]) {
        let base = self.skins.len() as u32;
        let mut triangles = Vec::with_capacity(12 * shape.positions.len());
        for k in 0..shape.positions.len() as u32 {
            for face in 0..6 {
                let first = self.skins.len() as u32;
                let corners = face_corners(face).map(|side| RigidVertex {
                    particle: particle + k,
                    frame: frame + k,
                    arm: 0.5 * shape.cell * side,
                });
                self.skins.rigid.extend(corners);
                triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        let vertices = base..self.skins.len() as u32;
        self.skins.parts.push(Skin { body: body as u32, vertices, triangles });
    }
}

/// The corners of a face of a cube from −1 to 1, counterclockwise from outside: faces −x, +x, −y, +y, −z, +z.
fn face_corners(face: usize) -> [DVec3; 4] {
    let (axis, side) = (face / 2, if face.is_multiple_of(2) { -1.0 } else { 1.0 });
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[u, v]| {
        let mut corner = DVec3::ZERO;
        corner[axis] = side;
        // The two other axes, in the order that turns the face outwards.
        corner[(axis + 1) % 3] = u * side;
        corner[(axis + 2) % 3] = v;
        corner
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_look_outwards() {
        for face in 0..6 {
            let [a, b, c, d] = face_corners(face);
            let middle = 0.25 * (a + b + c + d);
            assert!((b - a).cross(c - a).dot(middle) > 0.0 && (c - a).cross(d - a).dot(middle) > 0.0);
            assert_eq!(middle.length(), 1.0);
        }
    }
}
