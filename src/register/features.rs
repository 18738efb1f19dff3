//! A cubic around each point of a scan, by moving least squares (Levin 1998).
//!
//! The scan is thinned to a third of the feature size h first, so that a fit sees some 180 neighbours however dense the scan is. Weights
//! are exp(−d²/h²). The plane of a point is that of the weighted covariance, its normal towards the scanner: scans of one surface are
//! then related by a motion that turns, and never by a mirror.

use super::polynomial::Polynomial;
use crate::cloud::PointGrid;
use crate::cloud::{Cloud, thin};
use crate::math::eigen;
use glam::{DMat3, DVec2, DVec3};
use rayon::prelude::*;

/// Neighbours farther than this weigh next to nothing [h].
const REACH: f64 = 2.5;
/// Spacing of the thinned scan [h].
const SPACING: f64 = 1.0 / 3.0;
/// A cubic has 10 coefficients; fewer neighbours than this are noise.
const FEWEST: usize = 15;
/// A point whose neighbours' mean is farther from it than this is on the border of the scan [h].
const ONE_SIDED: f64 = 0.45;
/// Least pivot of the normal matrix, whose diagonal is scaled to 1: below, the neighbours lie on fewer lines than a cubic needs.
const LEAST_PIVOT: f64 = 1e-5;
/// Beyond this the fit oscillates: no surface bends so much within its feature size.
const LARGEST: f64 = 30.0;

/// The variance of a local cubic's height over that of a weighted mean, for these weights and points that are spread evenly:
/// ∫ (2 − r²)² exp(−2 r²) over ∫ exp(−2 r²).
const CUBIC_VARIANCE: f64 = 2.5;

const MONOMIALS: usize = 10;
/// Monomials of up to degree 6, the entries of the normal matrix.
const MOMENTS: usize = 28;

/// The surface of a scan at one scale.
pub struct Features {
    /// h [m]
    pub size: f64,
    /// Points that are not on a border.
    pub points: Vec<DVec3>,
    /// The cubic around each.
    pub fits: Vec<Polynomial>,
    /// Each point moved onto its cubic [m].
    pub surface: Vec<DVec3>,
    /// The normal there.
    pub normals: Vec<DVec3>,
    /// The middle of the points [m].
    pub centroid: DVec3,
    /// Standard error of the surface, as the scatter of the points around their cubics tells it: the median [m].
    pub doubt: f64,
}

impl Features {
    /// At a feature size [m].
    pub fn new(cloud: &Cloud, size: f64) -> Self {
        let thinned = thin(cloud, SPACING * size);
        let grid = PointGrid::new(&thinned.points, 0.5 * REACH * size);
        let outward = |i: usize| match thinned.normals.get(i) {
            Some(&normal) => normal,
            None => thinned.viewpoint - thinned.points[i],
        };
        let fits: Vec<Option<(Polynomial, f64)>> = (0..thinned.points.len())
            .into_par_iter()
            .map_init(Vec::new, |near, i| fit(&grid, thinned.points[i], outward(i), size, near))
            .collect();
        let valid = || thinned.points.iter().zip(&fits).filter_map(|(&x, fit)| Some((x, (*fit)?)));
        let points: Vec<DVec3> = valid().map(|(x, _)| x).collect();
        let mut doubts: Vec<f64> = valid().map(|(_, (_, doubt))| doubt).collect();
        let fits: Vec<Polynomial> = valid().map(|(_, (fit, _))| fit).collect();
        let middle = doubts.len() / 2;
        let doubt =
            if doubts.is_empty() { 0.0 } else { *doubts.select_nth_unstable_by(middle, f64::total_cmp).1 };
        let surface =
            points.iter().zip(&fits).map(|(&x, p)| x + p.frame.z_axis * (p.height * size)).collect();
        let normals = fits.iter().map(|p| p.normal(DVec2::ZERO)).collect();
        let centroid = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        Self { size, points, fits, surface, normals, centroid, doubt: doubt * size }
    }
}

/// The cubic around `x` and the standard error of its height, in units of `size`; nothing at borders and where there are too few
/// neighbours.
fn fit(
    grid: &PointGrid,
    x: DVec3,
    outward: DVec3,
    size: f64,
    near: &mut Vec<(DVec3, f64)>,
) -> Option<(Polynomial, f64)> {
    near.clear();
    grid.around(x, REACH * size, |y, _| {
        let d = (y - x) / size;
        let squared = d.length_squared();
        if squared <= REACH * REACH {
            near.push((d, (-squared).exp()));
        }
    });
    if near.len() < FEWEST {
        return None;
    }
    let weight: f64 = near.iter().map(|(_, w)| w).sum();
    let mean = near.iter().map(|&(d, w)| w * d).sum::<DVec3>() / weight;
    if mean.length() > ONE_SIDED {
        return None;
    }
    let mut covariance = [[0.0; 3]; 3];
    for &(d, w) in near.iter() {
        let e = (d - mean).to_array();
        for i in 0..3 {
            for j in 0..3 {
                covariance[i][j] += w * e[i] * e[j];
            }
        }
    }
    let [(_, normal), _, (_, along)] = eigen::symmetric(covariance);
    let [normal, along] = [normal, along].map(DVec3::from);
    let normal = if normal.dot(outward) < 0.0 { -normal } else { normal };
    let frame = DMat3::from_cols(along, normal.cross(along), normal);
    let mut moments = [0.0; MOMENTS];
    let mut right = [0.0; MONOMIALS];
    let (mut squares, mut weights) = (0.0, 0.0);
    for &(d, w) in near.iter() {
        let [u, v, z] = [d.dot(frame.x_axis), d.dot(frame.y_axis), d.dot(normal)];
        add(&mut moments, &mut right, [u, v, z], w);
        squares += w * z * z;
        weights += w * w;
    }
    let coefficients = solve(&moments, &right)?;
    let polynomial = Polynomial::new(frame, coefficients);
    let explained: f64 = coefficients.iter().zip(&right).map(|(a, b)| a * b).sum();
    let variance = ((squares - explained) / weight).max(0.0);
    let doubt = (CUBIC_VARIANCE * variance * weights).sqrt() / weight;
    (polynomial.largest() <= LARGEST).then_some((polynomial, doubt))
}

