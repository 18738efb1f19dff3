//! From a scene to its geometry.

use crate::at;
use glam::{DQuat, DVec2, DVec3};
use std::collections::HashMap;

use super::bodies::{inside_body, label, particle_limit, subject};
use super::error::{SceneError, SceneErrorKind, hint};
use super::geometry::{ClothGeometry, Material, PointsGeometry, SceneGeometry};
use super::keys::Lens;
use super::motion::{pose_at, rotation};
use super::{
    Body, BodyTable, BuildContext, Cloth, ClothShape, Collider, ColliderShape, ExpectParticle, Masses,
    ParticleReference, Pin, Points, PointsShape, Probe, Scene, check, join, joint, loading, magnetise,
    mesh_file, select,
};
use crate::limits;
use crate::limits::excerpt;
use crate::meshing::distance_field::value_count;
use crate::meshing::generate;
use crate::meshing::triangle_mesh::{MeshError, TriangleMesh};

pub(super) fn scene(scene: &Scene) -> Result<SceneGeometry, SceneError> {
    let mut geometry = SceneGeometry::default();
    for (i, body) in scene.numbered_bodies() {
        let name = label(body.name(), body.kind(), i);
        let context = BuildContext { name, total: geometry.particle_count() as u64, seed: scene.seed };
        body.build_into(&context, &mut geometry).map_err(|e| inside_body(e, i, body))?;
    }
    let (mut surface_triangles, mut field_values) = (0, 0);
    for (i, body) in scene.collider.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("collider", i, &subject("collider", i, Some(&body.name)));
        let surface = body.surface().map_err(here)?;
        surface_triangles += surface.as_ref().map_or(0, |s| s.triangles.len() as u64);
        if surface_triangles > limits::COLLIDER_TRIANGLES {
            let limit = limits::COLLIDER_TRIANGLES;
            let message = format!(
                "brings the colliders to {surface_triangles} triangles; the limit of a scene is {limit}"
            );
            return Err(here(SceneError::at(SceneErrorKind::Limit, "mesh", message)));
        }
        if let (Some(surface), Some(resolution)) = (&surface, body.shape.resolution()) {
            field_values += value_count(&surface.positions, resolution);
        }
        if field_values > limits::FIELD_VALUES {
            let message = format!(
                "brings the distance fields of the colliders to {field_values} values; the limit of a scene is {}: lower \
                 their `resolution`, or use one mesh for several",
                limits::FIELD_VALUES
            );
            return Err(here(SceneError::at(SceneErrorKind::Limit, "mesh", message)));
        }
        geometry.surfaces.push(surface);
    }
    geometry.joins = join::joins(scene, &geometry)?;
    geometry.joints = joint::joints(scene, &geometry)?;
    geometry.loads = loading::loads(scene, &geometry)?;
    geometry.magnetised = magnetise::magnetised(scene, &geometry)?;
    geometry.expected = expected(scene, &geometry)?;
    geometry.probes = probes(scene, &geometry)?;
    if let Some(file) = scene.start_from.as_ref().filter(|file| !file.is_file()) {
        let message = format!("names `{}`, which is no file; a run or the window saves one", file.display());
        return Err(SceneError::at(SceneErrorKind::File, "start_from", message));
    }
    Ok(geometry)
}

/// The particles that the scene's expectations are about.
fn expected(scene: &Scene, geometry: &SceneGeometry) -> Result<Vec<u32>, SceneError> {
    let particles = scene.expect.iter().flat_map(|e| &e.particle).enumerate();
    let find = |(i, wanted): (usize, &ExpectParticle)| {
        let here = |error: SceneError| {
            error.inside_entry("particle", i, &format!("particle {}", i + 1)).inside("expect")
        };
        one_particle(&wanted.body, wanted.particle, geometry).map_err(here)
    };
    for (i, wanted) in scene.expect.iter().flat_map(|e| &e.rigid).enumerate() {
        if !geometry.rigid.iter().any(|body| body.name == wanted.body) {
            let hint = hint(&wanted.body, geometry.rigid.iter().map(|body| body.name.as_str()));
            let message = format!("is \"{}\", and no rigid body has that name{hint}", excerpt(&wanted.body));
            let error = SceneError::at(SceneErrorKind::Reference, "body", message);
            return Err(error.inside_entry("rigid", i, &format!("rigid body {}", i + 1)).inside("expect"));
        }
    }
    particles.map(find).collect()
}

