//! What a camera can see of a scene: triangles, body by body.

use crate::export::{Snapshot, srgb_from_linear};
use crate::meshing::triangle_mesh::TriangleMesh;
use crate::meshing::triangle_tree::TriangleTree;
use glam::DVec3;

/// Bodies with a surface, each as a tree that rays are cast against.
pub struct Surfaces {
    bodies: Vec<(TriangleTree, [u8; 3])>,
    low: DVec3,
    high: DVec3,
}

/// What a ray has met.
pub struct Hit {
    /// In lengths of the ray's direction.
    pub at: f64,
    /// Unit normal of the triangle.
    pub normal: DVec3,
    /// sRGB
    pub colour: [u8; 3],
}

impl Surfaces {
    /// The bodies of a moment that have triangles; cages that carry a detailed surface are left out. Nothing if there are none.
    pub fn of_snapshot(snapshot: &Snapshot) -> Option<Self> {
        let corner = |v: u32| DVec3::from(snapshot.positions[v as usize].map(f64::from));
        let shown = snapshot.bodies.iter().filter(|body| !body.is_guide && !body.triangles.is_empty());
        let bodies = shown.map(|body| {
            let triangles = snapshot.triangles[body.triangles.clone()].iter().map(|t| t.map(corner));
            let colour = body.colour.map(|c| (255.0 * srgb_from_linear(c)).round() as u8);
            (triangles.collect(), colour)
        });
        Self::new(bodies.collect())
    }

    /// One mesh in one colour; nothing if it has no triangle.
    pub fn of_mesh(mesh: &TriangleMesh, colour: [u8; 3]) -> Option<Self> {
        Self::new(vec![((0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect(), colour)])
    }

    fn new(mut bodies: Vec<(Vec<[DVec3; 3]>, [u8; 3])>) -> Option<Self> {
        bodies.retain(|(triangles, _)| !triangles.is_empty());
        let corners = || bodies.iter().flat_map(|(triangles, _)| triangles.as_flattened().iter().copied());
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        let trees = bodies.into_iter().map(|(triangles, colour)| (TriangleTree::new(triangles), colour));
        let bodies: Vec<_> = trees.collect();
        (!bodies.is_empty()).then_some(Self { bodies, low, high })
    }

    /// The middle of the box around all bodies [m].
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.low + self.high)
    }

    /// Half of its diagonal [m]: no point is farther from the middle.
    pub fn radius(&self) -> f64 {
        0.5 * self.low.distance(self.high)
    }

    /// The first surface that a ray meets.
    pub fn cast(&self, origin: DVec3, direction: DVec3) -> Option<Hit> {
        let hits = self.bodies.iter().filter_map(|(tree, colour)| {
            let (at, triangle) = tree.cast(origin, direction)?;
            Some(Hit { at, normal: tree.normal(triangle), colour: *colour })
        });
        hits.min_by(|a, b| a.at.total_cmp(&b.at))
    }
}
