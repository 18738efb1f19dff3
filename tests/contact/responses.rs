//! Responses to compare with: the numbers that they give on paper, and that they keep what they keep.

use glam::DVec3;
use sinew::contact::responses::displacements::apart;
use sinew::contact::responses::impulses::{first_hit, stiffen, stop};
use sinew::contact::responses::volumetric::{Contact, forces};
use sinew::contact::responses::{Pair, compare, weighted};

fn point_and_triangle(height: f64) -> (Pair, Vec<DVec3>) {
    let x = vec![DVec3::new(0.25, 0.25, height), DVec3::ZERO, DVec3::X, DVec3::Y];
    (Pair { corners: [0, 1, 2, 3], are_edges: false }, x)
}

#[test]
fn a_point_on_a_triangle_is_stopped() {
    let (pair, x) = point_and_triangle(1e-9);
    let place = pair.place(&x);
    let mut v = [DVec3::new(0.0, 0.0, -2.0), DVec3::ZERO, DVec3::ZERO, DVec3::ZERO];
    let impulse = stop(place.weights, [1.0; 4], v, place.normal);
    // Σ a² = 1 + 1/4 + 2/16 = 11/8.
    assert!((impulse - 16.0 / 11.0).abs() < 1e-12, "{impulse}");
    v.iter_mut().zip(place.weights).for_each(|(v, a)| *v += place.normal * (a * impulse));
    let expected = [-6.0 / 11.0, -8.0 / 11.0, -4.0 / 11.0, -4.0 / 11.0];
    for (v, expected) in v.iter().zip(expected) {
        assert!((v.z - expected).abs() < 1e-12, "{v}, not {expected}");
    }
}

#[test]
fn continuous_tests_find_when_pairs_meet() {
    let (pair, x) = point_and_triangle(1.0);
    let way = [DVec3::new(0.0, 0.0, -2.0), DVec3::ZERO, DVec3::ZERO, DVec3::ZERO];
    assert!((first_hit(&pair, &x, &way).unwrap() - 0.5).abs() < 1e-9);
    let aside: Vec<DVec3> =
        x.iter().enumerate().map(|(k, x)| if k == 0 { *x + 2.0 * DVec3::X } else { *x }).collect();
    assert_eq!(first_hit(&pair, &aside, &way), None);
    let edges = Pair { corners: [0, 1, 2, 3], are_edges: true };
    let x = [-DVec3::X, DVec3::X, DVec3::new(0.0, -1.0, 1.0), DVec3::new(0.0, 1.0, 1.0)];
    let way = [DVec3::ZERO, DVec3::ZERO, DVec3::new(0.0, 0.0, -4.0), DVec3::new(0.0, 0.0, -4.0)];
    assert!((first_hit(&edges, &x, &way).unwrap() - 0.25).abs() < 1e-9);
}

#[test]
fn stiffening_keeps_both_momenta() {
    let x = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
    let mut v = [DVec3::Y, DVec3::Z * 2.0, DVec3::X, -DVec3::ONE];
    let w = [1.0, 0.5, 2.0, 0.25];
    let momenta = |v: &[DVec3]| {
        (0..4).fold((DVec3::ZERO, DVec3::ZERO), |(p, l), k| (p + v[k] / w[k], l + x[k].cross(v[k]) / w[k]))
    };
    let before = momenta(&v);
    stiffen(&[0, 1, 2, 3], &x, &w, &mut v);
    let after = momenta(&v);
    assert!(
        (before.0 - after.0).length() < 1e-9 && (before.1 - after.1).length() < 1e-9,
        "{before:?} {after:?}"
    );
}

/// What is left of a depth of 1 between two segments, whose nearest points are so far along, of masses m and 1.
fn left([s, t]: [f64; 2], mass: f64) -> f64 {
    let weights = [1.0 - s, s, t - 1.0, -t];
    let moves = apart(weights, [mass, mass, 1.0, 1.0], true, DVec3::Y, 1.0);
    1.0 - weighted(weights, moves).y
}

#[test]
fn of_a_pair_alone_one_minus_phi_is_left() {
    assert!((left([0.5, 0.5], 1.0) - 0.5).abs() < 1e-12);
    assert!(left([0.0, 1.0], 1.0).abs() < 1e-12);
    for ([s, t], mass) in [([0.3, 0.8], 1.0), ([0.1, 0.5], 4.0), ([0.0, 0.5], 0.2)] {
        let xi = 1.0 / (mass + 1.0);
        let phi = xi * ((1.0 - s) * (1.0 - s) + s * s) + (1.0 - xi) * ((1.0 - t) * (1.0 - t) + t * t);
        assert!((left([s, t], mass) - (1.0 - phi)).abs() < 1e-12, "at {s}, {t}");
        let moves = apart([1.0 - s, s, t - 1.0, -t], [mass, mass, 1.0, 1.0], true, DVec3::Y, 1.0);
        let sum = (moves[0] + moves[1]) * mass + moves[2] + moves[3];
        assert!(sum.length() < 1e-12, "momentum {sum}");
    }
}

#[test]
fn of_a_point_alone_two_sevenths_of_the_depth_go() {
    let contact = Contact { point: 0, triangle: [1, 2, 3], weights: [1.0 / 3.0; 3], way: DVec3::Y };
    let moves = forces(&[contact], &[1.0; 4]);
    let third = 1.0 / 3.0;
    let gone = weighted([1.0, -third, -third, -third], [moves[0], moves[1], moves[2], moves[3]]).y;
    assert!((gone - 2.0 / 7.0).abs() < 1e-12, "{gone}");
    // Before the correction it moves by α = 3/7.
    assert!((2.0 * moves[0].y - 3.0 / 7.0).abs() < 1e-12);
}

#[test]
fn momentum_stays_and_the_heavy_move_less() {
    let contacts = [
        Contact { point: 0, triangle: [3, 4, 5], weights: [0.2, 0.3, 0.5], way: DVec3::Y },
        Contact { point: 1, triangle: [3, 4, 5], weights: [0.6, 0.3, 0.1], way: DVec3::new(0.1, 2.0, 0.3) },
        Contact { point: 4, triangle: [0, 1, 2], weights: [0.5, 0.25, 0.25], way: -DVec3::Y },
    ];
    let moves = forces(&contacts, &[1.0, 2.0, 0.5, 3.0, 1.0, 0.7]);
    assert!(moves.iter().sum::<DVec3>().length() < 1e-12);
    let one = Contact { point: 0, triangle: [1, 1, 1], weights: [1.0, 0.0, 0.0], way: DVec3::Y };
    let moves = forces(&[one], &[10.0, 1.0]);
    assert!((moves[1].y / (moves[0].y / 10.0) + 10.0).abs() < 1e-12, "{moves:?}");
}

/// Nothing goes through anything with the springs of this program or with impulses, and momentum stays.
#[test]
fn responses_are_compared_on_four_scenes() {
    let rows = compare(30);
    for row in &rows {
        println!("{row:?}");
        let is_safe = ["springs", "impulses"].contains(&row.response);
        assert!(!is_safe || row.outcome.crossings == 0 && row.outcome.intersections == 0, "{row:?}");
        // The guard of the springs takes what it must, and so do impulses that are averaged where several meet.
        let keeps = ["displacements", "volumetric"].contains(&row.response) || row.scene == "two rods";
        assert!(!keeps || row.outcome.momentum.is_none_or(|change| change < 1e-9), "{row:?}");
        assert!(row.outcome.speed.is_finite(), "{row:?}");
    }
    assert_eq!(rows.len(), 13, "volumetric displacements are for what encloses something");
}
