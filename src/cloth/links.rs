//! A sheet of cloth made ready: masses, the net of links, bending, area and tethers.
//!
//! A link stands for a piece of the sheet, so its stiffness follows from the membrane's and the net behaves alike at
//! every resolution. With Y the membrane stiffness [N/m], L the link's length and A the area of its two triangles:
//!
//!   structural  k = Y A / L²        shear  k = G L² / (2 A), G the shear stiffness
//!
//! On a square grid these are k = Y (half on the rim) and k = G. Diagonals also resist stretch along the axes: the
//! sheet is stiffer than Y by about the shear stiffness, as in every net of springs.

use super::hinges::{IsometricBending, MeshEdges, dihedral_angle, hinge_factors};
use super::tethers::{groups, tethers};
use crate::model::elements::{Area, Elements, Hinge, IsometricHinge, Link, LinkMaterial, SLACK};
use crate::model::incidence::ElementError;
use crate::scene::{Bending, Cloth, ClothGeometry, LinkKind, Material, TetheredTo};
use glam::DVec3;
use std::collections::HashMap;

/// The materials of links, each once.
#[derive(Clone, Debug, Default)]
pub struct LinkMaterials {
    pub list: Vec<LinkMaterial>,
}

impl LinkMaterials {
    /// The index of a material, which is added if it is new.
    pub fn index(&mut self, material: LinkMaterial) -> u32 {
        let found = self.list.iter().position(|known| *known == material);
        let index = found.unwrap_or_else(|| {
            self.list.push(material);
            self.list.len() - 1
        });
        index as u32
    }
}

/// The masses of a sheet's particles [kg]: a third of each triangle.
pub fn masses(cloth: &Cloth, geometry: &ClothGeometry) -> Vec<f64> {
    let mut masses = vec![0.0; geometry.mesh.positions.len()];
    for triangle in 0..geometry.mesh.triangles.len() {
        let area = match &geometry.material {
            Material::Pattern(corners) => {
                let [a, b, c] = corners[triangle];
                0.5 * (b - a).perp_dot(c - a).abs()
            }
            Material::Flat(_) | Material::Curved(_) => triangle_area(geometry.mesh.corners(triangle)),
        };
        let share = cloth.density * area / 3.0;
        for &v in &geometry.mesh.triangles[triangle] {
            masses[v as usize] += share;
        }
    }
    masses
}

