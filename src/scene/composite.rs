//! Bodies of bonded cells, such as wood: what a scene says of them, and the cells that are made of that.

use super::bodies::particle_limit;
use super::error::{SceneError, SceneErrorKind};
use super::geometry::{ResolvedPin, SceneGeometry};
use super::keys::Lens;
use super::motion::rotation;
use super::{Body, BodyTable, BuildContext, Pin, Wood, build, mesh_file, select};
use crate::at;
use crate::limits;
use crate::math::random::Random;
use crate::meshing::Shape;
use crate::meshing::triangle_mesh::TriangleMesh;
use crate::meshing::triangle_tree::TriangleTree;
use crate::meshing::winding::Winding;
use glam::{DMat3, DQuat, DVec3, UVec3};
use rayon::prelude::*;
use std::path::PathBuf;

/// A body of bonded cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Composite {
    /// Unique over all bodies and colliders; if empty, the body is called `composite 1`, `composite 2`, …
    pub name: String,
    /// What is filled with cells, in the local frame.
    pub shape: CompositeShape,
    /// Edges of a cell: along the grain, radially, tangentially [m].
    pub cell: DVec3,
    /// Direction of the grain in the local frame.
    pub grain: DVec3,
    /// The radial direction in the local frame, as far as it is across the grain.
    pub radial: Option<DVec3>,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Size factor of the shape; cells keep their size.
    pub scale: f64,
    /// Initial velocity [m/s].
    pub velocity: DVec3,
    /// Initial angular velocity about the centre of mass [rad/s].
    pub spin: DVec3,
    /// Whose numbers are taken where none are given.
    pub wood: Wood,
    /// [kg/m³].
    pub density: Option<f64>,
    /// E_L, E_R, E_T [Pa].
    pub youngs_modulus: Option<DVec3>,
    /// G_LR, G_LT, G_RT [Pa].
    pub shear_modulus: Option<DVec3>,
    /// Along the grain and across it [Pa].
    pub tension_strength: Option<[f64; 2]>,
    /// The same.
    pub compression_strength: Option<[f64; 2]>,
    /// Along the grain, and of rolling [Pa].
    pub shear_strength: Option<[f64; 2]>,
    /// Of breaking fibres, of opening a split and of sliding along it [J/m²].
    pub fracture_energy: Option<[f64; 3]>,
    /// Whether it breaks and yields at all.
    pub breaks: bool,
    /// Whether cells that are too long for the strength take as much less of it as keeps the energy.
    pub reduced: bool,
    /// Coefficient of variation of the strengths of faces.
    pub scatter: f64,
    /// Most rounds of solving and breaking in a substep.
    pub rounds: u32,
    /// Boxes in which faces are open from the start.
    pub crack: Vec<Crack>,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Whether cells that a pin holds may not turn either.
    pub clamped: bool,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// What holds the body.
    pub pin: Vec<Pin>,
}

/// A box in world space: faces whose middle starts inside are open from the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crack {
    /// Lowest corner [m].
    pub min: DVec3,
    /// Highest corner [m].
    pub max: DVec3,
}

impl Default for Crack {
    fn default() -> Self {
        Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }
    }
}

/// What is filled with cells.
#[derive(Debug, Clone, PartialEq)]
pub enum CompositeShape {
    /// A box or a built-in shape.
    Built(Shape),
    /// A surface from a file; holes and flipped triangles are allowed.
    Surface {
        /// An OBJ, PLY or STL file.
        file: PathBuf,
    },
}

impl Default for CompositeShape {
    fn default() -> Self {
        Self::Built(Shape::Box { size: DVec3::new(1.0, 0.05, 0.05) })
    }
}

