//! Bending of finite-element sheets: the rigidity on a cylinder and that of a cantilever.

use crate::sheet::{FORCES, PLACES, Place, deform, equilateral, pin, run_to_last, scene, vectors};
use glam::DVec3;
use sinew::Simulation;
use sinew::model::Model;
use sinew::scene::{ClothShape, ConjugateGradients, Fabric, Integrator};
use sinew::solver::Solver;

/// A sheet of equilateral triangles rolled with radius 1 about an axis in its plane stores ½ B κ² per area, B = k_e/4,
/// whichever way it is rolled, and its forces do that work when the curvature grows: Σ f · ∂x/∂κ = −B κ per area.
#[test]
fn a_sheet_rolled_to_a_cylinder_stores_half_its_rigidity_per_area() {
    const B: f64 = 1e-4;
    const EDGE: f64 = 0.02;
    for axis in [0.0f64, 0.3, 1.1] {
        let mut scene = scene([1.0, 1.0], [1, 1], Fabric::default(), 1e-6);
        scene.cloth[0].shape = ClothShape::Triangles(equilateral([40, 40], EDGE));
        scene.cloth[0].bending_stiffness = B;
        let flat = Model::new(&scene).unwrap();
        let (along, across) =
            (DVec3::new(axis.cos(), axis.sin(), 0.0), DVec3::new(-axis.sin(), axis.cos(), 0.0));
        let mut rolled = flat.clone();
        deform(&mut rolled, |x| {
            let u = x.dot(across);
            along * x.dot(along) + across * u.sin() + DVec3::Z * (1.0 - u.cos())
        });
        let x = &rolled.particles.positions;
        let at = |p: u32| x[p as usize];
        let rest = |p: u32| flat.particles.positions[p as usize];
        // How a particle moves when the curvature grows.
        let motion = |p: u32| {
            let u = rest(p).dot(across);
            across * (u * u.cos() - u.sin()) + DVec3::Z * (u * u.sin() - (1.0 - u.cos()))
        };
        // A window of whole periods of the lattice, away from the boundary, which has no hinges.
        let (low, size) = (DVec3::new(0.1, 0.1, 0.0), DVec3::new(20.0, 20.0 * 0.75f64.sqrt(), 0.0) * EDGE);
        let folds = &flat.elements[0].folds;
        let inside: Vec<usize> = (0..folds.len())
            .filter(|&k| {
                let middle = 0.5 * (rest(folds[k].particles[2]) + rest(folds[k].particles[3])) - low;
                middle.cmpge(DVec3::ZERO).all() && middle.x < size.x && middle.y < size.y
            })
            .collect();
        let full = size.x * size.y * 4.0 * B;
        let energy: f64 = inside.iter().map(|&k| folds[k].energy(folds[k].particles.map(at))).sum();
        let coefficient = energy / (0.5 * full);
        println!("axis {axis}: {coefficient}");
        assert!((coefficient - 0.25).abs() < 1e-4 * 0.25, "axis {axis}: {coefficient}");

        let solver = Solver::new(&rolled).unwrap();
        for place in PLACES {
            let mut executor = place.executor(&solver);
            run_to_last(&solver, executor.as_mut(), &FORCES);
            let corners = vectors(&solver, executor.as_mut(), "corner_forces");
            let first = 3 * flat.elements[0].membranes.len();
            let work: f64 = inside
                .iter()
                .flat_map(|&k| (0..4).map(move |c| (4 * k + c, folds[k].particles[c])))
                .map(|(slot, particle)| corners[first + slot].dot(motion(particle)))
                .sum();
            let coefficient = -work / full;
            println!("axis {axis}, {place:?}: {coefficient}");
            assert!((coefficient - 0.25).abs() < 1e-4 * 0.25, "axis {axis}, {place:?}: {coefficient}");
        }
    }
}

/// A cantilever of 3 cm: between 1.490 mm (wide) and 1.677 mm (narrow) of small-deflection theory.
#[test]
fn a_cantilever_sags_as_its_bending_rigidity_says() {
    const ROWS: u32 = 18;
    // Rows 0 and 1 are clamped. The hinges of row 1 stand for half a row on either side, so the free length is half a row more.
    let edge = 0.03 / (f64::from(ROWS) - 0.5) / 0.75f64.sqrt();
    let mut scene = scene([1.0, 1.0], [1, 1], Fabric::default(), 1e-3);
    scene.gravity = DVec3::new(0.0, 0.0, -9.81);
    scene.damping = 40.0;
    scene.integrator = Integrator::Implicit;
    scene.conjugate_gradients = ConjugateGradients { iterations: 200, tolerance: 1e-4 };
    let cloth = &mut scene.cloth[0];
    cloth.shape = ClothShape::Triangles(equilateral([6, ROWS], edge));
    cloth.density = 0.15;
    cloth.bending_stiffness = 1e-4;
    cloth.pin = vec![pin((0..14).collect())];
    for place in [Place::F32, Place::Device] {
        let mut simulation = Simulation::new(&scene, &place.options()).unwrap();
        simulation.advance(200).unwrap();
        let x = simulation.positions().unwrap();
        let tip = -1e3 * x.iter().rev().take(7).map(|x| x.z).sum::<f64>() / 7.0;
        let (speed, counts) = (simulation.measure().unwrap().max_speed, simulation.iterations().unwrap());
        println!("{place:?}: tip {tip:.3} mm, speed {speed:.1e}, {counts:?}");
        assert!((1.45..1.75).contains(&tip), "{tip} mm");
    }
}