/// Those of its probes.
fn probes(scene: &Scene, geometry: &SceneGeometry) -> Result<Vec<u32>, SceneError> {
    let find = |(i, probe): (usize, &Probe)| {
        let here =
            |error: SceneError| error.inside_entry("probe", i, &subject("probe", i, Some(&probe.name)));
        one_particle(&probe.body, probe.particle, geometry).map_err(here)
    };
    scene.probe.iter().enumerate().map(find).collect()
}

/// A particle by its body's numbers.
fn one_particle(
    body: &str,
    particle: ParticleReference,
    geometry: &SceneGeometry,
) -> Result<u32, SceneError> {
    let refuse = |key, message: String| Err(SceneError::at(SceneErrorKind::Reference, key, message));
    let Some((_, positions)) = geometry.bodies().find(|(name, _)| *name == body) else {
        let known: Vec<&str> = geometry.bodies().map(|(name, _)| name).collect();
        let hint = hint(body, known.iter().copied());
        return refuse("body", format!("is \"{}\", and no body has that name{hint}", excerpt(body)));
    };
    let count = positions.len();
    match particle {
        ParticleReference::Index(index) if (index as usize) < count => Ok(index),
        ParticleReference::Index(index) => {
            refuse("index", format!("is {index}, but `{body}` has {count} particles (counted from 0)"))
        }
        ParticleReference::Nearest(point) => match select::nearest(positions, point) {
            Some(index) => Ok(index),
            None => refuse("nearest", format!("asks for a particle of `{body}`, which has none")),
        },
    }
}

impl BodyTable for Cloth {
    const KIND: &'static str = "cloth";
    const DOC: &'static str = "sheets";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    fn particle_count(&self) -> u64 {
        match self.shape {
            ClothShape::Grid { cells, .. } => {
                cells.map(|n| u64::from(n) + 1).into_iter().fold(1, u64::saturating_mul)
            }
            ClothShape::Disc { rings, .. } => {
                let k = u64::from(rings);
                (3 * k).saturating_mul(k + 1).saturating_add(1)
            }
            ClothShape::Cushion { cells, .. } => {
                let sheet = |less: u64| {
                    cells
                        .map(|n| (u64::from(n) + 1).saturating_sub(less))
                        .into_iter()
                        .fold(1, u64::saturating_mul)
                };
                sheet(0).saturating_add(sheet(2))
            }
            ClothShape::Sphere { level, .. } => 10 * 4u64.saturating_pow(level) + 2,
            ClothShape::Mesh { .. } => 0,
            ClothShape::Triangles(ref mesh) => mesh.positions.len() as u64,
        }
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let name = context.name.clone();
        geometry.cloth.push(ClothGeometry { name, ..self.build_checked(context.total)? });
        Ok(())
    }
}

impl Cloth {
    /// Validates the sheet and makes its geometry.
    pub fn build(&self) -> Result<ClothGeometry, SceneError> {
        Body::check(self)?;
        self.build_checked(0)
    }

