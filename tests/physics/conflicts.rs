//! What iterations make of constraints that cannot all be met, or not soon.

use crate::common::*;
use glam::DVec3;
use sinew::model::Model;
use sinew::scene::{Scene, SolverKind};

/// A particle between two anchors 10 m apart, tied to each by 3 m: one by one the last constraint wins, so that the particle ends at 3 or 7 m
/// whatever the iterations; side by side both give way alike.
#[test]
fn conflicting_links_are_decided_by_their_order_or_shared() {
    const TOLERANCE: f64 = 1e-5;
    for (backend, solver, name) in backends_and_solvers() {
        let mut ends = Vec::new();
        for iterations in [1, 2, 5, 20] {
            let points = vec![DVec3::ZERO, DVec3::X * 10.0, DVec3::X * 4.0];
            let body = linked(points, 1.0, 0.0, vec![[0, 2], [1, 2]], vec![0, 1]);
            let scene = Scene {
                gravity: DVec3::ZERO,
                substeps: 1,
                iterations,
                solver,
                points: vec![body],
                ..Scene::default()
            };
            let mut model = Model::new(&scene).unwrap();
            model.elements[0].links.iter_mut().for_each(|link| link.rest_length = 3.0);
            let mut simulation = backend.simulate_model(model);
            simulation.advance(1).unwrap();
            ends.push(simulation.positions().unwrap()[2].x);
        }
        println!("{name}: {ends:?}");
        if solver == SolverKind::Jacobi {
            ends.iter().for_each(|x| assert_near(*x, 5.0, TOLERANCE, &name));
        } else {
            let side = if ends[0] < 5.0 { 3.0 } else { 7.0 };
            ends.iter().for_each(|x| assert_near(*x, side, TOLERANCE, &name));
        }
    }
}

/// A hanging chain of rigid links: what a few iterations leave of its stretch falls with one over their number, and side by side they leave
/// several times as much.
#[test]
fn the_stretch_of_an_unconverged_chain_falls_with_the_iterations() {
    const LINKS: u32 = 20;
    let backend = &backends()[0];
    let stretch = |solver: SolverKind, iterations: u32| {
        let points = (0..=LINKS).map(|k| DVec3::NEG_Y * (0.05 * f64::from(k))).collect();
        let body = linked(points, 1.0, 0.0, chain_links(LINKS + 1), vec![0]);
        let scene =
            Scene { substeps: 1, iterations, solver, damping: 3.0, points: vec![body], ..Scene::default() };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(1200).unwrap();
        let x = simulation.positions().unwrap();
        x[0].distance(x[LINKS as usize]) / (0.05 * f64::from(LINKS)) - 1.0
    };
    let [coloured, jacobi] = [SolverKind::Coloured, SolverKind::Jacobi]
        .map(|solver| [5, 10, 20, 40].map(|iterations| stretch(solver, iterations)));
    println!("coloured {coloured:.4?}, Jacobi {jacobi:.4?}");
    for stretches in [coloured, jacobi] {
        for pair in stretches.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((1.8..2.6).contains(&ratio), "{stretches:?}");
        }
    }
    for (one, other) in coloured.into_iter().zip(jacobi) {
        assert!(other / one > 3.0 && other / one < 6.0, "{coloured:?} {jacobi:?}");
    }
}
