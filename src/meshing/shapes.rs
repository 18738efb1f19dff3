//! Bodies that need no file: box, ball, cylinder, torus, and a rabbit.
//!
//! Every shape is a closed surface around the origin (the rabbit stands on it) and can be filled with tetrahedra.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, UVec3};

use super::fill::{FillOptions, Stage, fill};
use super::isosurface::isosurface;
use super::lattice::Lattice;
use super::{MOST_CELLS, MeshingError};
use crate::limits;
use crate::meshing::generate::{icosphere, torus};
use crate::meshing::tet_mesh::TetMesh;
use crate::meshing::triangle_mesh::TriangleMesh;

/// A body by its measures [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Sides along the axes.
    Box {
        size: DVec3,
    },
    Ball {
        radius: f64,
    },
    /// Around the y-axis.
    Cylinder {
        radius: f64,
        height: f64,
    },
    /// A tube of radius `minor` around the y-axis; its middle has radius `major`.
    Torus {
        major: f64,
        minor: f64,
    },
    /// It sits on the origin and looks along x; `height` is that of its ears.
    Rabbit {
        height: f64,
    },
}

impl Shape {
    /// The names of the shapes, for a command line.
    pub const NAMES: [&str; 5] = ["box", "ball", "cylinder", "torus", "rabbit"];

    /// Its name among [`Self::NAMES`], which is also its key in a scene.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box { .. } => "box",
            Self::Ball { .. } => "ball",
            Self::Cylinder { .. } => "cylinder",
            Self::Torus { .. } => "torus",
            Self::Rabbit { .. } => "rabbit",
        }
    }

    /// A shape of that name with a size of about one metre.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "box" => Self::Box { size: DVec3::ONE },
            "ball" => Self::Ball { radius: 0.5 },
            "cylinder" => Self::Cylinder { radius: 0.25, height: 1.0 },
            "torus" => Self::Torus { major: 0.35, minor: 0.15 },
            "rabbit" => Self::Rabbit { height: 1.0 },
            _ => return None,
        })
    }

    /// The closed surface, with edges of about half a cell when `resolution` cells lie along the longest side.
    pub fn surface(&self, resolution: u32) -> TriangleMesh {
        let fine = 2 * resolution.clamp(4, MOST_CELLS);
        match *self {
            Self::Box { size } => box_surface(size),
            Self::Ball { radius } => {
                // An icosahedron has edges of about its radius, and each subdivision halves them.
                let subdivisions = (f64::from(fine) / 2.0).log2().ceil().clamp(3.0, 7.0);
                icosphere(radius, subdivisions as u32)
            }
            Self::Cylinder { radius, height } => {
                let edge = height.max(2.0 * radius) / f64::from(fine);
                let around = (TAU * radius / edge).ceil().clamp(24.0, 4096.0);
                cylinder_surface(radius, height, around as u32)
            }
            Self::Torus { major, minor } => {
                let edge = 2.0 * (major + minor) / f64::from(fine);
                let count = |length: f64| (length / edge).ceil().clamp(24.0, 2048.0) as u32;
                torus(major, minor, [count(TAU * major), count(TAU * minor)])
            }
            Self::Rabbit { height } => rabbit_surface(height, fine.min(128)),
        }
    }

    /// The shape filled with tetrahedra, `resolution` cells along its longest side. A box is cut exactly, into cells as
    /// cubic as its sides allow.
    pub fn fill(
        &self,
        options: &FillOptions,
        progress: &(dyn Fn(Stage, f64) + Sync),
    ) -> Result<TetMesh, MeshingError> {
        let Self::Box { size } = *self else {
            return Ok(fill(&self.surface(options.resolution), options, progress)?.mesh);
        };
        if !(1..=MOST_CELLS).contains(&options.resolution) {
            return Err(MeshingError::Resolution { resolution: options.resolution });
        }
        let cell = size.max_element() / f64::from(options.resolution);
        let cells = (size / cell).round().as_uvec3().max(UVec3::ONE).to_array();
        let count = 5 * cells.iter().map(|&n| u64::from(n)).product::<u64>();
        if count > limits::TETRAHEDRA {
            return Err(MeshingError::TooLarge { what: "tetrahedra", count, limit: limits::TETRAHEDRA });
        }
        Ok(TetMesh::cuboid(size, cells))
    }

    /// The volume known on paper [m³]; none for the rabbit.
    pub fn volume(&self) -> Option<f64> {
        match *self {
            Self::Box { size } => Some(size.element_product()),
            Self::Ball { radius } => Some(4.0 / 3.0 * PI * radius.powi(3)),
            Self::Cylinder { radius, height } => Some(PI * radius * radius * height),
            Self::Torus { major, minor } => Some(2.0 * PI * PI * major * minor * minor),
            Self::Rabbit { .. } => None,
        }
    }
}

fn box_surface(size: DVec3) -> TriangleMesh {
    let corner = |b: u32| 0.5 * size * (2.0 * UVec3::new(b & 1, b >> 1 & 1, b >> 2).as_dvec3() - 1.0);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    TriangleMesh {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        texture_coordinates: None,
    }
}

