//! From a solid as the user wrote it to tetrahedra in the world.

use glam::{DQuat, DVec3};

use super::bodies::particle_limit;
use super::error::{SceneError, SceneErrorKind};
use super::geometry::{SceneGeometry, SkinGeometry, SolidGeometry};
use super::keys::Lens;
use super::motion::rotation;
use super::{Body, BodyTable, BuildContext, Pin, Solid, SolidShape, SolidStart, build, mesh_file, select};
use crate::at;
use crate::math::random::Random;
use crate::meshing::tet_file::{self, Faults};
use crate::meshing::tet_mesh::TetMesh;
use crate::meshing::triangle_mesh::TriangleMesh;
use crate::meshing::{self, Embedding, FillOptions};

impl BodyTable for Solid {
    const KIND: &'static str = "solid";
    const DOC: &'static str = "soft solids of tetrahedra";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    fn particle_count(&self) -> u64 {
        match &self.shape {
            SolidShape::Box { cells, .. } => {
                cells.map(|n| u64::from(n) + 1).into_iter().fold(1, u64::saturating_mul)
            }
            SolidShape::Tets(mesh) => mesh.vertices.len() as u64,
            SolidShape::File { .. } | SolidShape::Surface { .. } | SolidShape::Filled { .. } => 0,
        }
    }

    fn geometry_part(&self) -> Self {
        Self {
            name: self.name.clone(),
            shape: self.shape.clone(),
            position: self.position,
            rotation: self.rotation,
            scale: self.scale,
            start: self.start,
            pin: self.pin.clone(),
            load: self.load.clone(),
            ..Self::default()
        }
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let name = context.name.clone();
        geometry.solids.push(SolidGeometry { name, ..self.build_checked(context.total, context.seed)? });
        Ok(())
    }
}

impl Solid {
    /// Validates the solid and makes its geometry.
    pub fn build(&self) -> Result<SolidGeometry, SceneError> {
        Body::check(self)?;
        self.build_checked(0, 0)
    }

    /// `total` particles have been made for other bodies; `seed` is the scene's.
    fn build_checked(&self, total: u64, seed: u64) -> Result<SolidGeometry, SceneError> {
        let key = self.shape_key();
        particle_limit(key, total + BodyTable::particle_count(self))?;
        let fault = |e: &dyn std::fmt::Display| SceneError::at(SceneErrorKind::Mesh, key, e);
        let (mut mesh, skin) = match &self.shape {
            SolidShape::Box { size, cells } => (TetMesh::cuboid(*size, *cells), None),
            SolidShape::Tets(mesh) => (mesh.clone(), None),
            SolidShape::File { file } => (tet_file::read(file, Faults::Refuse).map_err(|e| fault(&e))?, None),
            SolidShape::Surface { file, resolution } => {
                let surface = mesh_file::read_soup(file).map_err(|e| fault(&e))?;
                filled(surface, *resolution).map_err(|e| fault(&e))?
            }
            SolidShape::Filled { shape, resolution } => {
                let surface = shape.surface((*resolution).max(FINEST_SKIN));
                filled(surface, *resolution).map_err(|e| fault(&e))?
            }
        };
        particle_limit(key, total + mesh.vertices.len() as u64)?;
        mesh.check().map_err(|e| fault(&e))?;
        let turn = rotation(self.rotation);
        let mut positions = self.start.apply(&mesh.vertices, seed);
        build::place(&mut positions, self.scale, turn, self.position, key)?;
        build::place(&mut mesh.vertices, self.scale, turn, self.position, key)?;
        // Scaling and moving may have rounded thin tetrahedra away.
        mesh.check().map_err(|e| fault(&e))?;
        // Pins choose by where the body is at rest: it may start as a single point.
        let mut pins = select::pins(&self.pin, &mesh.vertices, None, &mesh.groups)?;
        for (pin, resolved) in self.pin.iter().zip(&mut pins) {
            let sum: DVec3 = resolved.particles.iter().map(|p| positions[*p as usize]).sum();
            resolved.pivot = pin.pivot.unwrap_or(sum / resolved.particles.len() as f64);
        }
        let surface = mesh.surface();
        let mut loads = Vec::new();
        for (i, load) in self.load.iter().enumerate() {
            let here = |e: SceneError| e.inside_entry("load", i, &format!("load {}", i + 1));
            let mut chosen =
                select::select(&load.selector, &mesh.vertices, None, &mesh.groups).map_err(here)?;
            chosen.sort_unstable();
            chosen.dedup();
            let shares = shares(&chosen, &mesh.vertices, &surface);
            loads.extend(chosen.into_iter().zip(shares).map(|(vertex, share)| (vertex, load.force * share)));
        }
        Ok(SolidGeometry { name: self.name.clone(), surface, skin, rest: mesh, positions, pins, loads })
    }
}

/// What part of a traction each vertex bears, by the area of the surface triangles between the vertices.
fn shares(chosen: &[u32], vertices: &[DVec3], surface: &[[u32; 3]]) -> Vec<f64> {
    let mut areas = vec![0.0; chosen.len()];
    for triangle in surface {
        let places = triangle.map(|v| chosen.binary_search(&v).ok());
        if let [Some(a), Some(b), Some(c)] = places {
            let [x, y, z] = triangle.map(|v| vertices[v as usize]);
            let area = (y - x).cross(z - x).length();
            [a, b, c].into_iter().for_each(|place| areas[place] += area);
        }
    }
    let total: f64 = areas.iter().sum();
    let equal = 1.0 / chosen.len() as f64;
    areas.into_iter().map(|area| if total > 0.0 { area / total } else { equal }).collect()
}

/// Cells for which the surface of a shape is made at least: a coarse body may still look smooth.
const FINEST_SKIN: u32 = 32;

/// A surface filled with tetrahedra, and how it goes with them.
fn filled(
    surface: TriangleMesh,
    resolution: u32,
) -> Result<(TetMesh, Option<SkinGeometry>), meshing::MeshingError> {
    let options = FillOptions { resolution, ..FillOptions::default() };
    let mesh = meshing::fill(&surface, &options, &|_, _| {})?.mesh;
    let embedding = Embedding::new(&mesh, &surface.positions);
    Ok((mesh, Some(SkinGeometry { triangles: surface.triangles, embedding })))
}

impl SolidStart {
    fn apply(&self, rest: &[DVec3], seed: u64) -> Vec<DVec3> {
        let bounds = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = rest.iter().fold(bounds, |(low, high), x| (low.min(*x), high.max(*x)));
        let (middle, size) = (0.5 * (low + high), high - low);
        let mut random = Random(seed);
        rest.iter()
            .map(|x| {
                let x = if self.scatter { low + size * random.vector() } else { *x };
                let along = if size.x > 0.0 { (x.x - middle.x) / size.x } else { 0.0 };
                let turn = DQuat::from_rotation_x(self.twist.to_radians() * along);
                middle + turn * (self.stretch * (x - middle))
            })
            .collect()
    }
}
