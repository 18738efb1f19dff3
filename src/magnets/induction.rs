//! Magnetisation by fields: what the kernels of the solve share, and the same in f64 on the host.
//!
//!   (1/χ) M + N M = H        N within a body: [`super::demagnetisation`]; between bodies cells are dipoles
//!
//! The unknown of a cell is x = M √(v c), c = |1/χ + 1/3|, along its body's grid; the system in x is symmetric with a diagonal of ±1. It is
//! definite where all χ have one sign, and has a solution for any mixture of χ from −1 to ∞. Conjugate residuals (Stiefel 1955) ask for no
//! sign:
//!
//!   w = A r    ρ = r·w    β = ρ/ρ₋    p = r + β p    q = w + β q    α = ρ/q·q    x ← x + α p    r ← r − α q
//!
//! They begin with the magnetisation of the substep before and end when |r| is a ten-thousandth of the right side. Forces follow from the
//! moments and the fields of others, as an error of the solution changes the energy in second order only.

use super::demagnetisation;
use crate::integrate::cg_block::multiply;
use crate::math::{Quat, Real, Vec3, Vec4};
use crate::model::magnets::Magnet;
use glam::{DQuat, DVec3, UVec3};
use std::f64::consts::PI;

/// Of the right side, what may be left of it.
pub const TOLERANCE: f64 = 1e-4;
/// Iterations of a substep, at most.
pub const ITERATIONS: u32 = 40;
/// As [`TOLERANCE`] and [`ITERATIONS`], on the host.
const HOST_TOLERANCE: f64 = 1e-9;
const HOST_ITERATIONS: u32 = 400;
/// Records of `induced_rest` and `induced_places` for each cell.
pub const RECORDS: usize = 2;

/// The cells that fields magnetise, as the kernels read them.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Of each cell: the first of its body, the end of those, the body's first entry in `table`, node; place in the grid, the grid's
    /// first two counts, magnet, nothing.
    pub cells: Vec<[u32; 4]>,
    /// Of each cell: v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; how the grid is turned against the frame.
    pub rest: Vec<[f64; 4]>,
    /// Of each offset in a grid: xx, yy, zz of N; xy, yz, zx.
    pub table: Vec<[f64; 4]>,
}

impl Rows {
    /// Of all magnets, given the first node of each.
    pub fn new(magnets: &[Magnet], first_nodes: &[u32]) -> Self {
        let mut own = Self::default();
        for (number, (magnet, &node)) in (0..).zip(magnets.iter().zip(first_nodes)) {
            let Some(given) = &magnet.susceptible else { continue };
            let first = own.count();
            let end = first + magnet.cells.len() as u32;
            let table = own.table.len() as u32 / 2;
            let [nx, ny, nz] = given.counts.to_array();
            for offset in 0..i64::from(nx * ny * nz) {
                let (nx, ny) = (i64::from(nx), i64::from(ny));
                let offset = [offset % nx, offset / nx % ny, offset / nx / ny];
                let [xx, yy, zz, xy, yz, zx] = demagnetisation::between(offset, given.step.to_array());
                own.table.extend([[xx, yy, zz, 0.0], [xy, yz, zx, 0.0]]);
            }
            let (inverse, v) = (given.susceptibility.recip(), given.volume);
            let scale = (v * (inverse + 1.0 / 3.0).abs()).sqrt().recip();
            // A body of several cells has a node above them.
            let cell_nodes = node + u32::from(magnet.cells.len() > 1)..;
            for ((cell, place), node) in magnet.cells.iter().zip(&given.places).zip(cell_nodes) {
                own.cells.push([first, end, table, node]);
                own.cells.push([packed(*place), nx | ny << 16, number, 0]);
                own.rest.push([inverse * v, v, scale, cell.radius]);
                own.rest.push(given.turn.to_array());
            }
        }
        own
    }

    pub fn count(&self) -> u32 {
        (self.cells.len() / 2) as u32
    }
}

/// A place in a grid of at most 256 cells an axis.
fn packed(place: UVec3) -> u32 {
    place.x | place.y << 8 | place.z << 16
}

#[inline(always)]
fn unpacked(place: u32) -> [i32; 3] {
    [place & 255, place >> 8 & 255, place >> 16].map(|c| c as i32)
}

/// The matrix, with the cells where they are.
pub struct System<'a, R> {
    pub cells: &'a [[u32; 4]],
    pub rest: &'a [Vec4<R>],
    pub table: &'a [Vec4<R>],
    /// From the first body's centre [m], w = radius [m]; how the grid is turned in the world.
    pub places: &'a [Vec4<R>],
}