impl Default for Composite {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: CompositeShape::default(),
            cell: DVec3::new(0.02, 0.01, 0.01),
            grain: DVec3::X,
            radial: None,
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            scale: 1.0,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            wood: Wood::default(),
            density: None,
            youngs_modulus: None,
            shear_modulus: None,
            tension_strength: None,
            compression_strength: None,
            shear_strength: None,
            fracture_energy: None,
            breaks: true,
            reduced: false,
            scatter: 0.12,
            rounds: 8,
            crack: Vec::new(),
            friction: 0.4,
            clamped: true,
            colour: None,
            pin: Vec::new(),
        }
    }
}

/// A body of bonded cells in world space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompositeGeometry {
    /// The body's name.
    pub name: String,
    /// Centres of the cells at the start [m].
    pub positions: Vec<DVec3>,
    /// Edges of every cell, along its own axes: grain, radial, tangential [m].
    pub cell: DVec3,
    /// The axes of all cells at the start.
    pub axes: DQuat,
    /// Where each cell is in the lattice.
    pub places: Vec<[u32; 3]>,
    /// Most cells in a row along each axis of the lattice.
    pub rows: [u32; 3],
    /// Cells that share a face, the second one further along the axis of that number.
    pub bonds: Vec<([u32; 2], usize)>,
    /// Whether each of these is open from the start.
    pub open: Vec<bool>,
    /// Factor of the strengths of each of these.
    pub strengths: Vec<f64>,
    /// The pins, in the order of the scene.
    pub pins: Vec<ResolvedPin>,
}

/// A lattice of cells before the shape is cut out of it, along the grain's axes.
struct Lattice {
    /// Of the first cell, in the axes of the grain [m].
    low: DVec3,
    cell: DVec3,
    counts: UVec3,
}

impl BodyTable for Composite {
    const KIND: &'static str = "composite";
    const DOC: &'static str = "bodies of bonded cells, such as wood";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    /// Cells are counted where they are made.
    fn particle_count(&self) -> u64 {
        0
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let name = context.name.clone();
        geometry
            .composites
            .push(CompositeGeometry { name, ..self.build_checked(context.total, context.seed)? });
        Ok(())
    }
}

impl Composite {
    /// Validates the body and makes its cells.
    pub fn build(&self) -> Result<CompositeGeometry, SceneError> {
        Body::check(self)?;
        self.build_checked(0, 0)
    }

    /// The axes of the grain in the local frame: L, R and T.
    pub fn grain_axes(&self) -> DQuat {
        let along = self.grain.normalize();
        let wanted = self.radial.unwrap_or_else(|| if along.y.abs() < 0.9 { DVec3::Y } else { DVec3::Z });
        let radial = (wanted - along * along.dot(wanted)).normalize();
        DQuat::from_mat3(&DMat3::from_cols(along, radial, along.cross(radial)))
    }

