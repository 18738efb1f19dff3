//! Reflectance of a shiny ball, from views around it.

use sinew::cloud::Cloud;
use sinew::glam::DVec3;
use sinew::meshing::generate::icosphere;
use sinew::reflect::{Lit, Sample, best_exponent, from_linear, reflectance, samples};
use std::f64::consts::TAU;

const DIFFUSE: [f64; 3] = [0.5, 0.3, 0.12];
const SPECULAR: f64 = 0.35;
const EXPONENT: f64 = 24.0;
const VIEWS: usize = 14;

/// Scanner and lamp of a view: all around, above and below in turns, the lamp 20° beside the scanner.
fn places(view: usize) -> [DVec3; 2] {
    let angle = TAU * view as f64 / VIEWS as f64;
    let height = [0.9, -0.9, 0.2][view % 3];
    [0.0, 0.35]
        .map(|aside: f64| 4.0 * DVec3::new((angle + aside).sin(), height, (angle + aside).cos()).normalize())
}

fn shine(point: DVec3, eye: DVec3, lamp: DVec3) -> [f64; 3] {
    let normal = point.normalize();
    let sample = Sample::new([0.0; 3], point, normal, lamp, eye);
    let highlight = SPECULAR * sample.mirrored.max(0.0).powf(EXPONENT);
    DIFFUSE.map(|share| share * sample.facing.max(0.0) + highlight)
}

#[test]
fn the_shares_of_a_shiny_ball_are_found() {
    let points: Vec<Vec<Sample>> = icosphere(1.0, 3)
        .positions
        .into_iter()
        .map(|x| {
            let seen = (0..VIEWS).map(places).filter(|[eye, _]| (*eye - x).dot(x) > 0.0);
            seen.map(|[eye, lamp]| Sample::new(shine(x, eye, lamp), x, x, lamp, eye)).collect()
        })
        .collect();
    assert_eq!(best_exponent(&points), EXPONENT);
    let (mut good, mut shiny) = (0, 0);
    for samples in &points {
        let Some(found) = reflectance(samples, EXPONENT) else { continue };
        // Points that some view shows without a highlight, and some with one.
        let lit = samples.iter().filter(|s| s.facing > 0.2);
        if lit.clone().any(|s| s.mirrored.max(0.0).powf(EXPONENT) < 1e-4) {
            good += 1;
            for (share, truth) in found.diffuse.into_iter().zip(DIFFUSE) {
                assert!((share / truth - 1.0).abs() < 0.01, "{share} for {truth}");
            }
            if lit.clone().any(|s| s.mirrored > 0.97) {
                shiny += 1;
                assert!((found.specular / SPECULAR - 1.0).abs() < 0.1, "{}", found.specular);
            }
        }
    }
    assert!(good > 300 && shiny > 10, "{good} {shiny}");
    assert_eq!(reflectance(&[], EXPONENT), None);
}

#[test]
fn coloured_scans_tell_the_shares_to_the_step_of_their_bytes() {
    let ball = icosphere(1.0, 5).positions;
    let views: Vec<Lit> = (0..VIEWS)
        .map(places)
        .map(|[eye, lamp]| {
            let points: Vec<DVec3> = ball.iter().copied().filter(|x| (eye - *x).dot(*x) > 0.3).collect();
            let colours = points.iter().map(|&x| shine(x, eye, lamp).map(from_linear)).collect();
            Lit { cloud: Cloud { normals: points.clone(), points, colours, viewpoint: eye }, lamp }
        })
        .collect();
    let (surface, samples) = samples(&views, 0.03);
    let mut shares: Vec<f64> =
        samples.iter().filter_map(|s| reflectance(s, EXPONENT)).map(|found| found.diffuse[0]).collect();
    shares.sort_by(f64::total_cmp);
    let middle = shares[shares.len() / 2];
    assert!(surface.points.len() > 2000 && (middle / DIFFUSE[0] - 1.0).abs() < 0.02, "{middle}");
}