/// Adds a neighbour: w uᵃ vᵇ in the order 1, u, v, u², uv, v², …, and the first ten times z.
#[inline(always)]
fn add(moments: &mut [f64; MOMENTS], right: &mut [f64; MONOMIALS], [u, v, z]: [f64; 3], w: f64) {
    let mut terms = [0.0; MOMENTS];
    terms[0] = w;
    let mut first = 0;
    for degree in 1..=6 {
        let next = first + degree;
        for k in 0..degree {
            terms[next + k] = terms[first + k] * u;
        }
        terms[next + degree] = terms[first + degree - 1] * v;
        first = next;
    }
    for k in 0..MOMENTS {
        moments[k] += terms[k];
    }
    for k in 0..MONOMIALS {
        right[k] += terms[k] * z;
    }
}

/// Powers of u and v of a monomial.
const POWERS: [(usize, usize); MONOMIALS] =
    [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)];

/// Least squares: the normal matrix has its entry (i, j) where the powers of i and j add up. Cholesky's method with a diagonal of 1.
fn solve(moments: &[f64; MOMENTS], right: &[f64; MONOMIALS]) -> Option<[f64; MONOMIALS]> {
    let entry = |i: usize, j: usize| {
        let (a, b) = (POWERS[i].0 + POWERS[j].0, POWERS[i].1 + POWERS[j].1);
        moments[(a + b) * (a + b + 1) / 2 + b]
    };
    let scale: [f64; MONOMIALS] = std::array::from_fn(|i| 1.0 / entry(i, i).sqrt());
    let mut l = [[0.0; MONOMIALS]; MONOMIALS];
    let mut y = [0.0; MONOMIALS];
    for i in 0..MONOMIALS {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let rest = entry(i, j) * scale[i] * scale[j] - known;
            if i == j {
                // Not a number where a scale is infinite.
                if rest.is_nan() || rest <= LEAST_PIVOT {
                    return None;
                }
                l[i][i] = rest.sqrt();
            } else {
                l[i][j] = rest / l[j][j];
            }
        }
        let known: f64 = (0..i).map(|k| l[i][k] * y[k]).sum();
        y[i] = (right[i] * scale[i] - known) / l[i][i];
    }
    for i in (0..MONOMIALS).rev() {
        let known: f64 = (i + 1..MONOMIALS).map(|k| l[k][i] * y[k]).sum();
        y[i] = (y[i] - known) / l[i][i];
    }
    Some(std::array::from_fn(|i| y[i] * scale[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// Points of a cubic over a disc are fitted by that cubic, whichever way it lies in space.
    #[test]
    fn the_cubic_that_points_lie_on_is_found() {
        let mut random = Random(2);
        let tilt = DMat3::from_axis_angle(DVec3::new(1.0, 3.0, 2.0).normalize(), 1.1);
        let height = |u: f64, v: f64| 0.02 + 0.2 * u * u - 0.1 * v * v + 0.05 * u * u * v - 0.03 * v * v * v;
        let size = 0.5;
        let points: Vec<DVec3> = (0..600)
            .map(|_| 5.0 * random.vector() - 2.5)
            .map(|x| tilt * (size * DVec3::new(x.x, x.y, height(x.x, x.y))))
            .collect();
        let grid = PointGrid::new(&points, size);
        let (fit, doubt) = fit(&grid, DVec3::ZERO, tilt.z_axis, size, &mut Vec::new()).unwrap();
        assert!(doubt < 1e-3, "{doubt}");
        for &x in &points {
            let local = fit.frame.transpose() * (x / size);
            // The frame of the fit is not that of the cubic, in which it is exact, but near it.
            if local.length() < 0.7 {
                let off = fit.at(local.truncate()).0 - local.z;
                assert!(off.abs() < 2e-3, "{off} at {local}");
            }
        }
        assert!(fit.frame.z_axis.dot(tilt.z_axis) > 0.99 && fit.frame.determinant() > 0.99);
    }

    #[test]
    fn borders_and_lines_have_no_cubic() {
        let flat = |k: usize| DVec3::new((k % 30) as f64, (k / 30) as f64, 40.0) * 0.1;
        let cloud = Cloud { points: (0..900).map(flat).collect(), ..Cloud::default() };
        let features = Features::new(&cloud, 0.3);
        assert!((500..800).contains(&features.points.len()), "{}", features.points.len());
        let low = features.points.iter().fold(DVec3::INFINITY, |low, x| low.min(*x));
        assert!(low.x > 0.05 && low.y > 0.05, "{low}");
        assert!(features.normals.iter().all(|n| n.z < -0.999), "towards the scanner");
        let line = (0..900).map(|k| DVec3::new(0.003 * k as f64, 0.0, 2.0)).collect();
        assert!(Features::new(&Cloud { points: line, ..Cloud::default() }, 0.3).points.is_empty());
    }
}
