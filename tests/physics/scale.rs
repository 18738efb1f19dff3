//! The size of a scene and the digits of its numbers do not show in the result.

use crate::common::*;
use glam::DVec3;
use sinew::scene::{Cloth, ClothShape, Corner, Pin, Scene, Selector, SolverKind};

/// A sheet of one metre times `scale` that swings down from two corners. Lengths scale by s and times by √s, so gravity
/// stays; with the same mass per area forces scale by s², stretch stiffness by s and bending stiffness by s³.
fn swinging_sheet(solver: SolverKind, scale: f64) -> Scene {
    let time = scale.sqrt();
    Scene {
        time_step: time / 64.0,
        substeps: 8,
        iterations: 3,
        solver,
        damping: 0.5 / time,
        cloth: vec![Cloth {
            shape: ClothShape::Grid { size: [scale, scale], cells: [10, 10] },
            rotation: DVec3::new(-60.0, 0.0, 0.0),
            position: DVec3::new(0.25, 0.5, -0.125) * scale,
            thickness: 1e-3 * scale,
            stretch_stiffness: 500.0 * scale,
            shear_stiffness: 50.0 * scale,
            bending_stiffness: 1e-3 * scale.powi(3),
            area_stiffness: 20.0 * scale,
            pin: vec![Pin {
                selector: Selector::Corners(vec![Corner::TopLeft, Corner::TopRight]),
                ..Default::default()
            }],
            ..Default::default()
        }],
        ..Default::default()
    }
}

/// Half a second of a metre's time.
const STEPS: u32 = 32;

/// Positions in units of the sheet.
fn shape(backend: &TestBackend, solver: SolverKind, scale: f64) -> Vec<DVec3> {
    let mut simulation = backend.simulate(&swinging_sheet(solver, scale));
    simulation.advance(STEPS).unwrap();
    simulation.positions().unwrap().iter().map(|x| *x / scale).collect()
}

#[test]
fn a_metre_and_a_millimetre_give_the_same_shape() {
    /// Numbers of other mantissas round differently: as far as f32 is from f64 in this scene, which the test below
    /// measures, relative to the size; in units of one rounding.
    const ROUNDINGS: f64 = 100.0;
    for (backend, solver, name) in backends_and_solvers() {
        let [metre, millimetre] = [1.0, 1e-3].map(|scale| shape(&backend, solver, scale));
        let error = largest_distance(&metre, &millimetre);
        assert_below(error, ROUNDINGS * backend.rounding, &format!("{name}: difference over the size"));
    }
}

/// A power of four changes no mantissa, so any constant with a length hidden in it would show.
#[test]
fn a_metre_and_a_1024th_of_it_give_the_same_bits() {
    for (backend, solver, name) in backends_and_solvers() {
        let [metre, small] = [1.0, 1.0 / 1024.0].map(|scale| shape(&backend, solver, scale));
        assert_eq!(largest_distance(&metre, &small), 0.0, "{name}");
    }
}

#[test]
fn the_f32_error_of_a_second_of_cloth_is_below_a_hundredth_of_a_millimetre_per_metre() {
    /// Of the size. Rounding of 512 substeps grows with the folding of the sheet; later, chaos would have its say.
    const LIMIT: f64 = 1e-5;
    for solver in SOLVERS {
        let [f32_cpu, truth, gpu] = backends();
        let track = |backend: &TestBackend| {
            let mut simulation = backend.simulate(&swinging_sheet(solver, 1.0));
            [0; 4].map(|_| {
                simulation.advance(16).unwrap();
                simulation.positions().unwrap()
            })
        };
        let reference = track(&truth);
        for backend in [f32_cpu, gpu] {
            let errors: Vec<f64> =
                track(&backend).iter().zip(&reference).map(|(x, y)| largest_distance(x, y)).collect();
            println!("{solver:?}, {}: {errors:?} after 0.25, 0.5, 0.75 and 1 s", backend.name);
            assert_below(errors[3], LIMIT, &format!("{solver:?}, {} against f64 [m]", backend.name));
        }
    }
}