fn triangle_area([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

/// Area of sheet by link: of an edge's triangles, or of the two triangles that a link crosses.
fn link_areas(geometry: &ClothGeometry, edges: &MeshEdges) -> HashMap<[u32; 2], f64> {
    let mesh = &geometry.mesh;
    let mut areas: HashMap<[u32; 2], f64> = HashMap::with_capacity(2 * edges.edges.len());
    for (k, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        let area = triangle_area(mesh.corners(k));
        for ends in [[a, b], [b, c], [c, a]] {
            *areas.entry(sorted(ends)).or_default() += area;
        }
    }
    let crossing: Vec<_> =
        edges.hinges.iter().map(|&[x1, x2, x3, x4]| (sorted([x1, x2]), areas[&sorted([x3, x4])])).collect();
    for (ends, area) in crossing {
        areas.entry(ends).or_insert(area);
    }
    areas
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The elements of a sheet, by the body's own particle numbers.
pub fn elements(
    cloth: &Cloth,
    geometry: &ClothGeometry,
    materials: &mut LinkMaterials,
) -> Result<Elements, ElementError> {
    let mesh = &geometry.mesh;
    let edges = MeshEdges::new(&mesh.triangles, mesh.positions.len())?;
    let mut elements = Elements { links: links(cloth, geometry, &edges, materials), ..Elements::default() };
    if cloth.bending_stiffness > 0.0 {
        match cloth.bending {
            Bending::Dihedral => elements.hinges = hinges(cloth, geometry, &edges),
            Bending::Isometric => elements.isometric = isometric(cloth, geometry, &edges),
            Bending::Distance | Bending::None => {}
        }
    }
    if cloth.area_stiffness > 0.0 {
        elements.areas = mesh
            .triangles
            .iter()
            .enumerate()
            .map(|(k, &particles)| {
                let rest_area = triangle_area(mesh.corners(k));
                Area { particles, rest_area, compliance: rest_area / cloth.area_stiffness }
            })
            .collect();
    }
    if let Some(settings) = cloth.tethers {
        let pins: Vec<u32> = geometry
            .pins
            .iter()
            .filter(|pin| pin.is_rigid() && pin.release.is_none())
            .flat_map(|pin| pin.particles.iter().copied())
            .collect();
        let material = materials.index([0.0, SLACK]);
        let groups = match settings.to {
            TetheredTo::Nearest => vec![pins],
            TetheredTo::Every => groups(&edges.edges, mesh.positions.len(), &pins)?,
        };
        // A whole grid is flat and convex: along it the straight way is the shortest, and edges lead round it.
        let is_straight = geometry.cells.is_some() && geometry.origins.is_empty();
        for pins in groups {
            let found = tethers(&mesh.positions, &edges.edges, &pins)?.into_iter().map(|tether| {
                let ends = [tether.pin, tether.vertex];
                let [pin, vertex] = ends.map(|v| mesh.positions[v as usize]);
                let length = if is_straight { pin.distance(vertex) } else { tether.length };
                Link { ends, rest_length: settings.slack * length, factor: 1.0, material, rank: 0 }
            });
            elements.links.extend(found);
        }
    }
    Ok(elements)
}

/// After coarse links the threads come last: what the others still pull at them shows as strain, three times as much if they come in any order.
fn rank(kind: LinkKind) -> u32 {
    match kind {
        LinkKind::Bend => 1,
        LinkKind::Shear => 2,
        LinkKind::Structural => 3,
    }
}

fn links(
    cloth: &Cloth,
    geometry: &ClothGeometry,
    edges: &MeshEdges,
    materials: &mut LinkMaterials,
) -> Vec<Link> {
    let areas = link_areas(geometry, edges);
    let structural = materials.index([1.0 / cloth.stretch_stiffness, 1.0 / cloth.compression()]);
    let shear = (cloth.shear_stiffness > 0.0).then(|| materials.index([1.0 / cloth.shear_stiffness; 2]));
    let bend = (cloth.bending_stiffness > 0.0).then(|| materials.index([1.0 / cloth.bending_stiffness; 2]));
    let x = &geometry.mesh.positions;
    geometry
        .links(cloth.bending)
        .into_iter()
        .filter_map(|link| {
            let [a, b] = link.ends;
            let rest_length = x[a as usize].distance(x[b as usize]);
            let area = || areas.get(&sorted(link.ends)).copied().unwrap_or(rest_length * rest_length);
            let (material, factor) = match link.kind {
                LinkKind::Structural => (Some(structural), rest_length * rest_length / area()),
                LinkKind::Shear => (shear, 2.0 * area() / (rest_length * rest_length)),
                LinkKind::Bend => (bend, 1.0),
            };
            let rank = if cloth.coarse_links { rank(link.kind) } else { 0 };
            Some(Link { ends: link.ends, rest_length, factor, material: material?, rank })
        })
        .collect()
}

/// Dihedral hinges whose small-angle energy is ½ B |e|²/(A₁+A₂) θ², times their factor on a grid: a sheet of curvature κ stores
/// ½ B κ² per area.
fn hinges(cloth: &Cloth, geometry: &ClothGeometry, edges: &MeshEdges) -> Vec<Hinge> {
    hinge_shapes(geometry, edges)
        .map(|(particles, x, bending, factor)| Hinge {
            particles,
            rest_angle: dihedral_angle(x),
            compliance: bending.area / (factor * cloth.bending_stiffness * x[2].distance_squared(x[3])),
        })
        .collect()
}

/// The same energy as a quadratic form of positions, |K·x|² = |e|² θ² for small angles.
fn isometric(cloth: &Cloth, geometry: &ClothGeometry, edges: &MeshEdges) -> Vec<IsometricHinge> {
    hinge_shapes(geometry, edges)
        .map(|(particles, _, bending, factor)| IsometricHinge {
            particles,
            weights: bending.weights,
            compliance: bending.area / (factor * cloth.bending_stiffness),
        })
        .collect()
}

fn hinge_shapes<'a>(
    geometry: &'a ClothGeometry,
    edges: &'a MeshEdges,
) -> impl Iterator<Item = ([u32; 4], [DVec3; 4], IsometricBending, f64)> + 'a {
    let factor = hinge_factors(geometry);
    edges.hinges.iter().filter_map(move |&particles| {
        let x = particles.map(|v| geometry.mesh.positions[v as usize]);
        let [_, _, x3, x4] = particles;
        Some((particles, x, IsometricBending::new(x)?, factor([x3, x4])))
    })
}
