//! Rings: loops are closed, and twist buckles them where Michell said.

use super::{assert_close, backends, run, scene};
use glam::DVec3;
use sinew::model::Model;
use sinew::rods::statics::{Limits, System, equilibrium};
use sinew::scene::{JointStrain, Net, NetRest, NetShape, Pin, RodMaterial, Scene, Selector};
use sinew::{Precision, Simulation};

fn ring(segments: u32, twist: f64) -> Net {
    Net {
        shape: NetShape::Ring { radius: 1.0, segments, twist: twist.to_degrees() },
        material: RodMaterial {
            radius: 0.02,
            density: 1000.0,
            youngs_modulus: 2e7,
            shear_modulus: Some(1e7),
            ..RodMaterial::RUBBER
        },
        ..Net::default()
    }
}

/// A regular polygon that is curved by nature is at rest, with either measure of strain: the frames come back to their
/// opposite quaternion after a turn, and that must not matter.
#[test]
fn a_ring_at_rest_stays_where_it_is() {
    for strain in [JointStrain::Relative, JointStrain::Darboux] {
        let scene = Scene { gravity: DVec3::ZERO, ..scene(Net { strain, ..ring(24, 0.0) }) };
        let start = scene.build().unwrap().nets[0].positions.clone();
        for (backend, options) in backends() {
            let end = run(&scene, &options, 1.0).positions().unwrap();
            let moved = start.iter().zip(&end).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            println!("{backend}, {strain:?}: moved {moved:.1e} m");
            let limit = if backend == "cpu f64" { 1e-9 } else { 1e-5 };
            assert!(moved < limit, "{backend}, {strain:?}: {moved:e} m");
        }
    }
}

/// A straight wire bent into a ring of 24 segments stores 0.9943 of ½ EI (2π/L)² L, and stays round.
#[test]
fn a_wire_bent_into_a_ring_stores_its_bending_and_stays_round() {
    let scene = Scene {
        gravity: DVec3::ZERO,
        damping: 2.0,
        ..scene(Net { rest: NetRest::Straight, ..ring(24, 0.0) })
    };
    let length = 24.0 * 2.0 * (std::f64::consts::PI / 24.0).sin();
    let stiffness = scene.net[0].material.bending_stiffness().x;
    let smooth = 0.5 * stiffness * std::f64::consts::TAU.powi(2) / length;
    for (backend, options) in backends() {
        let mut simulation = run(&scene, &options, 2.0);
        let energies = simulation.measure().unwrap().rods;
        println!("{backend}: {energies:?}");
        assert_close(backend, energies.bend / smooth, 0.9943, 1e-3);
        let radii: Vec<f64> = simulation.positions().unwrap().iter().map(|x| x.length()).collect();
        let mean = radii.iter().sum::<f64>() / radii.len() as f64;
        let uneven = radii.iter().map(|r| (r - mean).abs()).fold(0.0, f64::max);
        assert!(uneven < 1e-4, "{backend}: radii differ by {uneven:e} m");
    }
}

const SEGMENTS: u32 = 48;

/// Rings of these shares of Michell's twist, 2π√3 EI/GJ, straight at rest and held at two opposite points, under almost no gravity.
fn twisted(shares: &[f64]) -> Scene {
    let stiffness = ring(SEGMENTS, 0.0).material.bending_stiffness();
    let critical = std::f64::consts::TAU * 3.0f64.sqrt() * stiffness.x / stiffness.z;
    let net = |share: &f64| Net {
        rest: NetRest::Straight,
        pin: vec![Pin { selector: Selector::Indices(vec![0, SEGMENTS / 2]), ..Pin::default() }],
        ..ring(SEGMENTS, share * critical)
    };
    Scene {
        net: shares.iter().map(net).collect(),
        gravity: DVec3::new(0.0, 0.0, -2e-3),
        damping: 1.0,
        substeps: 4,
        ..Scene::default()
    }
}

/// Near the critical twist a ring softens: the inverse of its sag between the points that hold it, a straight line in Φ², vanishes there, at
/// 1 − 0.0052 (40/n)² of Michell's angle for n segments. One well below stays flat; one above folds and goes on through itself, two turns poorer.
#[test]
fn twist_buckles_a_ring_at_michells_angle() {
    let (a, b) = (0.8f64, 0.92f64);
    let scene = twisted(&[a, b, 1.25]);
    let expected = 1.0 - 0.0052 * (40.0 / f64::from(SEGMENTS)).powi(2);
    let quarter = SEGMENTS as usize / 4;
    for (backend, options) in backends() {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        let (mut farthest, mut sags) = ([0.0f64; 3], [0.0; 3]);
        for _ in 0..15 {
            simulation.advance(60).unwrap();
            let x = simulation.positions().unwrap();
            for (k, ring) in x.chunks_exact(SEGMENTS as usize).enumerate() {
                farthest[k] = ring.iter().map(|x| x.z.abs()).fold(farthest[k], f64::max);
                sags[k] = -ring[quarter].z - ring[3 * quarter].z;
            }
        }
        let [first, second] = [1.0 / sags[0], 1.0 / sags[1]];
        let slope = (second - first) / (b * b - a * a);
        let critical = (a * a - first / slope).sqrt();
        println!(
            "{backend}: buckles at {critical:.4} of Michell's twist, out of the plane by {farthest:.3?} m"
        );
        assert_close(backend, critical, expected, 3e-3);
        assert!(farthest[0] < 0.02 && farthest[1] < 0.02 && farthest[2] > 0.2, "{backend}: {farthest:?} m");
    }
}

/// Nothing resists its turn about the pin either, and along it Newton's steps never end: what is left of the forces is rounding, and that is rest.
#[test]
fn a_ring_hung_from_a_point_is_found_at_rest() {
    let net = Net {
        shape: NetShape::Ring { radius: 0.2, segments: 24, twist: 0.0 },
        pin: vec![Pin { selector: Selector::Indices(vec![0]), ..Pin::default() }],
        ..Net::default()
    };
    let found = equilibrium(&System::of_model(&Model::new(&scene(net)).unwrap()), &Limits::default());
    println!(
        "{} iterations leave {:.1e}, {} unstable",
        found.iterations, found.residual, found.unstable_modes
    );
    assert!(found.converged && found.unstable_modes == 0);
}

/// A ring that folds by its own twist pushes on nothing.
#[test]
fn a_ring_that_folds_keeps_its_momentum() {
    let net = Net { rest: NetRest::Straight, velocity: DVec3::new(0.3, 0.0, 0.1), ..ring(36, 20.0) };
    let scene = Scene { gravity: DVec3::ZERO, ..scene(net) };
    let mass: f64 = Model::new(&scene).unwrap().particles.masses.iter().sum();
    for (backend, options) in backends() {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        // A push to leave the plane.
        let start = simulation.measure().unwrap();
        simulation.advance(120).unwrap();
        let end = simulation.measure().unwrap();
        let lost = (end.momentum - start.momentum).length() / (mass * 0.3);
        let spun = (end.angular_momentum - start.angular_momentum).length() / mass;
        println!("{backend}: momentum changed by {lost:.1e}, angular momentum by {spun:.1e} m²/s");
        let limit = if options.precision == Precision::F64 { 1e-10 } else { 1e-4 };
        assert!(lost < limit && spun < 10.0 * limit, "{backend}: {lost:e}, {spun:e}");
    }
}
