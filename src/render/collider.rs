//! Obstacles as meshes: spheres, boxes, capsules, planes and whatever the user loaded.

use super::error::RenderError;
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// An obstacle, drawn in its own colour and never coloured by scalars.
#[derive(Clone, Debug)]
pub struct Collider {
    pub shape: ColliderShape,
    /// World from collider: a rotation and a translation. [`super::Drawing::set_collider_pose`] changes it.
    pub pose: Mat4,
    /// sRGB, 0 to 1.
    pub colour: [f32; 3],
}

/// The form of an obstacle in its own frame; lengths in metres.
#[derive(Clone, Debug)]
pub enum ColliderShape {
    Sphere {
        radius: f32,
    },
    Box {
        half: Vec3,
    },
    /// Along y, from −`half_length` to +`half_length` between the centres of its round ends.
    Capsule {
        half_length: f32,
        radius: f32,
    },
    /// A square in the plane y = 0. It receives shadows and casts none.
    Plane {
        half_size: f32,
    },
    Mesh {
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
    },
}

/// A grey that steps back behind the bodies, sRGB.
const QUIET: [f32; 3] = [0.60, 0.60, 0.61];

impl Collider {
    /// A collider in the default quiet grey.
    pub fn new(shape: ColliderShape, pose: Mat4) -> Self {
        Self { shape, pose, colour: QUIET }
    }

    /// Planes lie under everything: they would only stretch the shadow maps.
    pub(super) fn casts_shadow(&self) -> bool {
        !matches!(self.shape, ColliderShape::Plane { .. })
    }

    pub(super) fn mesh(&self, index: usize) -> Result<Mesh, RenderError> {
        let refusal = |reason: String| RenderError::Collider { index, reason };
        if !self.pose.is_finite() {
            return Err(refusal("its pose is not finite".into()));
        }
        let length = |name: &str, value: f32| {
            let reason = format!("{name} is {value} m; it must be finite and above zero");
            if value.is_finite() && value > 0.0 { Ok(()) } else { Err(refusal(reason)) }
        };
        match &self.shape {
            ColliderShape::Sphere { radius } => {
                length("radius", *radius)?;
                Ok(round(0.0, *radius))
            }
            ColliderShape::Box { half } => {
                for (name, value) in ["half.x", "half.y", "half.z"].into_iter().zip(half.to_array()) {
                    length(name, value)?;
                }
                Ok(cuboid(*half))
            }
            ColliderShape::Capsule { half_length, radius } => {
                length("radius", *radius)?;
                if !(half_length.is_finite() && *half_length >= 0.0) {
                    return Err(refusal(format!("half length is {half_length} m; it must not be negative")));
                }
                Ok(round(*half_length, *radius))
            }
            ColliderShape::Plane { half_size } => {
                length("half size", *half_size)?;
                let mut mesh = Mesh::default();
                mesh.patch(48, |uv| (Vec3::new(uv.x, 0.0, -uv.y) * *half_size, Vec3::Y));
                Ok(mesh)
            }
            ColliderShape::Mesh { vertices, triangles } => {
                let count = vertices.len();
                if let Some(bad) = triangles.iter().flatten().find(|&&i| i as usize >= count) {
                    return Err(refusal(format!("a triangle refers to vertex {bad} of {count}")));
                }
                Ok(Mesh {
                    normals: smooth_normals(vertices, triangles),
                    vertices: vertices.clone(),
                    triangles: triangles.clone(),
                })
            }
        }
    }
}

/// A triangle mesh with a normal per vertex.
#[derive(Default)]
pub(super) struct Mesh {
    pub vertices: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Adds a grid of cells² quads; `place` maps −1…1 squared to a vertex and its normal.
    fn patch(&mut self, cells: u32, place: impl Fn(Vec2) -> (Vec3, Vec3)) {
        let first = self.vertices.len() as u32;
        for row in 0..=cells {
            for column in 0..=cells {
                let uv = Vec2::new(column as f32, row as f32) * (2.0 / cells as f32) - 1.0;
                let (vertex, normal) = place(uv);
                self.vertices.push(vertex);
                self.normals.push(normal);
            }
        }
        let stride = cells + 1;
        for row in 0..cells {
            for column in 0..cells {
                let a = first + row * stride + column;
                self.triangles.push([a, a + 1, a + stride]);
                self.triangles.push([a + 1, a + stride + 1, a + stride]);
            }
        }
    }
}

