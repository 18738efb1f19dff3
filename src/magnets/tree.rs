//! The cells of a magnet in an octree, and from where a branch is seen as one dipole.
//!
//!   6σ²/d² + (s/d)⁴ ≤ tolerance/2        each side of a pair errs
//!
//! A branch of edge s stands for its cells at distances d from which this holds; σ² is the largest second moment of its cells less their mean, per
//! moment. A full cube has none, as fields are harmonic, and errs by about (s/d)⁴; boxes of 2:1 have σ² = s²/6.

use crate::model::magnets::{Magnet, MagnetCell};
use glam::{DMat3, DVec3};

/// A branch, or a cell, of a magnet. Those below come right after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// From the magnet's centre along its axes [m].
    pub arm: DVec3,
    /// [A m²].
    pub moment: DVec3,
    /// From where on it stands for its cells [m]; 0 for a cell.
    pub reach: f64,
    /// Of a ball around its cells; of a cell, where its field stops to grow [m].
    pub radius: f64,
    /// The branch that it belongs to; the first node is its own.
    pub parent: u32,
    /// The first node that is not below it.
    pub end: u32,
    pub is_cell: bool,
}

/// Farther than anything is [m].
const NEVER: f64 = 1e18;

/// All nodes of a magnet. One whose moments are found has no branch that stands for its cells: what they will be is not known.
pub fn tree_of(magnet: &Magnet, tolerance: f64) -> Vec<Node> {
    if magnet.susceptible.is_none() || magnet.cells.len() == 1 {
        return tree(&magnet.cells, tolerance);
    }
    let count = magnet.cells.len();
    let arm = magnet.cells.iter().map(|cell| cell.arm).sum::<DVec3>() / count as f64;
    let radius = ball(&magnet.cells, arm);
    let (parent, is_cell) = (0, true);
    let leaf = |(end, cell): (u32, &MagnetCell)| {
        let MagnetCell { arm, moment, radius, .. } = *cell;
        Node { arm, moment, reach: 0.0, radius, parent, end, is_cell }
    };
    let end = count as u32 + 1;
    let root = Node { arm, moment: DVec3::ZERO, reach: NEVER, radius, parent, end, is_cell: false };
    std::iter::once(root).chain((2..).zip(&magnet.cells).map(leaf)).collect()
}

/// The radius of a ball around a place that holds all cells [m].
fn ball(cells: &[MagnetCell], arm: DVec3) -> f64 {
    cells.iter().map(|cell| (cell.arm - arm).length() + 0.87 * cell.edge).fold(0.0, f64::max)
}

/// All nodes; parents come before what is below them.
pub fn tree(cells: &[MagnetCell], tolerance: f64) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut list = cells.to_vec();
    if !list.is_empty() {
        add(&mut nodes, &mut list, 0, tolerance);
    }
    nodes
}

fn add(nodes: &mut Vec<Node>, cells: &mut [MagnetCell], parent: u32, tolerance: f64) {
    let index = nodes.len();
    if let [cell] = cells {
        let (arm, moment) = (cell.arm, cell.moment);
        nodes.push(Node {
            arm,
            moment,
            reach: 0.0,
            radius: cell.radius,
            parent,
            end: index as u32 + 1,
            is_cell: true,
        });
        return;
    }
    nodes.push(branch(cells, parent, tolerance));
    let (low, high) = bounds(cells);
    let (middle, size) = (0.5 * (low + high), high - low);
    // Long boxes are cut across, so that what is left is nearer to a cube.
    let cut = size.to_array().map(|s| s > 0.5 * size.max_element());
    let part = |cell: &MagnetCell| -> usize {
        let above = (cell.arm - middle).to_array().map(|c| c > 0.0);
        (0..3).map(|k| usize::from(cut[k] && above[k]) << k).sum()
    };
    let same_place = size.max_element() == 0.0;
    cells.sort_by_key(part);
    let mut rest = cells;
    while !rest.is_empty() {
        let here = part(&rest[0]);
        let count = if same_place { 1 } else { rest.iter().take_while(|cell| part(cell) == here).count() };
        let (own, others) = rest.split_at_mut(count);
        add(nodes, own, index as u32, tolerance);
        rest = others;
    }
    nodes[index].end = nodes.len() as u32;
}

fn bounds(cells: &[MagnetCell]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    cells.iter().fold(none, |(low, high), cell| (low.min(cell.arm), high.max(cell.arm)))
}

fn branch(cells: &[MagnetCell], parent: u32, tolerance: f64) -> Node {
    let moment: DVec3 = cells.iter().map(|cell| cell.moment).sum();
    let weight: f64 = cells.iter().map(|cell| cell.moment.length()).sum();
    let arm = cells.iter().map(|cell| cell.arm * cell.moment.length()).sum::<DVec3>() / weight;
    let spread = cells.iter().fold(DMat3::ZERO, |sum, cell| {
        let d = cell.arm - arm;
        sum + DMat3::from_cols(d * d.x, d * d.y, d * d.z) * (cell.moment.length() / weight)
    });
    let mean = (spread.x_axis.x + spread.y_axis.y + spread.z_axis.z) / 3.0;
    let uneven = spread - DMat3::from_diagonal(DVec3::splat(mean));
    // The largest eigenvalue of a matrix without trace is at most √⅔ of its norm.
    let square = uneven.to_cols_array().iter().map(|c| c * c).sum::<f64>();
    let sigma = (square * 2.0 / 3.0).sqrt();
    let edge = cells.iter().map(|cell| cell.edge).fold(0.0, f64::max);
    let (low, high) = bounds(cells);
    let s = (high - low).max_element() + edge;
    // 1/d² of 6σ²/d² + s⁴/d⁴ = half the tolerance.
    let (a, b, tolerance) = (s.powi(4), 3.0 * sigma, 0.5 * tolerance);
    let inverse = tolerance / (b + (b * b + a * tolerance).sqrt());
    let radius = ball(cells, arm);
    let reach = inverse.recip().sqrt().max(radius + edge);
    Node { arm, moment, reach, radius, parent, end: 0, is_cell: false }
}
