//! From a pin's selector to particle indices.

use std::collections::HashMap;

use glam::DVec3;

use super::error::{SceneError, SceneErrorKind, hint};
use super::geometry::ResolvedPin;
use super::{AttachedWeight, Axes, ClothShape, Corner, Edge, Pin, Selector};
use crate::limits::excerpt;
use crate::meshing::generate;
use crate::meshing::tet_mesh::Group;

/// Particles of a pin, given the initial positions in world space. Only a cloth has a shape with corners and edges, and
/// only a solid has groups.
pub(super) fn select(
    selector: &Selector,
    positions: &[DVec3],
    shape: Option<&ClothShape>,
    groups: &[Group],
) -> Result<Vec<u32>, SceneError> {
    let reference = |key, message: String| SceneError::at(SceneErrorKind::Reference, key, message);
    let found = match selector {
        Selector::Corners(corners) => {
            let Some(ClothShape::Grid { cells: [nx, ny], .. }) = shape else {
                return Err(reference("corners", "needs a grid; use `indices`, `box` or `nearest`".into()));
            };
            let corner = |c: &Corner| match c {
                Corner::BottomLeft => 0,
                Corner::BottomRight => *nx,
                Corner::TopLeft => ny * (nx + 1),
                Corner::TopRight => ny * (nx + 1) + nx,
            };
            corners.iter().map(corner).collect()
        }
        Selector::Edge(edge) => match (shape, edge) {
            (Some(ClothShape::Grid { cells: [nx, ny], .. }), edge) if *edge != Edge::Rim => {
                let row = nx + 1;
                match edge {
                    Edge::Top => (ny * row..(ny + 1) * row).collect(),
                    Edge::Left => (0..=*ny).map(|j| j * row).collect(),
                    Edge::Right => (0..=*ny).map(|j| j * row + nx).collect(),
                    Edge::Bottom | Edge::Rim => (0..row).collect::<Vec<u32>>(),
                }
            }
            (Some(ClothShape::Disc { rings, .. }), Edge::Rim) => {
                (generate::ring_start(*rings)..positions.len() as u32).collect()
            }
            (Some(ClothShape::Grid { .. }), _) => {
                return Err(reference(
                    "edge",
                    "of a grid is \"top\", \"bottom\", \"left\" or \"right\"".into(),
                ));
            }
            (Some(ClothShape::Disc { .. }), _) => {
                return Err(reference("edge", "of a disc is \"rim\"".into()));
            }
            _ => {
                return Err(reference(
                    "edge",
                    "needs a grid or a disc; use `indices`, `box` or `nearest`".into(),
                ));
            }
        },
        Selector::Indices(indices) => {
            for (i, index) in indices.iter().enumerate() {
                if *index as usize >= positions.len() {
                    let message =
                        format!("names particle {index}, but there are {} (counted from 0)", positions.len());
                    return Err(reference("indices", message).index(i));
                }
            }
            indices.clone()
        }
        Selector::Box { min, max } => {
            let inside = |x: &DVec3| x.cmpge(*min).all() && x.cmple(*max).all();
            let found: Vec<u32> = (0..).zip(positions).filter(|(_, x)| inside(x)).map(|(i, _)| i).collect();
            if found.is_empty() {
                let (low, high) = extent(positions);
                return Err(reference(
                    "box",
                    format!("contains no particle; the body starts within {low} to {high}"),
                ));
            }
            found
        }
        Selector::Group(name) => match groups.iter().find(|group| group.name == *name) {
            Some(group) => group.vertices.clone(),
            None if groups.is_empty() => {
                return Err(reference(
                    "group",
                    "needs a mesh with named groups; use `indices`, `box` or `nearest`".into(),
                ));
            }
            None => {
                let hint = hint(name, groups.iter().map(|group| group.name.as_str()));
                let message =
                    format!("is \"{}\", and no group of the mesh has that name{hint}", excerpt(name));
                return Err(reference("group", message));
            }
        },
        Selector::Nearest(point) => nearest(positions, *point).into_iter().collect(),
    };
    if found.is_empty() {
        let key = if matches!(selector, Selector::Corners(_)) { "corners" } else { "indices" };
        return Err(reference(key, "selects no particle".into()));
    }
    Ok(found)
}

/// The particle nearest to a point; of equals the first.
pub(super) fn nearest(positions: &[DVec3], point: DVec3) -> Option<u32> {
    let distance = |x: &DVec3| x.distance_squared(point);
    (0..).zip(positions).min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map(|(i, _)| i)
}

fn extent(positions: &[DVec3]) -> (DVec3, DVec3) {
    positions
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
}

/// Every pin with its particles, or the first that selects nothing or what another already fixes.
pub(super) fn pins(
    pins: &[Pin],
    positions: &[DVec3],
    shape: Option<&ClothShape>,
    groups: &[Group],
) -> Result<Vec<ResolvedPin>, SceneError> {
    pins_of("pin", pins, positions, shape, groups)
}

/// The pins that a scene lists under another key.
pub(super) fn pins_of(
    key: &'static str,
    pins: &[Pin],
    positions: &[DVec3],
    shape: Option<&ClothShape>,
    groups: &[Group],
) -> Result<Vec<ResolvedPin>, SceneError> {
    let mut fixed: HashMap<u32, usize> = HashMap::new();
    let mut resolved = Vec::with_capacity(pins.len());
    for (i, pin) in pins.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry(key, i, &format!("{key} {}", i + 1));
        let mut particles = select(&pin.selector, positions, shape, groups).map_err(here)?;
        particles.sort_unstable();
        particles.dedup();
        let sum: DVec3 = particles.iter().map(|p| positions[*p as usize]).sum();
        let centroid = sum / particles.len() as f64;
        particles.retain(|particle| !pin.except.contains(particle));
        if pin.compliance == 0.0 && pin.axes == Axes::All {
            for &particle in &particles {
                if let Some(other) = fixed.insert(particle, i) {
                    let message =
                        format!("holds particle {particle}, which {key} {} already fixes", other + 1);
                    return Err(here(SceneError::new(SceneErrorKind::Reference, message)));
                }
            }
        }
        resolved.push(ResolvedPin {
            pivot: pin.pivot.unwrap_or(centroid),
            particles,
            compliance: pin.compliance,
            axes: pin.axes,
            motion: pin.motion.clone(),
            release: pin.release,
        });
    }
    Ok(resolved)
}

/// Particles and the masses that hang on them [kg].
pub(super) fn weights(
    weights: &[AttachedWeight],
    positions: &[DVec3],
) -> Result<Vec<(u32, f64)>, SceneError> {
    let mut attached = Vec::new();
    for (i, weight) in weights.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("weight", i, &format!("weight {}", i + 1));
        let mut particles = select(&weight.selector, positions, None, &[]).map_err(here)?;
        particles.sort_unstable();
        particles.dedup();
        attached.extend(particles.into_iter().map(|particle| (particle, weight.mass)));
    }
    Ok(attached)
}
