//! Bodies made ready for the model: particles in world space, with every reference resolved.

use glam::{DQuat, DVec2, DVec3};

use super::join::ResolvedJoin;
use super::joint::ResolvedJoint;
use super::loading::ResolvedLoad;
use super::motion::{Keyframe, pose_at};
use super::{Axes, Bending, CompositeGeometry, Link, NetGeometry, RigidGeometry, SoftCell, links};
use crate::meshing::Embedding;
use crate::meshing::tet_mesh::TetMesh;
use crate::meshing::triangle_mesh::TriangleMesh;

/// The geometry of a scene, in the order of its bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SceneGeometry {
    /// One entry for each of [`Scene::cloth`].
    pub cloth: Vec<ClothGeometry>,
    /// One entry for each of [`Scene::points`].
    pub points: Vec<PointsGeometry>,
    /// One entry for each of [`Scene::rod`].
    pub rods: Vec<RodGeometry>,
    /// One per net.
    pub nets: Vec<NetGeometry>,
    /// One entry for each of [`Scene::solid`].
    pub solids: Vec<SolidGeometry>,
    /// One entry for each of [`Scene::rigid`].
    pub rigid: Vec<RigidGeometry>,
    /// One entry for each of [`Scene::composite`].
    pub composites: Vec<CompositeGeometry>,
    /// One entry for each of [`Scene::other`].
    pub other: Vec<OtherGeometry>,
    /// One entry for each of [`Scene::collider`]: the closed surface of a mesh collider in its local frame [m].
    pub surfaces: Vec<Option<TriangleMesh>>,
    /// Attachments, then seams.
    pub joins: Vec<ResolvedJoin>,
    /// One entry for each of [`Scene::joint`].
    pub joints: Vec<ResolvedJoint>,
    /// One entry for each of [`Scene::load`].
    pub loads: Vec<ResolvedLoad>,
    /// Triangles and tetrahedra that are magnets.
    pub magnetised: Vec<SoftCell>,
    /// One entry for each of the expected particles: the particle's index within its body.
    pub expected: Vec<u32>,
    /// The same of probes.
    pub probes: Vec<u32>,
}

/// A sheet in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct ClothGeometry {
    /// The body's name.
    pub name: String,
    /// Particles and triangles at the start [m].
    pub mesh: TriangleMesh,
    /// Where the threads run.
    pub material: Material,
    /// Cells of a grid; its particles are numbered row by row from the bottom left.
    pub cells: Option<[u32; 2]>,
    /// If it was cut: the particle of the whole sheet that each is, or is a copy of.
    pub origins: Vec<u32>,
    /// The pins, in the order of the scene.
    pub pins: Vec<ResolvedPin>,
}

/// How a sheet lies in its material axes: x is weft, y is warp.
#[derive(Debug, Clone, PartialEq)]
pub enum Material {
    /// The sheet was cut flat: one pair per particle [m].
    Flat(Vec<DVec2>),
    /// The sheet was cut from flat panels and sewn: three pairs per triangle [m]. Along a seam, a particle has one for
    /// each panel.
    Pattern(Vec<[DVec2; 3]>),
    /// The sheet was modelled in space: each triangle is unrolled by itself, its weft along the growth of the
    /// first texture coordinate if there are any, otherwise along this direction [unit vector].
    Curved(DVec3),
}

/// Particles with explicit links in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct PointsGeometry {
    /// The body's name.
    pub name: String,
    /// Particles at the start [m].
    pub positions: Vec<DVec3>,
    /// One mass per particle [kg].
    pub masses: Vec<f64>,
    /// Pairs that keep their distance.
    pub links: Vec<[u32; 2]>,
    /// Triples that keep their area.
    pub triangles: Vec<[u32; 3]>,
    /// Quadruples that keep their volume.
    pub tetrahedra: Vec<[u32; 4]>,
    /// The pins, in the order of the scene.
    pub pins: Vec<ResolvedPin>,
}