    /// `total` particles have been made for other bodies; `seed` is the scene's.
    fn build_checked(&self, total: u64, seed: u64) -> Result<CompositeGeometry, SceneError> {
        let key = self.shape_key();
        let axes = self.grain_axes();
        let surface = self.surface(key)?;
        let lattice = self.lattice(&surface, axes);
        let most = lattice.counts.to_array().iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul);
        if most > limits::LATTICE_CELLS {
            let message = format!(
                "needs a lattice of {} × {} × {} cells; the limit is {}: make `cell` larger",
                lattice.counts.x,
                lattice.counts.y,
                lattice.counts.z,
                limits::LATTICE_CELLS
            );
            return Err(SceneError::at(SceneErrorKind::Limit, key, message));
        }
        let cells = self.cells(&lattice, &surface, axes);
        if cells.is_empty() {
            let message = format!("contains no centre of a cell of {} m: make `cell` smaller", lattice.cell);
            return Err(SceneError::at(SceneErrorKind::Value, key, message));
        }
        if cells.len() as u64 > limits::CELLS {
            let message =
                format!("makes {} cells; the limit is {}: make `cell` larger", cells.len(), limits::CELLS);
            return Err(SceneError::at(SceneErrorKind::Limit, key, message));
        }
        particle_limit(key, total + cells.len() as u64)?;
        self.check_length(lattice.cell)?;
        let turn = rotation(self.rotation);
        let mut positions: Vec<DVec3> = cells.iter().map(|&place| axes * lattice.centre(place)).collect();
        build::place(&mut positions, 1.0, turn, self.position, key)?;
        let bonds = bonds(&cells, lattice.counts);
        let open = bonds.iter().map(|&([i, j], _)| {
            let middle = 0.5 * (positions[i as usize] + positions[j as usize]);
            self.crack.iter().any(|crack| middle.cmpge(crack.min).all() && middle.cmple(crack.max).all())
        });
        let open: Vec<bool> = open.collect();
        if let Some(k) = self.crack.iter().position(|_| !open.contains(&true)) {
            let message = format!(
                "contains the middle of no face between two cells; the body starts within {} to {}",
                low(&positions),
                high(&positions)
            );
            return Err(SceneError::at(SceneErrorKind::Reference, "crack", message).index(k));
        }
        Ok(CompositeGeometry {
            name: self.name.clone(),
            pins: select::pins(&self.pin, &positions, None, &[])?,
            positions,
            cell: lattice.cell,
            axes: (turn * axes).normalize(),
            rows: longest_rows(&cells),
            open,
            places: cells.iter().map(UVec3::to_array).collect(),
            strengths: scatter(seed.wrapping_add(total), bonds.len(), self.scatter),
            bonds,
        })
    }

    /// A face of longer cells would give back more than it takes to break it.
    fn check_length(&self, cell: DVec3) -> Result<(), SceneError> {
        let longest = self.properties().longest_cell();
        if !self.breaks || self.reduced {
            return Ok(());
        }
        for (axis, way) in ["along the grain", "radially", "tangentially"].into_iter().enumerate() {
            if cell[axis] >= longest[axis] {
                let message = format!(
                    "makes cells that are {:.4} m long {way}; strength and fracture energy of this wood allow {:.4} m, 2 E G/f²: make it \
                     smaller, or say `strength = \"reduced\"`",
                    cell[axis], longest[axis]
                );
                return Err(SceneError::at(SceneErrorKind::Value, "cell", message));
            }
        }
        Ok(())
    }

    /// The surface that is filled, scaled, in the local frame.
    fn surface(&self, key: &'static str) -> Result<TriangleMesh, SceneError> {
        let mut surface = match &self.shape {
            CompositeShape::Built(shape) => shape.surface(SURFACE),
            CompositeShape::Surface { file } => {
                mesh_file::read_soup(file).map_err(|e| SceneError::at(SceneErrorKind::Mesh, key, e))?
            }
        };
        surface.positions.iter_mut().for_each(|x| *x *= self.scale);
        if surface.triangles.is_empty() || surface.positions.iter().any(|x| !x.is_finite()) {
            return Err(SceneError::at(SceneErrorKind::Mesh, key, "has no finite surface to fill"));
        }
        Ok(surface)
    }

    /// A lattice around the surface. Along an axis on which the shape is a whole number of cells long but for rounding up or down by
    /// less than half a cell, as a box along its grain always is, cells are fitted to it.
    fn lattice(&self, surface: &TriangleMesh, axes: DQuat) -> Lattice {
        let back = axes.conjugate();
        let bounds = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = surface.positions.iter().fold(bounds, |(low, high), x| {
            let x = back * *x;
            (low.min(x), high.max(x))
        });
        let extent = high - low;
        let counts = (extent / self.cell).round().max(DVec3::ONE);
        if self.is_cut_along_grain(axes) {
            return Lattice { low, cell: extent / counts, counts: counts.as_uvec3() };
        }
        /// Sides that are a whole number of cells but for rounding get no cell more.
        const SLACK: f64 = 1e-6;
        let counts = (extent / self.cell - SLACK).ceil().max(DVec3::ONE);
        let low = 0.5 * (low + high) - 0.5 * self.cell * counts;
        Lattice { low, cell: self.cell, counts: counts.as_uvec3() }
    }

    /// Whether it is a box whose sides lie along the axes of the grain.
    fn is_cut_along_grain(&self, axes: DQuat) -> bool {
        let is_along = |v: DVec3| v.abs().max_element() > 1.0 - 1e-9;
        matches!(self.shape, CompositeShape::Built(Shape::Box { .. }))
            && is_along(axes * DVec3::X)
            && is_along(axes * DVec3::Y)
    }

    /// The cells whose centres are inside, in the order of the lattice.
    fn cells(&self, lattice: &Lattice, surface: &TriangleMesh, axes: DQuat) -> Vec<UVec3> {
        let UVec3 { x, y, z } = lattice.counts;
        let all = (0..x).flat_map(|i| (0..y).flat_map(move |j| (0..z).map(move |k| UVec3::new(i, j, k))));
        if self.is_cut_along_grain(axes) {
            return all.collect();
        }
        let triangles = (0..surface.triangles.len()).map(|t| surface.corners(t)).collect();
        let tree = TriangleTree::new(triangles);
        let winding = Winding::new(&tree);
        let all: Vec<UVec3> = all.collect();
        let is_inside = |place: &UVec3| winding.at(axes * lattice.centre(*place)).abs() > 0.5;
        all.into_par_iter().filter(is_inside).collect()
    }
}

