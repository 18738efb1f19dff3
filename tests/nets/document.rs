//! The document's experiments with nets: cantilevers, junctions, whichever way round.

use super::{assert_close, backends, run, scene};
use glam::DVec3;
use sinew::model::Model;
use sinew::rods::statics::{Limits, System, equilibrium};
use sinew::scene::{
    AttachedWeight, Clamps, Graph, Junctions, Net, NetShape, Pin, RodMaterial, Scene, Selector,
};
use sinew::{Options, Precision};

fn at(indices: &[u32]) -> Pin {
    Pin { selector: Selector::Indices(indices.to_vec()), ..Pin::default() }
}

/// P (L − l/2)³/3K₁₁ with the first frame held, by a weight on the last node.
#[test]
fn a_net_of_one_line_is_a_cantilever() {
    let material = RodMaterial::PRINTED_COMPARISON;
    for segments in [25u32, 50] {
        let mut graph = Graph::default();
        graph.node(DVec3::ZERO);
        graph.node(10.0 * DVec3::X);
        graph.edge([0, 1], segments);
        let load = 0.02;
        let net = Net {
            shape: NetShape::Graph(graph),
            material,
            clamp: vec![at(&[0])],
            clamps: Clamps::Frames,
            weight: vec![AttachedWeight { selector: Selector::Indices(vec![1]), mass: 1e3 * load }],
            ..Net::default()
        };
        // So little gravity that the net's own weight does not count beside the load's.
        let model = Model::new(&Scene { gravity: 1e-3 * DVec3::NEG_Y, ..scene(net) }).unwrap();
        let mut system = System::of_model(&model);
        let weight = system.forces[1].y;
        assert_close("load", -weight, load, 0.02);
        system.forces.iter_mut().for_each(|force| *force = DVec3::ZERO);
        system.forces[1].y = -load;
        let found = equilibrium(&system, &Limits::default());
        let length = 10.0 - 5.0 / f64::from(segments);
        let expected = load * length.powi(3) / (3.0 * material.bending_stiffness().x);
        println!("n = {segments}: {:.5} m of {expected:.5}", -found.system.positions[1].y);
        assert_close("tip", -found.system.positions[1].y, expected, 2e-3);
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
        assert!(system.energy().abs() < 1e-20, "{junctions:?}: {} J", system.energy());
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
    let options = Options::cpu(Precision::F64);
    for junctions in [Junctions::Hub, Junctions::Pairs] {
        let plain = run(&junction([false; 3], junctions, push), &options, 0.3).positions().unwrap();
        for reversed in [[true, false, false], [false, true, true], [true; 3]] {
            let other = run(&junction(reversed, junctions, push), &options, 0.3).positions().unwrap();
            // The points inside an edge are numbered along it.
            for (i, x) in plain.iter().enumerate() {
                let place = match i.checked_sub(4) {
                    Some(inside) if reversed[inside / 3] => 4 + 3 * (inside / 3) + 2 - inside % 3,
                    _ => i,
                };
                let apart = x.distance(other[place]);
                assert!(apart < 1e-7, "{junctions:?} {reversed:?}: particle {i} is {apart:e} m off");
            }
        }
    }
}