fn cylinder_surface(radius: f64, height: f64, around: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for y in [-0.5 * height, 0.5 * height] {
        for i in 0..around {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
            mesh.positions.push(DVec3::new(radius * cos, y, radius * sin));
        }
    }
    mesh.positions.extend([DVec3::new(0.0, -0.5 * height, 0.0), DVec3::new(0.0, 0.5 * height, 0.0)]);
    let [bottom, top] = [2 * around, 2 * around + 1];
    for i in 0..around {
        let next = (i + 1) % around;
        let [a, b, c, d] = [i, next, around + next, around + i];
        mesh.triangles.extend([[a, c, b], [a, d, c], [bottom, a, b], [top, c, d]]);
    }
    mesh
}

/// A rounded cone between two balls: its ends and their radii. A ball has both ends in one place.
struct Limb {
    ends: [DVec3; 2],
    radii: [f64; 2],
}

/// The right half of a rabbit one metre high; the left is its mirror image.
fn limbs() -> Vec<Limb> {
    let limb = |a: [f64; 3], ra: f64, b: [f64; 3], rb: f64| Limb {
        ends: [DVec3::from_array(a), DVec3::from_array(b)],
        radii: [ra, rb],
    };
    vec![
        // Belly and chest, neck and head, muzzle.
        limb([-0.16, 0.25, 0.0], 0.23, [0.10, 0.31, 0.0], 0.19),
        limb([0.16, 0.36, 0.0], 0.13, [0.25, 0.52, 0.0], 0.12),
        limb([0.25, 0.57, 0.0], 0.145, [0.37, 0.53, 0.0], 0.09),
        // Ear, haunch, hind foot, forefoot, tail.
        limb([0.20, 0.68, 0.055], 0.045, [0.06, 0.94, 0.115], 0.055),
        limb([-0.16, 0.19, 0.13], 0.15, [-0.06, 0.17, 0.16], 0.11),
        limb([-0.14, 0.05, 0.17], 0.055, [0.12, 0.05, 0.18], 0.05),
        limb([0.20, 0.28, 0.09], 0.08, [0.27, 0.05, 0.09], 0.05),
        limb([-0.42, 0.24, 0.0], 0.085, [-0.42, 0.24, 0.0], 0.085),
    ]
}

/// Distance from a limb along its middle line: the ends' radii are blended along it.
fn limb_distance(limb: &Limb, x: DVec3) -> f64 {
    let [a, b] = limb.ends;
    let along = b - a;
    let t = ((x - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    x.distance(a + along * t) - (limb.radii[0] + (limb.radii[1] - limb.radii[0]) * t)
}

/// Limbs grown together: the smooth minimum −k ln Σ exp(−dᵢ/k) of their distances.
fn rabbit_surface(height: f64, cells: u32) -> TriangleMesh {
    const BLEND: f64 = 0.022;
    let limbs = limbs();
    let field = |x: DVec3| {
        let mirrored = DVec3::new(x.x, x.y, x.z.abs());
        // The largest term is taken out, so that no exponential overflows or all of them vanish.
        let distances = limbs.iter().map(|limb| limb_distance(limb, mirrored));
        let least = distances.clone().fold(f64::INFINITY, f64::min);
        let sum: f64 = distances.map(|d| ((least - d) / BLEND).exp()).sum();
        least - BLEND * sum.ln()
    };
    // Odd in z, so that the mirror plane lies in the middle of the lattice.
    let cell = 1.04 / f64::from(cells);
    let size = DVec3::new(1.12, 1.08, 0.64);
    let counts = (size / cell).ceil().as_uvec3();
    let low = DVec3::new(-0.58, -0.03, -0.5 * cell * f64::from(counts.z));
    let lattice = Lattice { origin: low, cell: DVec3::splat(cell), cells: counts };
    let mut mesh = isosurface(&lattice, field);
    let (bottom, top) = mesh
        .positions
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x.y), high.max(x.y)));
    let scale = height / (top - bottom);
    mesh.positions.iter_mut().for_each(|x| *x = (*x - DVec3::new(0.0, bottom, 0.0)) * scale);
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_a_closed_surface_of_its_volume() {
        for name in Shape::NAMES {
            let shape = Shape::named(name).unwrap();
            let surface = shape.surface(32);
            surface.check().unwrap_or_else(|e| panic!("{name}: {e}"));
            surface.check_closed().unwrap_or_else(|e| panic!("{name}: {e}"));
            if let Some(volume) = shape.volume() {
                assert!((surface.signed_volume() / volume - 1.0).abs() < 3e-3, "{name}");
            }
        }
        assert_eq!(Shape::named("teapot"), None);
    }

    #[test]
    fn the_rabbit_is_as_high_as_asked_and_the_same_at_any_size() {
        let [small, large] = [0.1, 2.0].map(|height| Shape::Rabbit { height }.surface(16));
        assert_eq!(small.triangles, large.triangles);
        let top = large.positions.iter().map(|x| x.y).fold(0.0, f64::max);
        assert!((top - 2.0).abs() < 1e-9);
        let volume = large.signed_volume() / 8.0;
        assert!((0.05..0.2).contains(&volume), "{volume}");
    }

    #[test]
    fn a_box_is_cut_exactly() {
        let options = FillOptions { resolution: 10, ..FillOptions::default() };
        let size = DVec3::new(1.0, 0.21, 0.3);
        let mesh = Shape::Box { size }.fill(&options, &|_, _| {}).unwrap();
        mesh.check().unwrap();
        assert_eq!(mesh.tets.len(), 5 * 10 * 2 * 3);
        assert!((mesh.volume() / size.element_product() - 1.0).abs() < 1e-12);
    }
}