    /// `total` particles have been made for other bodies.
    fn build_checked(&self, total: u64) -> Result<ClothGeometry, SceneError> {
        let turn = rotation(self.rotation);
        let mut cells = None;
        let (mut mesh, key) = match &self.shape {
            ClothShape::Grid { size, cells: n } => {
                cells = Some(*n);
                (generate::grid(*size, *n), "grid")
            }
            ClothShape::Disc { radius, rings } => (generate::disc(*radius, *rings), "disc"),
            ClothShape::Cushion { size, cells } => (generate::cushion(*size, *cells), "cushion"),
            ClothShape::Sphere { radius, level } => (generate::icosphere(*radius, *level), "sphere"),
            ClothShape::Mesh { file, scale } => {
                let mut mesh = mesh_file::read(file).map_err(|e| mesh_error(&e))?;
                mesh.positions.iter_mut().for_each(|x| *x *= *scale);
                (mesh, "mesh")
            }
            ClothShape::Triangles(mesh) => (mesh.clone(), "mesh"),
        };
        particle_limit(key, total + mesh.positions.len() as u64)?;
        if self.irregular > 0.0 {
            generate::scatter(&mut mesh, self.irregular).map_err(|e| self.mesh_fault(&e))?;
        }
        let flat = matches!(
            self.shape,
            ClothShape::Grid { .. } | ClothShape::Disc { .. } | ClothShape::Cushion { .. }
        );
        let material = if flat {
            Material::Flat(mesh.positions.iter().map(|x| x.truncate() * self.scale).collect())
        } else {
            check_texture(&mesh)?;
            mesh.check().and_then(|()| mesh.edges().map(drop)).map_err(|e| self.mesh_fault(&e))?;
            match self.pattern {
                Some(unit) => Material::Pattern(self.pattern_corners(&mesh, unit)?),
                None => Material::Curved(turn * DVec3::X),
            }
        };
        place(&mut mesh.positions, self.scale, turn, self.position, key)?;
        // Scaling and moving may have rounded thin triangles away.
        mesh.check().map_err(|e| self.mesh_fault(&e))?;
        let pins = select::pins(&self.pin, &mesh.positions, Some(&self.shape), &[])?;
        Ok(ClothGeometry { name: self.name.clone(), mesh, material, cells, origins: Vec::new(), pins })
    }

    /// The corners of each triangle as the texture lays them out, `unit` metres to its unit.
    fn pattern_corners(&self, mesh: &TriangleMesh, unit: f64) -> Result<Vec<[DVec2; 3]>, SceneError> {
        let Some(texture) = &mesh.texture_coordinates else {
            return Err(SceneError::at(
                SceneErrorKind::Mesh,
                "pattern",
                "the mesh has no texture coordinates at some face; the pattern is made of them",
            ));
        };
        let corners = texture.iter().map(|corners| corners.map(|uv| DVec2::from(uv) * unit * self.scale));
        let corners: Vec<[DVec2; 3]> = corners.collect();
        let flat = corners.iter().position(|&[a, b, c]| {
            let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
            (b - a).perp_dot(c - a).abs() <= FLAT_PATTERN * longest
        });
        let fault =
            |message: std::fmt::Arguments| Err(SceneError::at(SceneErrorKind::Mesh, "pattern", message));
        if let Some(triangle) = flat {
            return fault(format_args!(
                "triangle {triangle} has no area in the texture; lay its corners apart there"
            ));
        }
        if let Some([a, b]) = folded(mesh, &corners) {
            return fault(format_args!(
                "triangle {b} lies folded over triangle {a} in the texture; turn it over there, or cut a seam between them"
            ));
        }
        Ok(corners)
    }

    fn mesh_fault(&self, error: &MeshError) -> SceneError {
        match &self.shape {
            ClothShape::Mesh { file, .. } => SceneError::at(
                SceneErrorKind::Mesh,
                "mesh",
                format_args!("file `{}`: {error}", file.display()),
            ),
            ClothShape::Grid { .. } => {
                SceneError::at(SceneErrorKind::Mesh, "grid", format_args!("is too thin or too fine: {error}"))
            }
            ClothShape::Disc { .. } => {
                SceneError::at(SceneErrorKind::Mesh, "disc", format_args!("is too fine: {error}"))
            }
            ClothShape::Cushion { .. } | ClothShape::Sphere { .. } => {
                let key = if matches!(self.shape, ClothShape::Sphere { .. }) { "sphere" } else { "cushion" };
                SceneError::at(SceneErrorKind::Mesh, key, format_args!("is too thin or too fine: {error}"))
            }
            ClothShape::Triangles(_) => SceneError::at(SceneErrorKind::Mesh, "mesh", error),
        }
    }
}