/// Cells that built-in surfaces are made for, along their longest side.
const SURFACE: u32 = 32;

impl Lattice {
    /// In the axes of the grain [m].
    fn centre(&self, place: UVec3) -> DVec3 {
        self.low + self.cell * (place.as_dvec3() + 0.5)
    }
}

/// Cells that share a face, axis after axis.
fn bonds(cells: &[UVec3], counts: UVec3) -> Vec<([u32; 2], usize)> {
    let number = |p: UVec3| ((p.x * counts.y + p.y) * counts.z + p.z) as usize;
    let mut at = vec![u32::MAX; (counts.x * counts.y * counts.z) as usize];
    for (k, &cell) in (0u32..).zip(cells) {
        at[number(cell)] = k;
    }
    let mut bonds = Vec::with_capacity(3 * cells.len());
    for (axis, step) in [UVec3::X, UVec3::Y, UVec3::Z].into_iter().enumerate() {
        for (k, &cell) in (0u32..).zip(cells) {
            let next = cell + step;
            if next.cmplt(counts).all() && at[number(next)] != u32::MAX {
                bonds.push(([k, at[number(next)]], axis));
            }
        }
    }
    bonds
}

/// Factors of strength with a mean of 1 and this coefficient of variation, after Weibull.
fn scatter(seed: u64, count: usize, variation: f64) -> Vec<f64> {
    if variation == 0.0 {
        return vec![1.0; count];
    }
    // Of the shape; within 1 % for variations up to a half.
    let inverse = variation.powf(1.086);
    // Γ(1 + x), Abramowitz and Stegun 6.1.35.
    let gamma = [-0.1010678, 0.4245549, -0.6998588, 0.9512363, -0.5748646, 1.0]
        .iter()
        .fold(0.0, |sum, c| sum * inverse + c);
    let mut random = Random(seed);
    (0..count)
        .map(|_| (-(1.0 - random.number()).ln()).powf(inverse) / gamma)
        .map(|x| x.max(WEAKEST))
        .collect()
}

/// The least factor of strength: nothing is so weak that it breaks by being looked at.
const WEAKEST: f64 = 0.1;

fn low(positions: &[DVec3]) -> DVec3 {
    positions.iter().fold(DVec3::INFINITY, |low, x| low.min(*x))
}

fn high(positions: &[DVec3]) -> DVec3 {
    positions.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x))
}

/// Most different places of cells along each axis.
fn longest_rows(cells: &[UVec3]) -> [u32; 3] {
    let bounds = (UVec3::MAX, UVec3::ZERO);
    let (low, high) = cells.iter().fold(bounds, |(low, high), c| (low.min(*c), high.max(*c)));
    (high - low + 1).to_array()
}