/// A sphere, or a capsule along y: rings from the south to the north pole, the equator doubled.
fn round(half_length: f32, radius: f32) -> Mesh {
    const SIDES: u32 = 64;
    const RINGS: u32 = 16; // from a pole to the equator
    let mut mesh = Mesh::default();
    let mut rings: Vec<(f32, f32)> = Vec::new(); // latitude and height of the centre
    rings.extend((0..=RINGS).map(|k| (-0.5 * PI * (1.0 - k as f32 / RINGS as f32), -half_length)));
    if half_length > 0.0 {
        // Vertices along the side carry the ambient light; without them it would smear from end to end.
        let steps = ((2.0 * half_length / radius).ceil() * 4.0).clamp(1.0, 64.0) as u32;
        rings.extend((1..steps).map(|k| (0.0, half_length * (2.0 * k as f32 / steps as f32 - 1.0))));
    }
    let north = if half_length > 0.0 { 0 } else { 1 };
    rings.extend((north..=RINGS).map(|k| (0.5 * PI * k as f32 / RINGS as f32, half_length)));
    for &(latitude, height) in &rings {
        for side in 0..=SIDES {
            let (sin, cos) = (TAU * side as f32 / SIDES as f32).sin_cos();
            let normal = Vec3::new(sin * latitude.cos(), latitude.sin(), cos * latitude.cos());
            mesh.vertices.push(Vec3::Y * height + normal * radius);
            mesh.normals.push(normal);
        }
    }
    let stride = SIDES + 1;
    for ring in 0..rings.len() as u32 - 1 {
        for side in 0..SIDES {
            let a = ring * stride + side;
            mesh.triangles.push([a, a + 1, a + stride]);
            mesh.triangles.push([a + 1, a + stride + 1, a + stride]);
        }
    }
    mesh
}

/// A box whose edges are slightly rounded, so that they catch light as real ones do.
fn cuboid(half: Vec3) -> Mesh {
    const CELLS: u32 = 20;
    const ROUND: f32 = 0.04; // radius of the edges over the shortest half side
    let radius = ROUND * half.min_element();
    let core = half - radius;
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            mesh.patch(CELLS, |uv| {
                // The outermost cells bend around the edge, to the diagonal where they meet the next face.
                let bend = |t: f32, core: f32| {
                    let inner = 1.0 - 4.0 / CELLS as f32;
                    let past = ((t.abs() - inner) / (1.0 - inner)).max(0.0);
                    let flat = (t / inner).clamp(-1.0, 1.0) * core;
                    (flat, t.signum() * (0.25 * PI * past).tan())
                };
                let (a, slope_a) = bend(uv.x * sign, core[u]);
                let (b, slope_b) = bend(uv.y, core[v]);
                let mut centre = Vec3::ZERO;
                centre[axis] = sign * core[axis];
                centre[u] = a;
                centre[v] = b;
                let mut normal = Vec3::ZERO;
                normal[axis] = sign;
                normal[u] = slope_a;
                normal[v] = slope_b;
                let normal = normal.normalize();
                (centre + normal * radius, normal)
            });
        }
    }
    mesh
}

fn smooth_normals(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; vertices.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        let area = (b - a).cross(c - a);
        for &corner in triangle {
            normals[corner as usize] += area;
        }
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_shape() -> Vec<ColliderShape> {
        vec![
            ColliderShape::Sphere { radius: 0.3 },
            ColliderShape::Box { half: Vec3::new(0.2, 0.5, 1.0) },
            ColliderShape::Capsule { half_length: 0.4, radius: 0.1 },
            ColliderShape::Plane { half_size: 2.0 },
        ]
    }

    #[test]
    fn triangles_wind_around_their_outward_normals() {
        for shape in every_shape() {
            let mesh = Collider::new(shape.clone(), Mat4::IDENTITY).mesh(0).unwrap();
            for triangle in &mesh.triangles {
                let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize]);
                let area = (b - a).cross(c - a);
                if area.length() < 1e-8 {
                    continue; // at a pole
                }
                let normal: Vec3 = triangle.iter().map(|&i| mesh.normals[i as usize]).sum();
                assert!(area.dot(normal) > 0.0, "{shape:?}: {triangle:?} is inside out");
            }
        }
    }

    #[test]
    fn a_box_reaches_exactly_its_half_sides() {
        let half = Vec3::new(0.2, 0.5, 1.0);
        let mesh = cuboid(half);
        let reach = mesh.vertices.iter().fold(Vec3::ZERO, |reach, v| reach.max(v.abs()));
        assert!(reach.distance(half) < 1e-6);
    }

    #[test]
    fn a_shape_without_size_is_refused() {
        let collider = Collider::new(ColliderShape::Sphere { radius: -1.0 }, Mat4::IDENTITY);
        let message = collider.mesh(3).err().unwrap().to_string();
        assert_eq!(message, "collider 3: radius is -1 m; it must be finite and above zero");
        let triangles = vec![[0, 1, 2]];
        let shape = ColliderShape::Mesh { vertices: vec![Vec3::ZERO; 2], triangles };
        assert!(Collider::new(shape, Mat4::IDENTITY).mesh(0).is_err());
    }
}
