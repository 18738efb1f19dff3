//! Cloth and solids that are magnets: what a scene says of them, and the triangles and tetrahedra that it means.

use super::bodies::subject;
use super::error::{SceneError, SceneErrorKind};
use super::join::Bodies;
use super::{Scene, SceneGeometry, Selector, VACUUM};
use glam::{DMat3, DVec3};
use std::collections::HashSet;

/// A body, or a part of one, that is magnetised.
#[derive(Debug, Clone, PartialEq)]
pub struct Magnetised {
    /// Name of the body.
    pub body: String,
    /// Triangles or tetrahedra with all corners among these particles.
    pub selector: Selector,
    /// Along the axes of the world, as the body is at the start [T].
    pub remanence: DVec3,
    /// Of a sheet [m].
    pub thickness: Option<f64>,
    pub follows: Follows,
}

/// What a moment of a soft body goes along with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Follows {
    /// The rotation, as experiments with stretched rubber show (Danas and Reis 2024).
    #[default]
    Rotation,
    /// The deformation gradient (Zhao, Kim, Cao, Bosnjak, Zhao 2019).
    Deformation,
}

impl Follows {
    pub const NAMES: [(&str, Self); 2] = [("rotation", Self::Rotation), ("deformation", Self::Deformation)];
}

impl Default for Magnetised {
    fn default() -> Self {
        Self {
            body: String::new(),
            selector: Selector::ALL,
            remanence: DVec3::ZERO,
            thickness: None,
            follows: Follows::default(),
        }
    }
}

/// A triangle or a tetrahedron with a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftCell {
    /// By the scene's numbers; a triangle has [`Self::NO_CORNER`] last.
    pub corners: [u32; 4],
    /// Of the barycentric coordinates of corners 1, 2 and 3 at rest, along the axes of `moment` [1/m]; a triangle has two.
    pub gradients: [DVec3; 3],
    /// At rest [A m²]: of a tetrahedron along the axes of the world, of a triangle along its first side, across that within it, and along
    /// its normal.
    pub moment: DVec3,
    /// Of a ball of its volume [m].
    pub radius: f64,
    pub follows: Follows,
}

impl SoftCell {
    pub const NO_CORNER: u32 = u32::MAX;

    fn tetrahedron(corners: [u32; 4], [o, a, b, c]: [DVec3; 4], given: &Magnetised) -> Option<Self> {
        let edges = DMat3::from_cols(a - o, b - o, c - o);
        let volume = edges.determinant().abs() / 6.0;
        let rows = edges.inverse().transpose();
        let moment = given.remanence * (volume / VACUUM);
        let gradients = [rows.x_axis, rows.y_axis, rows.z_axis];
        (volume > 0.0).then(|| Self {
            corners,
            gradients,
            moment,
            radius: ball(volume),
            follows: given.follows,
        })
    }

    fn triangle(
        [i, j, k]: [u32; 3],
        [a, b, c]: [DVec3; 3],
        thickness: f64,
        given: &Magnetised,
    ) -> Option<Self> {
        let (along, other) = (b - a, c - a);
        let normal = along.cross(other);
        let (area, x) = (0.5 * normal.length(), along.normalize_or_zero());
        let (n, volume) = (normal.normalize_or_zero(), area * thickness);
        let y = n.cross(x);
        // The rows of the inverse of the edges by columns.
        let determinant = along.dot(x) * other.dot(y);
        let first = DVec3::new(other.dot(y), -other.dot(x), 0.0) / determinant;
        let second = DVec3::new(0.0, along.dot(x), 0.0) / determinant;
        let m = given.remanence * (volume / VACUUM);
        (volume > 0.0).then(|| Self {
            corners: [i, j, k, Self::NO_CORNER],
            gradients: [first, second, DVec3::ZERO],
            moment: DVec3::new(m.dot(x), m.dot(y), m.dot(n)),
            radius: ball(volume),
            follows: given.follows,
        })
    }
}

fn ball(volume: f64) -> f64 {
    (0.75 * volume / std::f64::consts::PI).cbrt()
}

/// The cells of all that a scene magnetises. Of an element that is in several parts the last counts.
pub(super) fn magnetised(scene: &Scene, geometry: &SceneGeometry) -> Result<Vec<SoftCell>, SceneError> {
    let bodies = Bodies::new(scene, geometry);
    let mut cells: Vec<SoftCell> = Vec::new();
    for (i, given) in scene.magnetise.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("magnetise", i, &subject("magnetise", i, None));
        let own = resolved(given, &bodies).map_err(here)?;
        let taken: HashSet<[u32; 4]> = own.iter().map(|cell| cell.corners).collect();
        cells.retain(|cell| !taken.contains(&cell.corners));
        cells.extend(own.into_iter().filter(|cell| cell.moment != DVec3::ZERO));
    }
    Ok(cells)
}

fn resolved(given: &Magnetised, bodies: &Bodies<'_>) -> Result<Vec<SoftCell>, SceneError> {
    let refuse = |key, message: String| Err(SceneError::at(SceneErrorKind::Reference, key, message));
    let chosen = bodies.chosen(&given.body, &given.selector)?;
    let particles: HashSet<u32> = chosen.particles.iter().copied().collect();
    let is_whole = given.selector == Selector::ALL;
    let mut cells = Vec::new();
    for element in &chosen.elements {
        if !is_whole && !element.iter().all(|p| particles.contains(p)) {
            continue;
        }
        let at = |p: u32| chosen.positions[p as usize];
        let global = |p: u32| chosen.start + p;
        let cell = match element[..] {
            [a, b, c, d] => {
                if given.thickness.is_some() {
                    return refuse("thickness", "is for sheets; a solid has a volume of its own".into());
                }
                SoftCell::tetrahedron([a, b, c, d].map(global), [a, b, c, d].map(at), given)
            }
            [a, b, c] => {
                let Some(thickness) = given.thickness else {
                    let message = format!(
                        "is missing: `{}` is a sheet, whose moment is remanence × area × thickness/μ₀",
                        given.body
                    );
                    return refuse("thickness", message);
                };
                SoftCell::triangle([a, b, c].map(global), [a, b, c].map(at), thickness, given)
            }
            _ => None,
        };
        cells.extend(cell);
    }
    if cells.is_empty() {
        let message = format!(
            "`{}` has no triangle or tetrahedron there to magnetise; choose other particles, or a body of these (rods and rigid bodies have `remanence`)",
            given.body
        );
        return refuse("body", message);
    }
    Ok(cells)
}