/// A rod, or equal rods, in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct RodGeometry {
    /// The body's name.
    pub name: String,
    /// Particles at the start, rod after rod [m].
    pub positions: Vec<DVec3>,
    /// Orientations of the segments, rod after rod; the third axis is along the segment.
    pub frames: Vec<DQuat>,
    /// Particles of one rod.
    pub nodes: u32,
    /// Rods that differ from each other; all further ones are copies of these.
    pub different: u32,
    /// Particles and the masses that hang on them [kg].
    pub weights: Vec<(u32, f64)>,
    /// The pins in the order of the scene, then the held ends.
    pub pins: Vec<ResolvedPin>,
}

/// A solid in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidGeometry {
    /// The body's name.
    pub name: String,
    /// The body at rest, where it would be if it did not start deformed [m].
    pub rest: TetMesh,
    /// Particles at the start [m].
    pub positions: Vec<DVec3>,
    /// Vertices and the forces on them [N].
    pub loads: Vec<(u32, DVec3)>,
    /// The triangles around it, normals out at rest.
    pub surface: Vec<[u32; 3]>,
    /// A detailed surface that goes where the tetrahedra go.
    pub skin: Option<SkinGeometry>,
    /// The pins, in the order of the scene.
    pub pins: Vec<ResolvedPin>,
}

/// A body of a kind that the library does not know, in world space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OtherGeometry {
    /// The body's name.
    pub name: String,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// Radius of a particle for contact and drawing [m].
    pub radius: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Velocity of all particles at the start [m/s].
    pub velocity: DVec3,
    /// Particles at the start [m].
    pub positions: Vec<DVec3>,
    /// One mass per particle [kg].
    pub masses: Vec<f64>,
    /// Lines that are drawn and exported.
    pub segments: Vec<[u32; 2]>,
    /// Triangles that are drawn and exported.
    pub triangles: Vec<[u32; 3]>,
    /// The pins, in the order of the scene.
    pub pins: Vec<ResolvedPin>,
    /// What its family is to know of it: by name, a value for each particle.
    pub given: Vec<(&'static str, Vec<f64>)>,
}

/// A detailed surface in a solid.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinGeometry {
    /// By the surface's own vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Where those are among the particles of the body.
    pub embedding: Embedding,
}

/// A pin with its particles.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedPin {
    /// Which particles of the body, in increasing order.
    pub particles: Vec<u32>,
    /// Centre of the motion's rotation [m].
    pub pivot: DVec3,
    /// Compliance of the attachment [m/N]; 0 fixes the particles.
    pub compliance: f64,
    /// Along which it holds.
    pub axes: Axes,
    /// Where the pinned points go; empty keeps them still.
    pub motion: Vec<Keyframe>,
    /// When the pin lets go [s].
    pub release: Option<f64>,
}

impl ResolvedPin {
    /// Whether the particles are where the pin is, and have no mass of their own.
    pub fn is_rigid(&self) -> bool {
        self.compliance == 0.0 && self.axes == Axes::All
    }

    /// Where the pinned point that started at `x` is at a time [m, s].
    pub fn position_at(&self, x: DVec3, time: f64) -> DVec3 {
        pose_at(&self.motion, time).apply(x, self.pivot)
    }

    /// Whether the pin still holds at a time [s].
    pub fn holds_at(&self, time: f64) -> bool {
        self.release.is_none_or(|release| time < release)
    }
}

impl ClothGeometry {
    /// The corners of a triangle at rest in material axes, first corner at the origin of a curved sheet [m].
    pub fn rest_triangle(&self, triangle: usize) -> [DVec2; 3] {
        let weft = match &self.material {
            Material::Flat(coordinates) => {
                return self.mesh.triangles[triangle].map(|v| coordinates[v as usize]);
            }
            Material::Pattern(corners) => return corners[triangle],
            Material::Curved(weft) => *weft,
        };
        let [a, b, c] = self.mesh.corners(triangle);
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(ac).normalize();
        let along = self.texture_gradient(triangle).unwrap_or(weft);
        // A triangle that faces along the weft has no weft in its plane; any side will do then.
        let in_plane = along - normal * along.dot(normal);
        let x = in_plane
            .try_normalize()
            .filter(|_| in_plane.length() > 1e-3 * along.length())
            .unwrap_or(ab.normalize());
        let y = normal.cross(x);
        [DVec2::ZERO, DVec2::new(ab.dot(x), ab.dot(y)), DVec2::new(ac.dot(x), ac.dot(y))]
    }

