//! Twisted and compressed rods that move, and where they come to rest: on the device as statics has it on the host.

use super::statics::{held, localised, mean_loads, section};
use super::{assert_close, backends, run, scene};
use glam::DVec3;
use sinew::model::Model;
use sinew::rods::statics::System;
use sinew::scene::{Hold, Keyframe, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use sinew::{Options, Simulation};
use std::f64::consts::{PI, TAU};

/// The comparison set twisted by three quarters of a turn, framed at both ends and pushed aside, comes to the energies known for
/// it: 2 % of the small ones, 10⁻⁴ of all.
#[test]
fn the_buckled_comparison_rod_comes_to_the_energies_known_for_it() {
    let rod = Rod {
        shape: RodShape::Line { from: 5.0 * DVec3::NEG_X, to: 5.0 * DVec3::X, segments: 50 },
        material: RodMaterial::PRINTED_COMPARISON,
        rest: RodRest::Straight,
        twist: 270.0,
        start: held(Hold::Framed),
        end: held(Hold::Framed),
        ..Rod::default()
    };
    let scene = Scene { gravity: DVec3::ZERO, damping: 3.0, substeps: 5, ..scene(rod) };
    let mut model = Model::new(&scene).unwrap();
    for x in &mut model.particles.positions {
        x.y = 0.03 * (0.1 * PI * x.x).cos().powi(2);
    }
    for (backend, options) in backends() {
        let mut simulation = Simulation::from_model(model.clone(), &options).unwrap();
        simulation.advance(360).unwrap();
        let rods = simulation.measure().unwrap().rods;
        let aside = simulation.positions().unwrap().iter().map(|x| x.y.hypot(x.z)).fold(0.0, f64::max);
        println!("{backend}: {rods:?}, {:.3} mm aside", 1e3 * aside);
        assert_close(&format!("{backend}, all"), rods.elastic(), 710.13, 1e-4);
        for (what, found, expected) in [
            ("stretch", rods.stretch, 1.195),
            ("penalty", rods.shear, 6.6e-4),
            ("bending", rods.bend, 2.402),
            ("twist", rods.twist, 706.53),
            ("way aside", aside, 0.0314),
        ] {
            assert_close(&format!("{backend}, {what}"), found, expected, 0.02);
        }
    }
}

/// The localised helix, from the continuum's shape: φ₀, M and T of a rod of 100 segments to 0.5 %.
#[test]
fn a_long_twisted_rod_comes_to_rest_in_the_known_helix() {
    let mut model = localised(100, RodMethod::Direct, 1.0 / 600.0);
    model.settings.damping = 5.0;
    for (backend, options) in backends() {
        let mut simulation = Simulation::from_model(model.clone(), &options).unwrap();
        simulation.advance(900).unwrap();
        let system = System {
            positions: simulation.model_positions().unwrap(),
            orientations: simulation.frames().unwrap().orientations,
            ..System::of_model(&model)
        };
        let found = mean_loads(&system);
        println!("{backend}: φ₀, M, T {found:.4?}");
        for (found, expected) in found.into_iter().zip([0.8258, 2.8580, 2.4360]) {
            assert_close(&format!("{backend}: φ₀, M, T"), found, expected, 5e-3);
        }
    }
}

/// Pulls a bit at columns whose ends are pressed together by the motion of one, and tells the load at which each kind would buckle [N]: a
/// column leans as its lowest mode does, by an amount whose inverse falls in proportion to the load and vanishes there (Southwell 1932).
fn critical_loads(kinds: &[[f64; 2]], method: RodMethod, options: &Options) -> Vec<f64> {
    const SHARES: [f64; 2] = [0.6, 0.85];
    let stretch = if method == RodMethod::Corde { 2e4 } else { 1e5 };
    let column = |shear: f64, load: f64| {
        let start = Keyframe { time: 0.0, ..Keyframe::default() };
        let pressed = Keyframe { time: 0.2, offset: DVec3::NEG_X * load / stretch, ..Keyframe::default() };
        Rod {
            shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 20 },
            material: RodMaterial { density: 1000.0, ..section([1.0, 1.0, stretch, shear]) },
            start: held(Hold::Framed),
            end: RodEnd { motion: vec![start, pressed], ..held(Hold::Framed) },
            method,
            ..Rod::default()
        }
    };
    let rods =
        kinds.iter().flat_map(|&[shear, expected]| SHARES.map(|share| column(shear, share * expected)));
    // So weak a pull that the arc is no longer than its chord.
    let gravity = 0.02 * DVec3::NEG_Y;
    let scene =
        Scene { rod: rods.collect(), gravity, damping: 20.0, raise_substeps: true, ..Scene::default() };
    let x = run(&scene, options, 1.5).positions().unwrap();
    // Slopes against those of the mode, which is orthogonal to all others.
    let lean = |rod: &[DVec3]| {
        let slopes = rod.windows(2).map(|pair| pair[0].y - pair[1].y).enumerate();
        slopes.map(|(i, slope)| slope * (TAU * i as f64 / 19.0).sin()).sum::<f64>()
    };
    let softness: Vec<f64> = x.chunks_exact(21).map(|rod| 1.0 / lean(rod)).collect();
    let vanishes = |pair: &[f64]| SHARES[0] - pair[0] * (SHARES[1] - SHARES[0]) / (pair[1] - pair[0]);
    softness.chunks_exact(2).zip(kinds).map(|(pair, kind)| vanishes(pair) * kind[1]).collect()
}

/// With P = 4π² K₁₁/(L − l)²: P/(1 + P/κ) where tension is along the line (Engesser), as in explicit rods; and the root of N (1 + N/κ) = P where
/// it is along the section's axis (Haringx), as in the other methods.
#[test]
fn a_pressed_column_softens_towards_eulers_load_with_shear() {
    for (backend, options) in backends() {
        for (method, kinds) in [
            (RodMethod::Direct, &[[1e5, 43.35], [200.0, 36.65]][..]),
            (RodMethod::Corde, &[[200.0, 35.64]][..]),
        ] {
            for ([shear, expected], found) in kinds.iter().zip(critical_loads(kinds, method, &options)) {
                println!("{backend}, {method:?}, κ = {shear}: {found:.3} N of {expected}");
                assert_close(&format!("{backend}, {method:?}, κ = {shear}"), found, *expected, 0.01);
            }
        }
    }
}
