//! Rigid bodies: what a scene says of them, and what is made of that.

use super::bodies::particle_limit;
use super::error::{SceneError, SceneErrorKind};
use super::geometry::{ResolvedPin, SceneGeometry};
use super::keys::Lens;
use super::motion::rotation;
use super::rigid_cells::{MagnetCell, Susceptible};
use super::{Body, BodyTable, BuildContext, Pin, VACUUM, build, mesh_file, select};
use crate::at;
use crate::limits;
use crate::meshing::hull::hull;
use crate::meshing::mass::MassProperties;
use crate::meshing::triangle_mesh::TriangleMesh;
use crate::meshing::{Shape, generate};
use glam::{DMat3, DQuat, DVec3};
use std::path::PathBuf;

/// A body that does not bend.
#[derive(Debug, Clone, PartialEq)]
pub struct Rigid {
    /// Unique over all bodies and colliders; if empty, the body is called `rigid 1`, `rigid 2`, …
    pub name: String,
    /// The solid, in its local frame.
    pub shape: RigidShape,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Initial velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Initial angular velocity, about the axes of the world [rad/s].
    pub spin: DVec3,
    /// [kg/m³].
    pub density: f64,
    /// [kg]; by default the volume times the density.
    pub mass: Option<f64>,
    /// Moments of inertia about the local axes through the centre of mass [kg m²]; by default those of the shape.
    pub inertia: Option<DVec3>,
    /// Magnetic moment along the local axes [A m²].
    pub moment: Option<DVec3>,
    /// Remanence along the local axes [T]: the moment is that times the volume over μ₀.
    pub remanence: Option<DVec3>,
    /// How easily a field magnetises it: χ, the magnetisation over the field within.
    pub susceptibility: Option<f64>,
    /// Dipoles along the longest edge of a body with remanence or susceptibility; by default 1 for balls, and 6 or 5 for others.
    pub cells: Option<u32>,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Speed after a bounce over the speed before it.
    pub restitution: f64,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// What holds the centre of mass.
    pub pin: Vec<Pin>,
}

impl Default for Rigid {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: RigidShape::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            density: 1000.0,
            mass: None,
            inertia: None,
            moment: None,
            remanence: None,
            susceptibility: None,
            cells: None,
            friction: 0.3,
            restitution: 0.0,
            colour: None,
            pin: Vec::new(),
        }
    }
}

/// The solid of a rigid body, in its local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum RigidShape {
    /// A ball around the origin [m].
    Sphere { radius: f64 },
    /// A cuboid around the origin, by its edge lengths [m].
    Box { size: DVec3 },
    /// A capsule around the origin along y; `length` is between the centres of the caps [m].
    Capsule { radius: f64, length: f64 },
    /// The inside of a closed mesh file: `.obj`, `.ply` or `.stl`.
    Mesh { file: PathBuf, scale: f64 },
    /// The convex hull of points [m].
    Hull { points: Vec<DVec3> },
    /// Several solids in one.
    Compound { parts: Vec<RigidPart> },
    /// The inside of a closed mesh made in code.
    Triangles(TriangleMesh),
}

/// A solid of a compound, and where it is in the body's local frame.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidPart {
    pub shape: RigidShape,
    /// [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
}

impl Default for RigidPart {
    fn default() -> Self {
        Self { shape: RigidShape::default(), position: DVec3::ZERO, rotation: DVec3::ZERO }
    }
}

impl RigidPart {
    /// From the part's frame to the body's.
    fn place(&self, x: DVec3) -> DVec3 {
        rotation(self.rotation) * x + self.position
    }
}

impl Default for RigidShape {
    fn default() -> Self {
        Self::Sphere { radius: 0.1 }
    }
}

/// A rigid body in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidGeometry {
    /// The body's name.
    pub name: String,
    /// The centre of mass at the start, the only particle [m].
    pub positions: Vec<DVec3>,
    /// [kg].
    pub mass: f64,
    /// Principal moments of inertia [kg m²].
    pub moments: DVec3,
    /// The principal axes at the start.
    pub orientation: DQuat,
    /// What is drawn: vertices from the centre along the principal axes [m]. Creases have a vertex for each side.
    pub surface: TriangleMesh,
    /// The dipoles of a magnet, from the centre along the principal axes.
    pub cells: Vec<MagnetCell>,
    /// How they answer to a field, if that alone makes them magnets.
    pub susceptible: Option<Susceptible>,
    /// What touches others, along the principal axes.
    pub features: Vec<Feature>,
    /// The same solid as a distance, where that has a closed form.
    pub solid: Option<RigidSolid>,
    /// The pins, in the order of the scene.
    pub pins: Vec<ResolvedPin>,
}

/// A point of a rigid body that touches others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feature {
    /// From the centre of mass along the principal axes [m].
    pub arm: DVec3,
    /// Of the ball around it [m].
    pub radius: f64,
}

/// A solid around the centre of mass whose distance has a closed form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RigidSolid {
    /// Half edges along the principal axes [m].
    Box { half: DVec3 },
    /// Along the second principal axis; a ball has no length [m].
    Capsule { radius: f64, half_length: f64 },
}

