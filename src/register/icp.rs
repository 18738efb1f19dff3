//! A motion made precise: each point is drawn to the surface near it (Chen, Medioni 1992, in the place of whose planes the cubics of
//! the fits stand: a plane leaves a bias wherever the surface is curved).

use super::features::Features;
use super::level::Level;
use super::motion::Motion;
use glam::{DQuat, DVec3};
use rayon::prelude::*;

/// Points whose normals differ by more are of another side [degrees].
const NORMALS: f64 = 45.0;
/// The share of the pairs that is kept; the worst are left out.
const KEPT: f64 = 0.8;
/// Partners are searched within this distance first and, as the motion gets better, within less [h].
const FIRST_REACH: f64 = 2.0;
const LAST_REACH: f64 = 0.5;
const SHRINK: f64 = 0.8;
/// Done when a step turns by less [rad] and moves by less [h].
const STILL: f64 = 1e-8;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refined {
    pub motion: Motion,
    /// The share of the points, of both scans, that have a partner.
    pub overlap: f64,
    /// Root mean square distance of the kept points from the other surface [m].
    pub rms: f64,
    /// The same as the scatter of the points around both surfaces lets expect [m].
    pub expected: f64,
}

/// Surfaces that are farther apart than this many times what noise makes are not the same surface. Those of one body were within
/// 0.3 and 1.6 in all trials, those of different bodies above 3.6 at the largest feature size and above 17 at the smallest.
const DIFFERENT: f64 = 2.5;

impl Refined {
    /// Whether both scans can be of one surface.
    pub fn fits(&self) -> bool {
        self.overlap > 0.0 && self.rms <= DIFFERENT * self.expected
    }
}

/// A point's distance from the other surface, along a normal.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// The moved point [m].
    pub point: DVec3,
    pub normal: DVec3,
    /// [m]
    pub distance: f64,
}

impl Level {
    /// The gap of a moved point with a moved normal, if its partner is near and faces the same way.
    pub fn gap(&self, point: DVec3, normal: DVec3, reach: f64) -> Option<Gap> {
        let features = &self.features;
        let (partner, _) = self.grid.nearest(point, reach)?;
        let partner = partner as usize;
        if features.normals[partner].dot(normal) < NORMALS.to_radians().cos() {
            return None;
        }
        let fit = &features.fits[partner];
        let local = fit.frame.transpose() * ((point - features.points[partner]) / features.size);
        let (height, slopes) = fit.at(local.truncate());
        let steepness = (1.0 + slopes.length_squared()).sqrt();
        let normal = fit.frame * (DVec3::new(-slopes.x, -slopes.y, 1.0) / steepness);
        Some(Gap { point, normal, distance: (local.z - height) / steepness * features.size })
    }

    /// The gaps of every so many-th point of a moved scan, in their order, the worst left out.
    pub fn gaps(&self, moved: &Features, motion: &Motion, reach: f64, stride: usize) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = self.partners_of(moved, motion, reach, stride).flatten().collect();
        let keep = (KEPT * gaps.len() as f64).ceil() as usize;
        if keep < gaps.len() {
            let mut sizes: Vec<f64> = gaps.iter().map(|gap| gap.distance.abs()).collect();
            let (_, &mut limit, _) = sizes.select_nth_unstable_by(keep, f64::total_cmp);
            gaps.retain(|gap| gap.distance.abs() <= limit);
        }
        gaps
    }

    /// The share of a moved scan's points that have a partner.
    pub fn covers(&self, moved: &Features, motion: &Motion, stride: usize) -> f64 {
        let asked = self.partners_of(moved, motion, LAST_REACH * self.features.size, stride);
        let all = asked.len();
        asked.filter(Option::is_some).count() as f64 / all.max(1) as f64
    }

    fn partners_of<'a>(
        &'a self,
        moved: &'a Features,
        motion: &'a Motion,
        reach: f64,
        stride: usize,
    ) -> impl IndexedParallelIterator<Item = Option<Gap>> + 'a {
        (0..moved.points.len())
            .into_par_iter()
            .step_by(stride)
            .map(move |i| self.gap(motion.point(moved.surface[i]), motion.rotation * moved.normals[i], reach))
    }
}

/// How much work to spend.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// About so many points of a scan are looked at.
    points: usize,
    rounds: usize,
}

impl Effort {
    /// Enough to tell right from wrong.
    pub const LITTLE: Self = Self { points: 500, rounds: 14 };
    pub const ALL: Self = Self { points: usize::MAX, rounds: 40 };

    fn stride(self, features: &Features) -> usize {
        (features.points.len() / self.points).max(1)
    }
}

/// Refines a motion from one scan to another.
pub fn refine(from: &Level, to: &Level, start: &Motion, effort: Effort) -> Refined {
    let size = to.features.size;
    let stride = effort.stride(&from.features);
    let mut motion = *start;
    let mut reach = FIRST_REACH * size;
    for _ in 0..effort.rounds {
        let gaps = to.gaps(&from.features, &motion, reach, stride);
        let Some(step) = step(&gaps) else { break };
        let centroid = motion.point(from.features.centroid);
        let moved = step.point(centroid).distance(centroid);
        motion = step.after(&motion);
        if reach <= LAST_REACH * size && step.angle() < STILL && moved < STILL * size {
            break;
        }
        reach = (SHRINK * reach).max(LAST_REACH * size);
    }
    measure(from, to, &motion, effort)
}

/// How well two scans fit under a motion.
fn measure(from: &Level, to: &Level, motion: &Motion, effort: Effort) -> Refined {
    let stride = effort.stride(&from.features);
    let gaps = to.gaps(&from.features, motion, LAST_REACH * to.features.size, stride);
    let squares: f64 = gaps.iter().map(|gap| gap.distance * gap.distance).sum();
    let there = to.covers(&from.features, motion, stride);
    let back = from.covers(&to.features, &motion.inverse(), effort.stride(&to.features));
    Refined {
        motion: *motion,
        overlap: 0.5 * (there + back),
        rms: (squares / gaps.len().max(1) as f64).sqrt(),
        expected: from.features.doubt.hypot(to.features.doubt),
    }
}

/// The motion that closes gaps best; nothing if they leave it free to slide.
fn step(gaps: &[Gap]) -> Option<Motion> {
    if gaps.len() < 6 {
        return None;
    }
    let middle = gaps.iter().map(|gap| gap.point).sum::<DVec3>() / gaps.len() as f64;
    let radius = gaps.iter().map(|gap| gap.point.distance(middle)).fold(0.0, f64::max);
    let (mut matrix, mut right) = ([[0.0; 6]; 6], [0.0; 6]);
    for gap in gaps {
        // Turns are in units of a motion of the farthest point.
        let [a, b] = [(gap.point - middle).cross(gap.normal) / radius, gap.normal];
        let row = [a.x, a.y, a.z, b.x, b.y, b.z];
        for i in 0..6 {
            for j in 0..=i {
                matrix[i][j] += row[i] * row[j];
            }
            right[i] -= row[i] * gap.distance;
        }
    }
    let x = super::dense::solve(matrix.as_flattened_mut(), &right)?;
    let turn = DVec3::new(x[0], x[1], x[2]) / radius;
    let rotation = DQuat::from_scaled_axis(turn);
    let shift = DVec3::new(x[3], x[4], x[5]);
    Some(Motion::taking(rotation, middle, middle + shift))
}
