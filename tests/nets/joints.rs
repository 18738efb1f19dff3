//! Joints: what they resist, whatever their rest angle, and whether a knot weakens or stiffens a rod.

use super::{assert_close, backends, nearest, run, scene};
use glam::{DQuat, DVec3};
use sinew::model::Model;
use sinew::rods::statics::{Limits, System, equilibrium};
use sinew::scene::{
    Graph, GraphEdge, JointStrain, Junctions, Net, NetMethod, NetShape, Pin, RodMaterial, Scene, Selector,
};

/// Two segments of 1 m that meet at an angle [rad].
fn elbow(angle: f64, strain: JointStrain) -> Model {
    let mut graph = Graph::default();
    let (sin, cos) = angle.sin_cos();
    graph.node(-DVec3::X);
    graph.node(DVec3::ZERO);
    graph.node(DVec3::new(cos, sin, 0.0));
    graph.edge([0, 1], 1);
    graph.edge([1, 2], 1);
    let net = Net { shape: NetShape::Graph(graph), strain, ..Net::default() };
    Model::new(&Scene { net: vec![net], ..Scene::default() }).unwrap()
}

/// The document's difference of Darboux vectors loses the factor cos²(θ₀/2) about the axis of the rest angle; the rotation
/// from the rest orientation loses nothing.
#[test]
fn the_stiffness_of_a_joint_depends_on_its_rest_angle_as_said() {
    for degrees in [0.0f64, 60.0, 90.0, 120.0, 150.0] {
        for strain in [JointStrain::Darboux, JointStrain::Relative] {
            let angle = degrees.to_radians();
            let model = elbow(angle, strain);
            let [joint] = model.nets.joints[..] else { panic!("one joint") };
            let q = joint.frames.map(|k| model.rods.frames[k as usize].orientation);
            assert!(joint.strain(q).length() < 1e-12, "not at rest");
            let stiffness = |axis: DVec3| {
                let step = 1e-4;
                let energy = |size: f64| {
                    let turned = DQuat::from_axis_angle(axis, size) * q[1];
                    let c = joint.strain([q[0], turned]);
                    0.5 * (c * c / joint.compliance).element_sum()
                };
                (energy(step) + energy(-step)) / (step * step)
            };
            // Bending and twist are equally stiff for this check.
            let k = model.rods.frames[0].rest_length; // 1 m
            let bend = k / joint.compliance.x;
            let expected = match strain {
                JointStrain::Darboux => (0.5 * angle).cos().powi(2),
                JointStrain::Relative => 1.0,
            };
            assert!((stiffness(DVec3::Z) / bend - expected).abs() < 1e-4, "{degrees}° {strain:?}");
        }
    }
}

/// A beam of 1 m along x, clamped at the start; at its middle, arms of almost no weight to the sides.
fn beam(arms: u32, junctions: Junctions, segments: u32) -> Scene {
    let mut graph = Graph::default();
    graph.node(DVec3::ZERO);
    graph.node(0.5 * DVec3::X);
    graph.node(DVec3::X);
    graph.edge([0, 1], segments);
    graph.edge([1, 2], segments);
    for arm in 0..arms {
        let side = if arm == 0 { DVec3::Z } else { -DVec3::Z };
        let end = graph.node(0.5 * DVec3::X + 0.1 * side);
        graph.edges.push(GraphEdge { ends: [1, end], segments: 2, radius: Some(1e-4) });
    }
    let net = Net {
        shape: NetShape::Graph(graph),
        material: STIFF,
        junctions,
        clamp: vec![Pin { selector: Selector::Indices(vec![0]), ..Pin::default() }],
        ..Net::default()
    };
    Scene { damping: 10.0, substeps: 20, ..scene(net) }
}

const STIFF: RodMaterial =
    RodMaterial { radius: 0.01, density: 1000.0, youngs_modulus: 2e9, ..RodMaterial::RUBBER };

fn sag(scene: &Scene, options: &sinew::Options) -> f64 {
    let tip = nearest(scene, DVec3::X);
    -run(scene, options, 2.0).positions().unwrap()[tip].y
}