impl RigidGeometry {
    /// Half the mean distance of the surface from the centre: near enough to be picked by [m].
    pub fn reach(&self) -> f64 {
        let vertices = &self.surface.positions;
        0.5 * vertices.iter().map(|x| x.length()).sum::<f64>() / vertices.len().max(1) as f64
    }
}

impl BodyTable for Rigid {
    const KIND: &'static str = "rigid";
    const DOC: &'static str = "bodies that do not bend";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    fn particle_count(&self) -> u64 {
        1
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let name = context.name.clone();
        geometry.rigid.push(RigidGeometry { name, ..self.build_checked(context.total)? });
        Ok(())
    }
}

/// Angle between neighbouring faces from which on the edge between them is drawn as a crease [degrees].
const CREASE: f64 = 35.0;
/// Segments around a capsule as it is drawn, and subdivisions of a ball's icosahedron.
const AROUND: u32 = 32;
const SUBDIVISIONS: u32 = 3;
/// Points along the axis of a capsule, at most.
const MOST_ALONG: f64 = 16.0;

impl Rigid {
    /// Validates the body and makes its geometry.
    pub fn build(&self) -> Result<RigidGeometry, SceneError> {
        Body::check(self)?;
        self.build_checked(0)
    }

    /// `total` particles have been made for other bodies.
    fn build_checked(&self, total: u64) -> Result<RigidGeometry, SceneError> {
        let key = self.shape_key();
        particle_limit(key, total + 1)?;
        let surface = self.shape.surface()?;
        let unit = self.shape.unit(&surface);
        let mass = self.mass.unwrap_or(self.density * unit.mass);
        let mut properties = unit.times(mass / unit.mass);
        if let Some(inertia) = self.inertia {
            properties.inertia = DMat3::from_diagonal(inertia);
        }
        let (moments, axes) = properties.principal();
        let light = |value: f64| !(value.is_finite() && value >= limits::LEAST_INERTIA);
        if light(mass) || light(moments.min_element()) {
            let message = format!(
                "has a mass of {mass:e} kg and moments of inertia of {moments} kg m²; they must be finite and at least {:e}",
                limits::LEAST_INERTIA
            );
            return Err(SceneError::at(SceneErrorKind::Value, key, message));
        }
        let turn = rotation(self.rotation);
        let mut centre = [properties.centre];
        build::place(&mut centre, 1.0, turn, self.position, key)?;
        let about = |x: &DVec3| axes.conjugate() * (*x - properties.centre);
        let features = self.shape.features(&surface).into_iter();
        let features = features.map(|feature| Feature { arm: about(&feature.arm), ..feature });
        let features: Vec<Feature> = features.collect();
        if features.len() > limits::RIGID_FEATURES {
            let message = format!(
                "has {} vertices; the limit of a rigid body is {}: simplify the mesh",
                features.len(),
                limits::RIGID_FEATURES
            );
            return Err(SceneError::at(SceneErrorKind::Limit, key, message));
        }
        let mut drawn = creased(&surface);
        drawn.positions.iter_mut().for_each(|x| *x = about(x));
        let solid = match self.shape {
            RigidShape::Sphere { radius } => Some(RigidSolid::Capsule { radius, half_length: 0.0 }),
            RigidShape::Box { size } => Some(RigidSolid::Box { half: 0.5 * size }),
            RigidShape::Capsule { radius, length } => {
                Some(RigidSolid::Capsule { radius, half_length: 0.5 * length })
            }
            _ => None,
        };
        let moment = self.moment.or(self.remanence.map(|b| b * unit.mass / VACUUM)).unwrap_or_default();
        let (cells, susceptible) = match self.susceptible_cells(&surface, &unit)? {
            Some((cells, susceptible)) => {
                (cells, Some(Susceptible { turn: axes.conjugate(), ..susceptible }))
            }
            None => (self.magnet_cells(&surface, &unit, moment)?, None),
        };
        let cells = cells.into_iter().map(|cell| MagnetCell {
            arm: about(&cell.arm),
            moment: axes.conjugate() * cell.moment,
            ..cell
        });
        Ok(RigidGeometry {
            name: self.name.clone(),
            mass,
            cells: cells.collect(),
            susceptible,
            moments,
            orientation: (turn * axes).normalize(),
            surface: drawn,
            features,
            solid,
            pins: select::pins(&self.pin, &centre, None, &[])?,
            positions: centre.to_vec(),
        })
    }
}