/// Two neighbours that lie on the same side of their common edge in a pattern: one of them is inverted. Along a seam, where
/// the edge lies in two places, panels may lie as they like.
fn folded(mesh: &TriangleMesh, pattern: &[[DVec2; 3]]) -> Option<[usize; 2]> {
    let mut sides: HashMap<[u32; 2], (usize, [DVec2; 2], f64)> = HashMap::new();
    for (t, (triangle, corners)) in mesh.triangles.iter().zip(pattern).enumerate() {
        for k in 0..3 {
            let (i, j) =
                if triangle[k] < triangle[(k + 1) % 3] { (k, (k + 1) % 3) } else { ((k + 1) % 3, k) };
            let (ends, edge) = ([corners[i], corners[j]], [triangle[i], triangle[j]]);
            let side = (ends[1] - ends[0]).perp_dot(corners[(k + 2) % 3] - ends[0]);
            match sides.insert(edge, (t, ends, side)) {
                Some((other, same, before)) if same == ends && side * before > 0.0 => {
                    return Some([other, t]);
                }
                _ => {}
            }
        }
    }
    None
}

/// Twice a triangle's area over the square of its longest side, below which it has none.
const FLAT_PATTERN: f64 = 1e-9;

/// Meshes made in code may have any number of texture coordinates.
fn check_texture(mesh: &TriangleMesh) -> Result<(), SceneError> {
    match &mesh.texture_coordinates {
        Some(texture) if texture.len() != mesh.triangles.len() => Err(SceneError::at(
            SceneErrorKind::Mesh,
            "mesh",
            format_args!(
                "has texture coordinates of {} triangles and {} triangles",
                texture.len(),
                mesh.triangles.len()
            ),
        )),
        _ => Ok(()),
    }
}

pub(super) fn mesh_error(error: &mesh_file::MeshFileError) -> SceneError {
    SceneError::at(
        SceneErrorKind::Mesh,
        "mesh",
        format_args!("file `{}`: {}", error.file.display(), error.error),
    )
}

/// Scales, turns and moves particles into the world.
pub(super) fn place(
    positions: &mut [DVec3],
    scale: f64,
    turn: DQuat,
    position: DVec3,
    key: &'static str,
) -> Result<(), SceneError> {
    for (i, x) in positions.iter_mut().enumerate() {
        *x = turn * (*x * scale) + position;
        if !x.is_finite() || x.abs().max_element() > limits::COORDINATE {
            let limit = limits::COORDINATE;
            return Err(SceneError::at(
                SceneErrorKind::Limit,
                key,
                format_args!("puts particle {i} at {x}; coordinates end at {limit:e} m"),
            ));
        }
    }
    Ok(())
}

impl BodyTable for Points {
    const KIND: &'static str = "points";
    const DOC: &'static str = "particles with explicit links, triangles and tetrahedra";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    fn particle_count(&self) -> u64 {
        match &self.shape {
            PointsShape::Chain { links, .. } => u64::from(*links) + 1,
            PointsShape::List { points, .. } => points.len() as u64,
        }
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let name = context.name.clone();
        geometry.points.push(PointsGeometry { name, ..self.build_checked(context.total)? });
        Ok(())
    }
}

impl Points {
    /// Validates the body and makes its geometry.
    pub fn build(&self) -> Result<PointsGeometry, SceneError> {
        Body::check(self)?;
        self.build_checked(0)
    }

