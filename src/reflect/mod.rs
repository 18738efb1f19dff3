//! How a surface reflects light, from coloured scans of it under the scanner's own lamp: Phong's diffuse and specular shares per point.
//!
//!   I = k_d max(0, N·L) + k_s max(0, R·V)ⁿ,    R = 2 (N·L) N − L
//!
//! per channel, with a light of intensity 1. Turning the body moves the highlight, so somewhere each point is seen without it: its
//! diffuse share is the least of I / N·L over the views (or nearly the least, for noise), and what is left over is specular. If every view
//! of a point has some highlight in it, the diffuse share comes out too large.

use crate::cloud::{Cloud, PointGrid, thin};
use glam::DVec3;
use rayon::prelude::*;

mod colours;

pub use colours::{from_linear, to_linear};

/// Less light than this grazes: its normal is too uncertain (N·L).
const GRAZING: f64 = 0.2;
/// The share of a point's samples that noise may have made too dark.
const PERCENTILE: f64 = 0.1;
/// Exponents that are tried.
const EXPONENTS: [f64; 15] =
    [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0];

/// What one view shows of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Linear, by channel; 1 is what a white surface sends back that faces the lamp.
    pub intensity: [f64; 3],
    /// N·L
    pub facing: f64,
    /// R·V
    pub mirrored: f64,
}

impl Sample {
    /// Of a point with a unit normal, lit and seen from places.
    pub fn new(intensity: [f64; 3], point: DVec3, normal: DVec3, lamp: DVec3, eye: DVec3) -> Self {
        let [l, v] = [lamp, eye].map(|place| (place - point).normalize_or_zero());
        let facing = normal.dot(l);
        Self { intensity, facing, mirrored: (2.0 * facing * normal - l).dot(v) }
    }
}

/// The shares of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reflectance {
    pub diffuse: [f64; 3],
    /// The same in all channels.
    pub specular: f64,
    /// (R·V)ⁿ of the view nearest to the highlight: where it is small, the specular share is a guess.
    pub highlight: f64,
    /// Views that were used.
    pub samples: usize,
}

/// The shares that samples of one point tell, if any view lights it well.
pub fn reflectance(samples: &[Sample], exponent: f64) -> Option<Reflectance> {
    let lit: Vec<&Sample> = samples.iter().filter(|s| s.facing >= GRAZING).collect();
    if lit.is_empty() {
        return None;
    }
    let diffuse = [0, 1, 2].map(|channel| {
        let mut shares: Vec<f64> = lit.iter().map(|s| s.intensity[channel] / s.facing).collect();
        shares.sort_by(f64::total_cmp);
        shares[(PERCENTILE * (shares.len() - 1) as f64) as usize]
    });
    let (mut above, mut below, mut highlight): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for sample in &lit {
        let shine = sample.mirrored.max(0.0).powf(exponent);
        highlight = highlight.max(shine);
        for (intensity, share) in sample.intensity.iter().zip(diffuse) {
            let rest = (intensity - share * sample.facing).max(0.0);
            above += rest * shine;
            below += shine * shine;
        }
    }
    let specular = if below > 0.0 { above / below } else { 0.0 };
    Some(Reflectance { diffuse, specular, highlight, samples: lit.len() })
}

/// What a reflectance leaves unexplained of samples: squares, by channel.
fn misfit(samples: &[Sample], found: &Reflectance, exponent: f64) -> f64 {
    let lit = samples.iter().filter(|s| s.facing >= GRAZING);
    lit.flat_map(|s| {
        let shine = found.specular * s.mirrored.max(0.0).powf(exponent);
        [0, 1, 2].map(|k| (s.intensity[k] - found.diffuse[k] * s.facing - shine).powi(2))
    })
    .sum()
}

/// The exponent that explains the samples of all points best.
pub fn best_exponent(points: &[Vec<Sample>]) -> f64 {
    let off = |exponent: f64| -> f64 {
        let each = |samples: &Vec<Sample>| {
            reflectance(samples, exponent).map_or(0.0, |found| misfit(samples, &found, exponent))
        };
        // Summed in order: the result depends on no thread.
        points.par_iter().map(each).collect::<Vec<f64>>().iter().sum()
    };
    let offs = EXPONENTS.map(off);
    let best = (1..offs.len()).fold(0, |best, k| if offs[k] < offs[best] { k } else { best });
    EXPONENTS[best]
}

/// A coloured scan with normals, in the common frame, and where its lamp stood [m]; the scanner is at its viewpoint.
pub struct Lit {
    pub cloud: Cloud,
    pub lamp: DVec3,
}

/// The points of all views, one for each cell of `spacing` [m], each with what the views that see it show. Their normals are means.
pub fn samples(views: &[Lit], spacing: f64) -> (Cloud, Vec<Vec<Sample>>) {
    let mut all = Cloud::default();
    for view in views {
        all.points.extend(&view.cloud.points);
        all.normals.extend(&view.cloud.normals);
    }
    let surface = thin(&all, spacing);
    let grids: Vec<PointGrid> =
        views.iter().map(|view| PointGrid::new(&view.cloud.points, spacing)).collect();
    let of = |i: usize| -> Vec<Sample> {
        let (point, normal) = (surface.points[i], surface.normals[i]);
        let seen = views.iter().zip(&grids).filter_map(|(view, grid)| {
            let (nearest, _) = grid.nearest(point, spacing)?;
            let nearest = nearest as usize;
            // The other side of a thin body is no part of this one.
            (view.cloud.normals[nearest].dot(normal) > 0.5).then(|| {
                let intensity = view.cloud.colours[nearest].map(to_linear);
                Sample::new(intensity, point, normal, view.lamp, view.cloud.viewpoint)
            })
        });
        seen.collect()
    };
    let samples = (0..surface.points.len()).into_par_iter().map(of).collect();
    (surface, samples)
}