impl<R: Real> System<'_, R> {
    /// A row of A r. `sides` are the dipoles in the world that r stands for.
    #[inline(always)]
    pub fn image(&self, i: usize, r: &[Vec4<R>], sides: &[Vec4<R>]) -> Vec3<R> {
        let [first, end, table, _] = self.cells[2 * i];
        let [place, counts, ..] = self.cells[2 * i + 1];
        let (here, own) = (unpacked(place), self.rest[RECORDS * i]);
        let (nx, ny) = (counts & 0xffff, counts >> 16);
        let mut within = Vec3::ZERO;
        let own_cells = first as usize..end as usize;
        for (j, v) in own_cells.clone().zip(&r[own_cells]) {
            let there = unpacked(self.cells[2 * j + 1][0]);
            let offset = [0, 1, 2].map(|k| there[k] - here[k]);
            let [a, b, c] = offset.map(i32::unsigned_abs);
            let entry = 2 * (table + a + nx * (b + ny * c)) as usize;
            // N of mirrored offsets is N mirrored.
            let sign = |k: usize| R::select(offset[k] < 0, R::ZERO - R::ONE, R::ONE);
            let mirror = Vec3::new(sign(0), sign(1), sign(2));
            let block = [self.table[entry].xyz(), self.table[entry + 1].xyz()];
            within += multiply(block, v.xyz().scaled(mirror)).scaled(mirror);
        }
        let place = self.places[RECORDS * i];
        let mut between = Vec3::ZERO;
        for j in (0..first as usize).chain(end as usize..sides.len()) {
            let other = self.places[RECORDS * j];
            between += dipole(place.xyz() - other.xyz(), place.w + other.w, sides[j].xyz());
        }
        let axes = Quat::from_vec4(self.places[RECORDS * i + 1]);
        let others = axes.conjugate().rotate(between);
        let scale = own.z;
        (r[i].xyz() * own.x + within * own.y) * (scale * scale) - others * (own.y * scale)
    }

    /// The dipole that x of a cell stands for, in the world [A m²].
    #[inline(always)]
    pub fn side(&self, i: usize, x: Vec3<R>) -> Vec3<R> {
        let own = self.rest[RECORDS * i];
        Quat::from_vec4(self.places[RECORDS * i + 1]).rotate(x) * (own.y * own.z)
    }
}

/// H of a dipole at the origin [A/m]. Nearer than `nearest` it fades, as torques do in [`super::pair_nodes`].
#[inline(always)]
pub fn dipole<R: Real>(x: Vec3<R>, nearest: R, moment: Vec3<R>) -> Vec3<R> {
    let size = x.length();
    if size == R::ZERO {
        return Vec3::ZERO;
    }
    let (n, distance) = (x / size, size.max(nearest));
    let share = size / distance;
    let strength = share * share / (R::of(4.0 * PI) * distance * distance * distance);
    (n * (R::of(3.0) * moment.dot(n)) - moment) * strength
}

/// Where a magnet is, and what it is in: its frame's axes and centre, and H at each cell [A/m].
pub struct Surroundings {
    pub centre: DVec3,
    pub axes: DQuat,
    pub fields: Vec<DVec3>,
}

/// The moments of all cells of susceptible magnets in the world [A m²], magnet after magnet.
pub fn solve(magnets: &[Magnet], around: &[Surroundings]) -> Vec<DVec3> {
    let rows = Rows::new(magnets, &vec![0; magnets.len()]);
    let vectors = |list: &[[f64; 4]]| list.iter().map(|&v| Vec4::from_array(v)).collect::<Vec<_>>();
    let (rest, table) = (vectors(&rows.rest), vectors(&rows.table));
    let susceptible = magnets.iter().filter_map(|magnet| Some((magnet, magnet.susceptible.as_ref()?)));
    let (mut places, mut right) = (Vec::new(), Vec::new());
    for ((magnet, given), here) in susceptible.zip(around) {
        let axes = here.axes * given.turn;
        for (cell, field) in magnet.cells.iter().zip(&here.fields) {
            let place = here.centre - around[0].centre + here.axes * cell.arm;
            places.extend([place.extend(cell.radius), glam::DVec4::from(axes)]);
            right.push(axes.conjugate() * *field);
        }
    }
    let places: Vec<Vec4<f64>> = places.iter().map(|v| Vec4::from_array(v.to_array())).collect();
    let system = System { cells: &rows.cells, rest: &rest, table: &table, places: &places };
    let count = right.len();
    let all = 0..count;
    let scaled = |i: usize| Vec3::of((right[i] * rest[RECORDS * i].y * rest[RECORDS * i].z).to_array());
    let mut r: Vec<Vec4<f64>> = all.clone().map(|i| scaled(i).with_w(0.0)).collect();
    let (mut x, mut p, mut q) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
    let sum = |term: &dyn Fn(usize) -> f64| all.clone().map(term).sum::<f64>();
    let first = sum(&|i| r[i].xyz().dot(r[i].xyz()));
    let mut before = f64::INFINITY;
    for _ in 0..HOST_ITERATIONS {
        if sum(&|i| r[i].xyz().dot(r[i].xyz())) <= HOST_TOLERANCE * HOST_TOLERANCE * first {
            break;
        }
        let sides: Vec<Vec4<f64>> = all.clone().map(|i| system.side(i, r[i].xyz()).with_w(0.0)).collect();
        let images: Vec<Vec3<f64>> = all.clone().map(|i| system.image(i, &r, &sides)).collect();
        let now = sum(&|i| r[i].xyz().dot(images[i]));
        for i in 0..count {
            p[i] = r[i].xyz() + p[i] * (now / before);
            q[i] = images[i] + q[i] * (now / before);
        }
        let step = now / sum(&|i| q[i].dot(q[i]));
        for i in 0..count {
            x[i] += p[i] * step;
            r[i] = (r[i].xyz() - q[i] * step).with_w(0.0);
        }
        before = now;
    }
    let world = |i: usize| system.side(i, x[i]);
    all.map(world).map(|m| DVec3::new(m.x, m.y, m.z)).collect()
}