    fn build_checked(&self, total: u64) -> Result<PointsGeometry, SceneError> {
        let mut geometry = match &self.shape {
            PointsShape::Chain { from, to, links, mass } => {
                particle_limit("chain", total + u64::from(*links) + 1)?;
                let count = f64::from(*links);
                PointsGeometry {
                    name: String::new(),
                    positions: (0..=*links).map(|i| from.lerp(*to, f64::from(i) / count)).collect(),
                    masses: vec![mass / (count + 1.0); *links as usize + 1],
                    links: (0..*links).map(|i| [i, i + 1]).collect(),
                    triangles: Vec::new(),
                    tetrahedra: Vec::new(),
                    pins: Vec::new(),
                }
            }
            PointsShape::List { points, masses, links, triangles, tetrahedra } => {
                particle_limit("points", total + points.len() as u64)?;
                PointsGeometry {
                    name: String::new(),
                    positions: points.clone(),
                    masses: match masses {
                        Masses::Each(mass) => vec![*mass; points.len()],
                        Masses::List(masses) => masses.clone(),
                    },
                    links: links.clone(),
                    triangles: triangles.clone(),
                    tetrahedra: tetrahedra.clone(),
                    pins: Vec::new(),
                }
            }
        };
        let is_chain = matches!(self.shape, PointsShape::Chain { .. });
        let key = if is_chain { "chain" } else { "points" };
        geometry.name.clone_from(&self.name);
        place(&mut geometry.positions, self.scale, rotation(self.rotation), self.position, key)?;
        let x = &geometry.positions;
        // Sizes are compared with the corners' distances, so that no length is absolute.
        joined(if is_chain { "chain" } else { "links" }, "length", &geometry.links, x, |[a, b]| a != b)?;
        joined("triangles", "area", &geometry.triangles, x, |[a, b, c]| {
            let (u, v) = (b - a, c - a);
            u.cross(v).length() > FLAT * u.length() * v.length()
        })?;
        joined("tetrahedra", "volume", &geometry.tetrahedra, x, |[a, b, c, d]| {
            let (u, v, w) = (b - a, c - a, d - a);
            u.cross(v).dot(w).abs() > FLAT * u.length() * v.length() * w.length()
        })?;
        geometry.pins = select::pins(&self.pin, &geometry.positions, None, &[])?;
        Ok(geometry)
    }
}

/// Relative size below which a triangle or tetrahedron counts as flat: its gradient would be rounding error.
const FLAT: f64 = 1e-7;

/// Checks that elements name particles that exist, none twice, and have a size.
fn joined<const N: usize>(
    key: &'static str,
    size: &str,
    elements: &[[u32; N]],
    positions: &[DVec3],
    has_size: impl Fn([DVec3; N]) -> bool,
) -> Result<(), SceneError> {
    for (i, element) in elements.iter().enumerate() {
        let refuse = |message: String| Err(SceneError::at(SceneErrorKind::Reference, key, message).index(i));
        if let Some(p) = element.iter().find(|p| **p as usize >= positions.len()) {
            return refuse(format!(
                "{element:?} names particle {p}, but there are {} (counted from 0)",
                positions.len()
            ));
        }
        if (1..N).any(|k| element[..k].contains(&element[k])) {
            return refuse(format!("{element:?} names a particle twice"));
        }
        if !has_size(element.map(|p| positions[p as usize])) {
            return refuse(format!("{element:?} has no {size}"));
        }
    }
    Ok(())
}

impl Collider {
    /// Validates the collider and reads the closed surface of a mesh in its local frame, if it is one [m].
    pub fn surface(&self) -> Result<Option<TriangleMesh>, SceneError> {
        check::collider(self)?;
        let (mut mesh, scale) = match &self.shape {
            ColliderShape::Mesh { file, scale, .. } => {
                (mesh_file::read(file).map_err(|e| mesh_error(&e))?, *scale)
            }
            ColliderShape::Triangles { mesh, .. } => (mesh.clone(), 1.0),
            _ => return Ok(None),
        };
        place(&mut mesh.positions, scale, DQuat::IDENTITY, DVec3::ZERO, "mesh")?;
        mesh.check().and_then(|()| mesh.check_closed()).map_err(|e| match &self.shape {
            ColliderShape::Mesh { file, .. } => {
                SceneError::at(SceneErrorKind::Mesh, "mesh", format_args!("file `{}`: {e}", file.display()))
            }
            _ => SceneError::at(SceneErrorKind::Mesh, "mesh", e),
        })?;
        Ok(Some(mesh))
    }

    /// The rotation and translation from the local frame to the world at a time [s].
    pub fn frame_at(&self, time: f64) -> (DQuat, DVec3) {
        let pose = pose_at(&self.motion, time);
        (pose.rotation * rotation(self.rotation), pose.apply(self.position, self.pivot()))
    }
}