    /// The direction in which the first texture coordinate grows on a triangle.
    fn texture_gradient(&self, triangle: usize) -> Option<DVec3> {
        let texture = self.mesh.texture_coordinates.as_ref()?;
        let [a, b, c] = self.mesh.corners(triangle);
        let [ua, ub, uc] = texture[triangle].map(|pair| pair[0]);
        // ∇u = (n × (a − c) (u_b − u_a) + n × (b − a) (u_c − u_a)) / n², n = (b − a) × (c − a); its direction matters.
        let normal = (b - a).cross(c - a);
        let gradient = normal.cross(a - c) * (ub - ua) + normal.cross(b - a) * (uc - ua);
        gradient.try_normalize()
    }

    /// The net of distance links of the sheet; bend links only for [`Bending::Distance`].
    pub fn links(&self, bending: Bending) -> Vec<Link> {
        let bend = bending == Bending::Distance;
        match self.cells {
            Some(cells) if self.origins.is_empty() => links::grid(cells, bend),
            Some(cells) => links::torn_grid(cells, bend, &self.mesh, &self.origins)
                .expect("a built sheet has no edge with three triangles"),
            None => links::mesh(&self.mesh, bend).expect("a built sheet has no edge with three triangles"),
        }
    }
}

impl SceneGeometry {
    /// Name and particles of every body, in the order of [`Scene::bodies`](super::Scene::bodies) [m].
    pub fn bodies(&self) -> impl Iterator<Item = (&str, &[DVec3])> {
        let cloth = self.cloth.iter().map(|b| (b.name.as_str(), b.mesh.positions.as_slice()));
        let points = self.points.iter().map(|b| (b.name.as_str(), b.positions.as_slice()));
        let rods = self.rods.iter().map(|b| (b.name.as_str(), b.positions.as_slice()));
        let nets = self.nets.iter().map(|b| (b.name.as_str(), b.positions.as_slice()));
        let solids = self.solids.iter().map(|b| (b.name.as_str(), b.positions.as_slice()));
        let rigid = self.rigid.iter().map(|b| (b.name.as_str(), b.positions.as_slice()));
        let composites = self.composites.iter().map(|b| (b.name.as_str(), b.positions.as_slice()));
        let others = self.other.iter().map(|b| (b.name.as_str(), b.positions.as_slice()));
        cloth.chain(points).chain(rods).chain(nets).chain(solids).chain(rigid).chain(composites).chain(others)
    }

    /// The pins of every body, in the same order.
    pub fn pins(&self) -> impl Iterator<Item = &[ResolvedPin]> {
        let cloth = self.cloth.iter().map(|b| b.pins.as_slice());
        let points = self.points.iter().map(|b| b.pins.as_slice());
        let rods = self.rods.iter().map(|b| b.pins.as_slice());
        let nets = self.nets.iter().map(|b| b.pins.as_slice());
        let solids = self.solids.iter().map(|b| b.pins.as_slice());
        let rigid = self.rigid.iter().map(|b| b.pins.as_slice());
        let composites = self.composites.iter().map(|b| b.pins.as_slice());
        let others = self.other.iter().map(|b| b.pins.as_slice());
        cloth.chain(points).chain(rods).chain(nets).chain(solids).chain(rigid).chain(composites).chain(others)
    }

    /// Particles of all bodies.
    pub fn particle_count(&self) -> usize {
        self.bodies().map(|(_, positions)| positions.len()).sum()
    }

    /// The lowest and highest corner of all bodies at the start [m]; colliders do not count.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        self.bodies()
            .flat_map(|(_, positions)| positions)
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
    }
}
