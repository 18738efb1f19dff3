//! Rods that hang and swing: the inertia of their frames slows them down.

use super::{assert_close, backends};
use glam::DVec3;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodShape, Scene};
use sinew::{Options, Precision, Simulation};

/// [rad].
const TILT: f64 = 0.1;

/// The comparison rod hung up at one end and tilted, with frames of so many times their section's inertia.
fn tilted(inertia: f64) -> Rod {
    Rod {
        shape: RodShape::Line {
            from: DVec3::ZERO,
            to: 10.0 * DVec3::new(TILT.sin(), -TILT.cos(), 0.0),
            segments: 20,
        },
        material: RodMaterial {
            frame_inertia: Some(inertia),
            stretch_friction: 0.0,
            bend_friction: 0.0,
            ..RodMaterial::PRINTED_COMPARISON
        },
        start: RodEnd { hold: Hold::Pinned, ..RodEnd::default() },
        method: RodMethod::Corde,
        ..Rod::default()
    }
}

/// Each swings with the period of its lowest mode, longer with heavy frames, and by 1 + TILT²/16 for the width of the swing. All rods share
/// their passes. Light frames take several steps while the points take one; a substep is no whole number of their vibrations, nor of half.
#[test]
fn a_hanging_rod_swings_with_the_periods_known_for_its_frames() {
    let known = [(1.0, 5.2629), (0.1, 5.2428), (0.01, 5.2398), (0.001, 5.2395)];
    // A software device has no time for the lightest frames, nor for the way to the first passage, which the CPU takes.
    for (backends, known, substeps, frame_substeps) in
        [(&backends()[..2], &known[..], 35, 8), (&backends()[2..], &known[..3], 33, 3)]
    {
        let rods = known.iter().map(|&(inertia, _)| tilted(inertia)).collect();
        let scene = Scene { rod: rods, time_step: 5e-3, substeps, frame_substeps, ..Scene::default() };
        for (backend, options) in backends {
            let mut simulation = Simulation::new(&scene, options).unwrap();
            if *backend == "gpu" {
                let mut beginning = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
                beginning.advance(255).unwrap();
                simulation.restore(beginning.state().unwrap()).unwrap();
            }
            for ((inertia, small), period) in known.iter().zip(periods(&mut simulation, known.len())) {
                let expected = small * (1.0 + TILT * TILT / 16.0);
                println!("α = {inertia}, {backend}: {period:.4} s of {expected:.4}");
                assert_close(&format!("{backend}, α = {inertia}"), period, expected, 1e-3);
            }
        }
    }
}

/// The periods of all rods, from one passage to the next [s].
fn periods(simulation: &mut Simulation, count: usize) -> Vec<f64> {
    let (mut crossings, mut before) = (vec![Vec::new(); count], vec![1.0; count]);
    while crossings.iter().any(|found: &Vec<f64>| found.len() < 2) {
        let start = simulation.time();
        simulation.step().unwrap();
        let x = simulation.positions().unwrap();
        for ((rod, before), crossings) in x.chunks_exact(21).zip(&mut before).zip(&mut crossings) {
            // Weighed by the distance from the top, higher modes hardly count.
            let aside: f64 = rod.iter().enumerate().map(|(i, x)| i as f64 * x.x).sum();
            if aside.signum() != f64::signum(*before) {
                let end = simulation.time();
                crossings.push(end - (end - start) * aside / (aside - *before));
            }
            *before = aside;
        }
    }
    crossings.iter().map(|found| 2.0 * (found[1] - found[0])).collect()
}
