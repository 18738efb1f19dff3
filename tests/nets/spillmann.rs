//! Spillmann & Teschner's (2009) experiments with nets: cantilevers, junctions, whichever way round.

use super::{assert_close, backends, run, scene};
use glam::DVec3;
use sinew::model::Model;
use sinew::rods::statics::{Limits, System, equilibrium};
use sinew::scene::{
    AttachedWeight, Clamps, Graph, Junctions, Net, NetShape, Pin, RodMaterial, Scene, Selector,
};

fn at(indices: &[u32]) -> Pin {
    Pin { selector: Selector::Indices(indices.to_vec()), ..Pin::default() }
}

/// P (L − l/2)³/3K₁₁ with the first frame held, by a weight on the last node: 0.07989 m with 25 segments, 0.08236 m with 50.
#[test]
fn a_net_of_one_line_is_a_cantilever() {
    // Its own weight counts little beside that of the load.
    let material = RodMaterial { density: 0.05, ..RodMaterial::PRINTED_COMPARISON };
    let own = material.density * material.area() * 9.81;
    let load = 0.02;
    let net = |segments: u32| {
        let mut graph = Graph::default();
        graph.node(DVec3::ZERO);
        graph.node(10.0 * DVec3::X);
        graph.edge([0, 1], segments);
        Net {
            shape: NetShape::Graph(graph),
            material,
            clamp: vec![at(&[0])],
            clamps: Clamps::Frames,
            weight: vec![AttachedWeight { selector: Selector::Indices(vec![1]), mass: load / 9.81 }],
            ..Net::default()
        }
    };
    let counts = [25u32, 50];
    let scene = Scene { net: counts.map(net).to_vec(), damping: 10.0, ..Scene::default() };
    let known = counts.iter().zip([0.07989, 0.08236]).map(|(&segments, known)| {
        let length: f64 = 10.0 - 5.0 / f64::from(segments);
        let expected = load * length.powi(3) / (3.0 * material.bending_stiffness().x);
        assert!((expected - known).abs() < 1e-5, "{expected} and {known} m");
        expected + own * length.powi(4) / (8.0 * material.bending_stiffness().x)
    });
    let known: Vec<f64> = known.collect();
    let check = |what: &str, x: &[DVec3]| {
        // Two nodes and the points between them.
        for (tip, expected) in [x[1].y, x[26 + 1].y].into_iter().zip(&known) {
            println!("{what}: {:.5} m of {expected:.5}", -tip);
            assert_close(what, -tip, *expected, 2e-3);
        }
    };
    let model = Model::new(&scene).unwrap();
    let found = equilibrium(&System::of_model(&model), &Limits::default());
    check("statics", &model.order.undo(&found.system.positions));
    for (backend, options) in backends() {
        check(backend, &run(&scene, &options, 2.0).positions().unwrap());
    }
}

/// A T whose edges run as the mask says, and whether its stem is pulled aside at first.
fn junction(reversed: [bool; 3], junctions: Junctions, velocity: DVec3) -> Scene {
    let mut graph = Graph::default();
    for x in [DVec3::ZERO, DVec3::X, DVec3::NEG_X, DVec3::new(0.2, -0.9, 0.4)] {
        graph.node(x);
    }
    for (end, reversed) in (1..).zip(reversed) {
        graph.edge(if reversed { [end, 0] } else { [0, end] }, 4);
    }
    let net = Net {
        shape: NetShape::Graph(graph),
        material: RodMaterial { radius: 0.02, youngs_modulus: 5e7, ..RodMaterial::RUBBER },
        junctions,
        velocity,
        pin: vec![at(&[1])],
        clamp: vec![at(&[2])],
        ..Net::default()
    };
    Scene { gravity: DVec3::ZERO, iterations: 2, ..scene(net) }
}

#[test]
fn a_junction_at_rest_feels_nothing_and_returns_there() {
    for junctions in [Junctions::Hub, Junctions::Pairs, Junctions::Shared] {
        let still = junction([false; 3], junctions, DVec3::ZERO);
        let system = System::of_model(&Model::new(&still).unwrap());
        let forces = (0..system.positions.len()).map(|p| system.reaction_force(p).length());
        let torques = (0..system.orientations.len()).map(|k| system.reaction_torque(k).length());
        let largest = forces.chain(torques).fold(0.0, f64::max);
        let stiffness = still.net[0].material.stretch_stiffness().z;
        assert!(largest < 1e-12 * stiffness, "{junctions:?}: {largest:e} N or N m");
        // The junctions differ in their joints and not in how a device runs them.
        let count = if junctions == Junctions::Hub { 3 } else { 2 };
        for (backend, options) in &backends()[1..count] {
            let start = run(&still, options, 0.0).positions().unwrap();
            let furthest = |scene: &Scene, seconds: f64| {
                let x = run(scene, options, seconds).positions().unwrap();
                x.iter().zip(&start).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
            };
            let drift = furthest(&still, 0.5);
            assert!(drift < 1e-6, "{backend} {junctions:?}: {drift:e} m without any load");
            let pushed = Scene { damping: 6.0, ..junction([false; 3], junctions, DVec3::new(0.0, 0.5, 1.0)) };
            let (aside, back) = (furthest(&pushed, 0.1), furthest(&pushed, 3.0));
            assert!(
                aside > 0.01 && back < 0.1 * aside,
                "{backend} {junctions:?}: {aside:e}, then {back:e} m"
            );
        }
    }
}

/// An edge from a to b is the edge from b to a.
#[test]
fn a_net_moves_the_same_whichever_way_its_edges_run() {
    let push = DVec3::new(0.1, 0.5, 1.0);
    let masks = [[false; 3], [true, false, false], [false, true, true], [true; 3]];
    for (backend, options) in backends() {
        for junctions in [Junctions::Hub, Junctions::Pairs] {
            // All of them in one place and one scene.
            let nets = masks.map(|reversed| junction(reversed, junctions, push).net.remove(0)).to_vec();
            let scene = Scene { net: nets, ..junction([false; 3], junctions, push) };
            let x = run(&scene, &options, 0.3).positions().unwrap();
            let nets: Vec<&[DVec3]> = x.chunks_exact(4 + 3 * 3).collect();
            let limit = if backend == "cpu f64" { 1e-7 } else { 1e-5 };
            for (other, reversed) in nets.iter().zip(masks).skip(1) {
                // The points inside an edge are numbered along it.
                for (i, x) in nets[0].iter().enumerate() {
                    let place = match i.checked_sub(4) {
                        Some(inside) if reversed[inside / 3] => 4 + 3 * (inside / 3) + 2 - inside % 3,
                        _ => i,
                    };
                    let apart = x.distance(other[place]);
                    assert!(
                        apart < limit,
                        "{backend} {junctions:?} {reversed:?}: particle {i} is {apart:e} m off"
                    );
                }
            }
        }
    }
}
