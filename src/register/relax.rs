//! All scans of a body moved together until each lies on the others: the error of a chain of pairs is spread over all of them.

use super::dense;
use super::icp::Gap;
use super::level::Level;
use super::motion::Motion;
use glam::{DQuat, DVec3};
use std::sync::Arc;

const ROUNDS: usize = 30;
/// Partners are searched within this first, and then within less [h].
const FIRST_REACH: f64 = 1.5;
const LAST_REACH: f64 = 0.5;
const SHRINK: f64 = 0.8;
/// Two scans hold each other if they share this many points of the smaller one.
const SHARED: f64 = 0.05;
/// Done when no scan turns by more [rad] or moves by more [h] in a round.
const STILL: f64 = 1e-8;

/// Improves the motions of scans into a common frame, that of the first, whose motion stays. The root mean square distance between
/// surfaces where they overlap [m].
pub fn relax(levels: &[Arc<Level>], motions: &mut [Motion]) -> f64 {
    let size = levels[0].features.size;
    let mut reach = FIRST_REACH * size;
    let pairs = overlapping(levels, motions);
    for _ in 0..ROUNDS {
        let gaps = gaps(levels, motions, &pairs, reach);
        let Some(steps) = steps(&gaps, motions, levels) else { break };
        let mut largest: f64 = 0.0;
        for ((motion, step), level) in motions.iter_mut().zip(&steps).zip(levels) {
            let centre = motion.point(level.features.centroid);
            largest = largest.max(step.angle()).max(step.point(centre).distance(centre) / size);
            *motion = step.after(motion);
        }
        if reach <= LAST_REACH * size && largest < STILL {
            break;
        }
        reach = (SHRINK * reach).max(LAST_REACH * size);
    }
    let gaps = gaps(levels, motions, &pairs, LAST_REACH * size);
    let count: usize = gaps.iter().map(|(_, gaps)| gaps.len()).sum();
    let squares: f64 = gaps.iter().flat_map(|(_, gaps)| gaps).map(|gap| gap.distance * gap.distance).sum();
    (squares / count.max(1) as f64).sqrt()
}

/// Ordered pairs of scans that hold each other.
fn overlapping(levels: &[Arc<Level>], motions: &[Motion]) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for i in 0..levels.len() {
        for j in 0..levels.len() {
            if i == j {
                continue;
            }
            let between = motions[j].inverse().after(&motions[i]);
            if levels[j].covers(&levels[i].features, &between, 1) >= SHARED {
                pairs.push([i, j]);
            }
        }
    }
    pairs
}

/// Of each pair, the gaps of the first scan's points above the second, in the second's frame.
fn gaps(
    levels: &[Arc<Level>],
    motions: &[Motion],
    pairs: &[[usize; 2]],
    reach: f64,
) -> Vec<([usize; 2], Vec<Gap>)> {
    let of = |&[i, j]: &[usize; 2]| {
        let between = motions[j].inverse().after(&motions[i]);
        ([i, j], levels[j].gaps(&levels[i].features, &between, reach, 1))
    };
    pairs.iter().map(of).collect()
}

/// The motions of all scans in the common frame that close the gaps best; nothing if they leave one of them free.
fn steps(gaps: &[([usize; 2], Vec<Gap>)], motions: &[Motion], levels: &[Arc<Level>]) -> Option<Vec<Motion>> {
    // The first scan stays: it has no unknowns.
    let n = 6 * (motions.len() - 1);
    let (mut matrix, mut right) = (vec![0.0; n * n], vec![0.0; n]);
    let centres: Vec<DVec3> =
        motions.iter().zip(levels).map(|(m, level)| m.point(level.features.centroid)).collect();
    let radius = 10.0 * levels[0].features.size;
    for ([i, j], gaps) in gaps {
        // Both scans move: their rows differ in sign and in what they turn about.
        let mut sum = [[0.0; 12]; 12];
        let mut side = [0.0; 12];
        for gap in gaps {
            let point = motions[*j].point(gap.point);
            let normal = motions[*j].rotation * gap.normal;
            let turn = |scan: usize| (point - centres[scan]).cross(normal) / radius;
            let (a, b) = (turn(*i), turn(*j));
            let row = [
                a.x, a.y, a.z, normal.x, normal.y, normal.z, -b.x, -b.y, -b.z, -normal.x, -normal.y,
                -normal.z,
            ];
            for k in 0..12 {
                for l in 0..12 {
                    sum[k][l] += row[k] * row[l];
                }
                side[k] -= row[k] * gap.distance;
            }
        }
        let place = |k: usize| {
            let scan = if k < 6 { *i } else { *j };
            (scan > 0).then(|| 6 * (scan - 1) + k % 6)
        };
        for (k, sums) in sum.iter().enumerate() {
            let Some(row) = place(k) else { continue };
            right[row] += side[k];
            for (l, value) in sums.iter().enumerate() {
                if let Some(column) = place(l) {
                    matrix[row * n + column] += value;
                }
            }
        }
    }
    let x = dense::solve(&mut matrix, &right)?;
    let step = |scan: usize| {
        if scan == 0 {
            return Motion::NONE;
        }
        let x = &x[6 * (scan - 1)..6 * scan];
        let rotation = DQuat::from_scaled_axis(DVec3::new(x[0], x[1], x[2]) / radius);
        Motion::taking(rotation, centres[scan], centres[scan] + DVec3::new(x[3], x[4], x[5]))
    };
    Some((0..motions.len()).map(step).collect())
}
