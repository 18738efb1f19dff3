//! Bending of a rod that sticks out of a wall.

use super::{assert_close, backends, run, scene, tip};
use glam::DVec3;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodShape, Scene};

const G: f64 = 9.81;
/// Motion dies out at half of this rate, e¹⁰ times in a second: no mode of the rods here is slower [1/s].
const DAMPING: f64 = 20.0;

fn cantilever(segments: u32, material: RodMaterial, weight: f64) -> Scene {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments },
        material,
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        end: RodEnd { weight, ..RodEnd::default() },
        ..Rod::default()
    };
    Scene { substeps: 20, iterations: 2, damping: DAMPING, ..scene(rod) }
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
        let mut simulation = run(&scene, &options, 1.0);
        let speed = simulation.measure().unwrap().max_speed;
        let sag = -tip(&mut simulation).y;
        println!("{backend}: sag {sag:.6} m of {:.6}, max speed {speed:.1e}", beam_sag(&scene));
        assert_close(backend, sag, beam_sag(&scene), 0.01);
    }
}

/// The exact answer of the discrete rod: (PL³/3EI)(1 + 1/2n²) + PL/κ with half an element at the wall, (PL³/3EI)(1 − 1/n)(1 − 1/2n) + PL/κ
/// with the first frame held.
#[test]
fn the_sag_under_a_tip_load_is_that_of_the_discrete_beam() {
    // EI = 2 N m² and next to no weight of its own.
    let radius = 0.01f64;
    let youngs_modulus = 2.0 / (0.25 * std::f64::consts::PI * radius.powi(4));
    let light = |density| RodMaterial {
        radius,
        youngs_modulus,
        density,
        poisson_ratio: 0.3,
        ..RodMaterial::STEEL_WIRE
    };
    let cases = [10u32, 20, 40].into_iter().flat_map(|n| [Hold::Clamped, Hold::Framed].map(|hold| (n, hold)));
    let cases: Vec<(u32, Hold)> = cases.collect();
    for (backend, options) in backends() {
        // Bent by d the beam is linear to d²: 0.8 mm are enough for f32 and too much for 10⁻⁶. Nor does f32 bear a rod that weighs a
        // millionth of its load.
        let exact = backend == "cpu f64";
        let (weight, seconds, tolerance) = if exact { (2e-5, 2.0, 1e-6) } else { (5e-4, 1.2, 1e-3) };
        let material = light(if exact { 1e-7 } else { 1e-3 });
        let rods = cases.iter().map(|&(segments, hold)| {
            let [mut rod] = <[Rod; 1]>::try_from(cantilever(segments, material, weight).rod).unwrap();
            rod.start.hold = hold;
            rod
        });
        let scene = Scene { rod: rods.collect(), ..cantilever(1, material, 0.0) };
        let x = run(&scene, &options, seconds).positions().unwrap();
        let (load, mut end) = (weight * G, 0);
        for &(segments, hold) in &cases {
            end += segments as usize + 1;
            let n = f64::from(segments);
            let bend = match hold {
                Hold::Clamped => 1.0 + 0.5 / (n * n),
                _ => (1.0 - 1.0 / n) * (1.0 - 0.5 / n),
            };
            // Its own weight, next to nothing, as in the continuum.
            let own = beam_sag(&cantilever(segments, material, 0.0));
            let expected = load / 6.0 * bend + load / material.stretch_stiffness().x + own;
            let sag = -x[end - 1].y;
            println!(
                "{backend}, n = {segments}, {hold:?}: {sag:.9} of {expected:.9}, {:.1e}",
                sag / expected - 1.0
            );
            assert_close(&format!("{backend}, n = {segments}, {hold:?}"), sag, expected, tolerance);
        }
    }
}

/// At 9,600 substeps a second a quaternion's last digit is more than a frame turns in a substep.
#[test]
fn many_substeps_do_not_freeze_or_shake_a_frame() {
    let scene = Scene { substeps: 160, ..steel(20, 0.002) };
    for (backend, options) in &backends()[1..] {
        let sag = -tip(&mut run(&scene, options, 0.7)).y;
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
        scene.damping = 4.0;
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