/// wL⁴/8EI and shear, through a knot as without: each arm is fixed by half of its segment, the other half is the rod's own.
#[test]
fn a_knot_neither_weakens_nor_stiffens_the_rod_that_runs_through_it() {
    let w = STIFF.density * STIFF.area() * 9.81;
    let expected = w / (8.0 * STIFF.bending_stiffness().x) + 0.5 * w / STIFF.stretch_stiffness().x;
    for (backend, options) in backends() {
        for arms in [0, 2] {
            let found = sag(&beam(arms, Junctions::Hub, 10), &options);
            println!("{backend}, {arms} arms: {found:.6} m of {expected:.6}");
            assert_close(&format!("{backend}, {arms} arms"), found, expected, 0.005);
        }
    }
}

/// What the document's joints do instead: every pair of segments resists, so the junction is stiffer than the rod. The finer
/// the mesh, the shorter the joint and the less it matters.
#[test]
fn pairs_of_segments_make_a_junction_stiffer_and_refinement_makes_it_matter_less() {
    let options = &backends()[0].1;
    // Arms as thick as the beam would add their weight: these are thin, and only the pairing of the beam counts.
    let plain = sag(&beam(0, Junctions::Hub, 12), options);
    let [coarse, fine] = [4, 12].map(|n| sag(&beam(2, Junctions::Pairs, n), options) / plain);
    println!("pairs: {coarse:.4} and {fine:.4} of the plain beam's sag");
    assert!((fine - 1.0).abs() < 0.02 && (coarse - 1.0).abs() < 0.05);
}

/// The same net, solved by each method until nothing changes.
#[test]
fn all_methods_come_to_the_same_rest() {
    let soft = RodMaterial { youngs_modulus: 2e8, ..STIFF };
    let net = |method: NetMethod| Net {
        shape: NetShape::Grid { size: [0.6, 0.4], cells: [3, 2], segments: 2 },
        rotation: DVec3::new(-90.0, 0.0, 0.0),
        material: soft,
        method,
        clamp: vec![Pin {
            selector: Selector::Box { min: DVec3::splat(-9.0), max: DVec3::new(-0.29, 9.0, 9.0) },
            ..Pin::default()
        }],
        ..Net::default()
    };
    for (backend, options) in &backends()[1..] {
        let sag = |method, iterations| {
            let scene = Scene { damping: 10.0, substeps: 40, iterations, ..scene(net(method)) };
            let scene = Scene { raise_substeps: true, ..scene };
            let tip = nearest(&scene, DVec3::new(0.3, 0.0, 0.2));
            -run(&scene, options, 1.5).positions().unwrap()[tip].y
        };
        let direct = sag(NetMethod::Direct, 1);
        let scene = scene(net(NetMethod::Direct));
        let model = Model::new(&scene).unwrap();
        let rest = equilibrium(&System::of_model(&model), &Limits::default());
        let tip = nearest(&scene, DVec3::new(0.3, 0.0, 0.2));
        let expected = -model.order.undo(&rest.system.positions)[tip].y;
        println!("{backend}, direct: {direct:.6} m, statics {expected:.6} m");
        assert!(rest.converged && rest.unstable_modes == 0);
        assert_close(&format!("{backend}, statics"), direct, expected, 0.002);
        // On a software device hundreds of passes a substep take minutes; there each pass is compared with its twin.
        let on_device = *backend == "gpu";
        let iterated = [(NetMethod::Coloured, 40), (NetMethod::Jacobi, 120), (NetMethod::Corde, 1)]
            .into_iter()
            .filter(|_| !on_device);
        for (method, iterations) in iterated.chain([(NetMethod::Direct, 4)]) {
            let found = sag(method, iterations);
            println!("{backend}, {method:?} × {iterations}: {found:.6} m, direct {direct:.6} m");
            assert_close(&format!("{backend}, {method:?}"), found, direct, 0.01);
        }
    }
}
