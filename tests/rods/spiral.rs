//! A rod that is curled by nature and turned at one end: twist goes over into writhe, and their sum is what was put in.

use super::{backends, scene};
use glam::{DQuat, DVec3};
use sinew::Simulation;
use sinew::scene::{Hold, Keyframe, Rod, RodEnd, RodMaterial, RodRest, RodShape, Scene};
use std::f64::consts::{PI, TAU};

/// Turns of the end, in all, and when they begin and end [s].
const TURNS: f64 = 4.0;
const TIMES: [f64; 2] = [1.0, 5.0];

fn spiral() -> Scene {
    let nearer = DVec3::new(-0.35, 0.0, 0.0);
    let motion = vec![
        Keyframe { time: 0.0, ..Keyframe::default() },
        Keyframe { time: TIMES[0], offset: nearer, ..Keyframe::default() },
        Keyframe { time: TIMES[1], offset: nearer, rotation: 360.0 * TURNS * DVec3::X },
    ];
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 60 },
        material: RodMaterial { radius: 0.006, youngs_modulus: 2e7, ..RodMaterial::RUBBER },
        rest: RodRest::Curved(DVec3::new(0.0, 8.0, 0.0)),
        normal: Some(DVec3::Y),
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        end: RodEnd { hold: Hold::Clamped, motion, ..RodEnd::default() },
        ..Rod::default()
    };
    Scene { gravity: DVec3::ZERO, damping: 6.0, substeps: 10, iterations: 2, ..scene(rod) }
}

/// Writhe of a closed polygon (Klenin & Langowski 2000, method 1a): solid angles of all pairs of its edges over 4π, twice.
fn writhe(points: &[DVec3]) -> f64 {
    let n = points.len();
    let mut sum = 0.0;
    for i in 0..n {
        for j in i + 2..n {
            if i == 0 && j == n - 1 {
                continue;
            }
            let [a, b, c, d] = [i, i + 1, j, (j + 1) % n].map(|k| points[k]);
            let [ac, ad, bc, bd] = [c - a, d - a, c - b, d - b];
            let normals = [ac.cross(ad), ad.cross(bd), bd.cross(bc), bc.cross(ac)];
            if normals.iter().any(|n| n.length_squared() < 1e-24) {
                continue;
            }
            let [n1, n2, n3, n4] = normals.map(DVec3::normalize);
            let angle = |x: DVec3, y: DVec3| x.dot(y).clamp(-1.0, 1.0).asin();
            let area = angle(n1, n2) + angle(n2, n3) + angle(n3, n4) + angle(n4, n1);
            sum += area * (d - c).cross(b - a).dot(ac).signum();
        }
    }
    sum / TAU
}

/// Turns of the sections about the line, from one segment to the next without a turn of the line's own.
fn twist(tangents: &[DVec3], sides: &[DVec3]) -> f64 {
    let side = |k: usize| (sides[k] - tangents[k] * tangents[k].dot(sides[k])).normalize();
    let angles = (1..tangents.len()).map(|k| {
        let carried = DQuat::from_rotation_arc(tangents[k - 1], tangents[k]) * side(k - 1);
        let here = side(k);
        carried.cross(here).dot(tangents[k]).atan2(carried.dot(here))
    });
    angles.sum::<f64>() / TAU
}

/// Twist and writhe, the line closed far away in its plane.
fn measured(simulation: &mut Simulation) -> [f64; 2] {
    let x = simulation.positions().unwrap();
    let q = simulation.frames().unwrap().orientations.clone();
    assert_eq!(q.len(), x.len() + 1, "a frame for each segment and two walls");
    let mut tangents: Vec<DVec3> = x.windows(2).map(|pair| (pair[1] - pair[0]).normalize()).collect();
    tangents.insert(0, q[0] * DVec3::Z);
    tangents.push(q[q.len() - 1] * DVec3::Z);
    let sides: Vec<DVec3> = q.iter().map(|q| *q * DVec3::X).collect();
    let far = 1e3;
    let mut line = vec![x[0] - far * DVec3::X];
    line.extend(&x);
    line.extend([
        x[x.len() - 1] + far * DVec3::X,
        far * DVec3::new(1.0, 1.0, 0.0),
        far * DVec3::new(-1.0, 1.0, 0.0),
    ]);
    [twist(&tangents, &sides), writhe(&line)]
}

#[test]
fn the_writhe_of_a_known_polygon_is_found() {
    // A torus knot (2, 3) drawn flat on both sides of a plane has a writhe near ±3.4; its mirror image has the opposite.
    let knot = |mirror: f64| -> Vec<DVec3> {
        (0..200)
            .map(|i| {
                let a = TAU * f64::from(i) / 200.0;
                let r = 2.0 + (3.0 * a).cos();
                DVec3::new(r * (2.0 * a).cos(), r * (2.0 * a).sin(), mirror * (3.0 * a).sin())
            })
            .collect()
    };
    let [left, right] = [1.0, -1.0].map(|mirror| writhe(&knot(mirror)));
    println!("{left} and {right}");
    assert!((left + right).abs() < 1e-9 && (3.0..4.0).contains(&left.abs()), "{left} {right}");
    let circle: Vec<DVec3> =
        (0..30).map(|i| DQuat::from_rotation_z(PI * f64::from(i) / 15.0) * DVec3::X).collect();
    assert!(writhe(&circle).abs() < 1e-6);
}

#[test]
fn what_a_curled_rod_is_turned_by_is_its_twist_and_its_writhe() {
    for (backend, options) in &backends()[1..] {
        let scene = spiral();
        let mut simulation = Simulation::new(&scene, options).unwrap();
        let [start_twist, start_writhe] = measured(&mut simulation);
        let start = start_twist + start_writhe;
        let mut largest = [0.0f64; 2];
        for _ in 0..10 {
            simulation.advance(30).unwrap();
            let time = simulation.time();
            let turns = TURNS * ((time - TIMES[0]) / (TIMES[1] - TIMES[0])).clamp(0.0, 1.0);
            let [twist, writhe] = measured(&mut simulation);
            let link = twist + writhe - start;
            println!(
                "{backend}, {time:.1} s: {turns:.3} turns, twist {twist:.3}, writhe {writhe:.3}, link {link:.4}"
            );
            assert!((link - turns).abs() < 0.02 * TURNS, "{backend}: a link of {link} after {turns} turns");
            largest = [largest[0].max(twist.abs()), largest[1].max(writhe.abs())];
        }
        assert!(largest[1] > 0.5, "{backend}: it hardly writhes, {largest:?}");
    }
}