impl RigidShape {
    /// The closed surface in the local frame [m].
    fn surface(&self) -> Result<TriangleMesh, SceneError> {
        let (mesh, file) = match self {
            Self::Sphere { radius } => return Ok(generate::icosphere(*radius, SUBDIVISIONS)),
            Self::Box { size } => return Ok(Shape::Box { size: *size }.surface(1)),
            Self::Capsule { radius, length } => {
                return Ok(generate::capsule(*radius, *length, AROUND));
            }
            Self::Hull { points } => {
                let message =
                    format!("of {} points is flat; give at least four that lie in no plane", points.len());
                return hull(points).ok_or_else(|| SceneError::at(SceneErrorKind::Mesh, "hull", message));
            }
            Self::Compound { parts } => {
                let mut all = TriangleMesh::default();
                for part in parts {
                    let mesh = part.shape.surface()?;
                    let start = all.positions.len() as u32;
                    all.positions.extend(mesh.positions.iter().map(|x| part.place(*x)));
                    all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| start + v)));
                }
                return Ok(all);
            }
            Self::Mesh { file, scale } => {
                let mut mesh = mesh_file::read(file).map_err(|e| build::mesh_error(&e))?;
                mesh.positions.iter_mut().for_each(|x| *x *= *scale);
                (mesh, Some(file))
            }
            Self::Triangles(mesh) => (mesh.clone(), None),
        };
        let fault = |message: &dyn std::fmt::Display| {
            let place = file.map(|file| format!("file `{}`: ", file.display())).unwrap_or_default();
            SceneError::at(SceneErrorKind::Mesh, "mesh", format_args!("{place}{message}"))
        };
        mesh.check().and_then(|()| mesh.check_closed()).map_err(|e| fault(&e))?;
        if mesh.signed_volume() <= 0.0 {
            return Err(fault(&"is inside out; turn its triangles over, so that they face outwards"));
        }
        Ok(mesh)
    }

    /// The solid with a density of 1; `surface` is its own.
    fn unit(&self, surface: &TriangleMesh) -> MassProperties {
        match self {
            Self::Sphere { radius } => MassProperties::ball(*radius),
            Self::Box { size } => MassProperties::cuboid(*size),
            Self::Capsule { radius, length } => MassProperties::capsule(*radius, *length),
            Self::Compound { parts } => {
                let unit = |part: &RigidPart| {
                    let surface = part.shape.surface().unwrap_or_default();
                    part.shape.unit(&surface).placed(rotation(part.rotation), part.position)
                };
                MassProperties::of_parts(&parts.iter().map(unit).collect::<Vec<_>>())
            }
            Self::Hull { .. } | Self::Mesh { .. } | Self::Triangles(_) => MassProperties::of_surface(surface),
        }
    }

    /// The points by which it touches distance fields.
    fn features(&self, surface: &TriangleMesh) -> Vec<Feature> {
        match self {
            Self::Compound { parts } => {
                let of = |part: &RigidPart| {
                    let surface = part.shape.surface().unwrap_or_default();
                    let own = part.shape.features(&surface).into_iter();
                    own.map(|feature| Feature { arm: part.place(feature.arm), ..feature }).collect::<Vec<_>>()
                };
                parts.iter().flat_map(of).collect()
            }
            Self::Hull { .. } | Self::Mesh { .. } | Self::Triangles(_) => {
                surface.positions.iter().map(|x| Feature { arm: *x, radius: 0.0 }).collect()
            }
            shape => features(shape),
        }
    }
}

/// The points by which a solid with a closed form touches distance fields.
fn features(shape: &RigidShape) -> Vec<Feature> {
    match *shape {
        RigidShape::Sphere { radius } => vec![Feature { arm: DVec3::ZERO, radius }],
        RigidShape::Capsule { radius, length } => {
            let steps = (length / radius).ceil().clamp(1.0, MOST_ALONG);
            let along = |k: u32| Feature { arm: DVec3::Y * length * (f64::from(k) / steps - 0.5), radius };
            // The ends first: what lies flat rests on them.
            let inner = (1..steps as u32).map(along);
            [along(0), along(steps as u32)].into_iter().chain(inner).collect()
        }
        RigidShape::Box { size } => {
            let place = |k: u32| [-0.5, 0.5, 0.0][k as usize % 3];
            let all = (0..27).map(|k| DVec3::new(place(k), place(k / 3), place(k / 9)));
            let mut points: Vec<DVec3> = all.filter(|x| *x != DVec3::ZERO).collect();
            // Corners first, then the middles of edges, then those of faces.
            points.sort_by_key(|x| x.to_array().iter().filter(|&&c| c == 0.0).count());
            points.into_iter().map(|x| Feature { arm: size * x, radius: 0.0 }).collect()
        }
        _ => Vec::new(),
    }
}

/// The surface with vertices of their own for the faces on each side of a crease, so that shading does not round it.
fn creased(mesh: &TriangleMesh) -> TriangleMesh {
    let normal = |t: usize| {
        let [a, b, c] = mesh.corners(t);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let least = CREASE.to_radians().cos();
    let mut sides: Vec<Vec<(DVec3, u32)>> = vec![Vec::new(); mesh.positions.len()];
    let mut drawn = TriangleMesh::default();
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let n = normal(t);
        let corners = triangle.map(|v| {
            let known = &mut sides[v as usize];
            let found = known.iter().find(|(other, _)| other.dot(n) >= least).map(|&(_, vertex)| vertex);
            found.unwrap_or_else(|| {
                drawn.positions.push(mesh.positions[v as usize]);
                let vertex = drawn.positions.len() as u32 - 1;
                known.push((n, vertex));
                vertex
            })
        });
        drawn.triangles.push(corners);
    }
    drawn
}
