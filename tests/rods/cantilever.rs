//! Bending of a rod that sticks out of a wall.

use super::{assert_close, backends, run, scene, tip};
use glam::DVec3;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodShape, Scene};

const G: f64 = 9.81;

fn cantilever(segments: u32, material: RodMaterial, weight: f64) -> Scene {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments },
        material,
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        end: RodEnd { weight, ..RodEnd::default() },
        ..Rod::default()
    };
    Scene { substeps: 20, iterations: 2, damping: 4.0, ..scene(rod) }
}

fn steel(segments: u32, weight: f64) -> Scene {
    cantilever(segments, RodMaterial { radius: 0.002, ..RodMaterial::STEEL_WIRE }, weight)
}

/// wL⁴/8EI + PL³/3EI, L = 1 m.
fn beam_sag(scene: &Scene) -> f64 {
    let material = &scene.rod[0].material;
    let (w, ei) = (material.density * material.area() * G, material.bending_stiffness().x);
    w / (8.0 * ei) + scene.rod[0].end.weight * G / (3.0 * ei)
}

/// A steel wire of one metre, E = 200 GPa, under its own weight and a small tip load, at 20 substeps of 1/60 s.
#[test]
fn a_steel_cantilever_sags_as_beam_theory_says_at_twenty_substeps() {
    let scene = steel(100, 0.002);
    for (backend, options) in backends() {
        let mut simulation = run(&scene, &options, 4.0);
        let speed = simulation.measure().unwrap().max_speed;
        let sag = -tip(&mut simulation).y;
        println!("{backend}: sag {sag:.6} m of {:.6}, max speed {speed:.1e}", beam_sag(&scene));
        assert_close(backend, sag, beam_sag(&scene), 0.01);
    }
}

/// (PL³/3EI)(1 + 1/2n²) + PL/κ is the exact answer of the discrete rod with half an element at the wall. The rod needs time:
/// its motion dies out at half the rate of damping, two powers of e a second.
#[test]
fn the_sag_under_a_tip_load_is_that_of_the_discrete_beam() {
    // EI = 2 N m² and next to no weight of its own.
    let radius = 0.01f64;
    let youngs_modulus = 2.0 / (0.25 * std::f64::consts::PI * radius.powi(4));
    let material =
        RodMaterial { radius, youngs_modulus, density: 1e-3, poisson_ratio: 0.3, ..RodMaterial::STEEL_WIRE };
    for segments in [10, 20, 40] {
        // A sag of 0.8 mm: the beam's equation is linear to its square.
        let scene = cantilever(segments, material, 5e-4);
        let (load, n) = (5e-4 * G, f64::from(segments));
        let own = beam_sag(&scene) - load / 6.0;
        let shear = load / material.stretch_stiffness().x;
        let expected = load / 6.0 * (1.0 + 0.5 / (n * n)) + shear + own;
        for (backend, options) in backends() {
            let exact = backend == "cpu f64";
            let (seconds, tolerance) = if exact { (10.0, 2e-6) } else { (6.0, 1e-3) };
            let sag = -tip(&mut run(&scene, &options, seconds)).y;
            println!("{backend}, n = {segments}: {sag:.9} of {expected:.9}, {:.1e}", sag / expected - 1.0);
            assert_close(&format!("{backend}, n = {segments}"), sag, expected, tolerance);
        }
    }
}

/// At 9,600 substeps a second a quaternion's last digit is more than a frame turns in a substep.
#[test]
fn many_substeps_do_not_freeze_or_shake_a_frame() {
    let scene = Scene { substeps: 160, ..steel(20, 0.002) };
    for (backend, options) in &backends()[1..] {
        let sag = -tip(&mut run(&scene, options, 3.0)).y;
        println!("{backend}: {sag:.6} of {:.6}", beam_sag(&scene));
        assert_close(backend, sag, beam_sag(&scene), 0.01);
    }
}

/// A rod so soft that the end hangs down: the shape does not depend on the segments or on the method.
#[test]
fn a_limp_rod_hangs_the_same_with_any_segments_and_any_method() {
    let material = RodMaterial { radius: 0.005, youngs_modulus: 2e7, ..RodMaterial::RUBBER };
    let hang = |segments, method, iterations| {
        let mut scene = cantilever(segments, material, 0.0);
        scene.rod[0].method = method;
        scene.iterations = iterations;
        tip(&mut run(&scene, &backends()[1].1, 4.0))
    };
    let fine = hang(80, RodMethod::Direct, 1);
    for (segments, method, iterations) in [
        (20, RodMethod::Direct, 1),
        (40, RodMethod::Direct, 2),
        (20, RodMethod::Coloured, 20),
        (20, RodMethod::Jacobi, 60),
    ] {
        let tip = hang(segments, method, iterations);
        println!("{segments} segments, {method:?}: {tip:.4}, finest {fine:.4}");
        assert!(tip.distance(fine) < 0.01, "{segments} segments, {method:?}: {tip} instead of {fine}");
    }
}
