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
    // Bending and twist are equally stiff: GJ = EI.
    let material = RodMaterial { shear_modulus: Some(0.5 * STIFF.youngs_modulus), ..STIFF };
    let net = Net { shape: NetShape::Graph(graph), material, strain, ..Net::default() };
    Model::new(&Scene { net: vec![net], ..Scene::default() }).unwrap()
}

/// Spillmann & Teschner's (2009) difference of Darboux vectors loses the factor cos²(θ₀/2) about the axis of the rest angle; the rotation
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
            let bend = model.rods.frames[0].rest_length / joint.compliance.x;
            let expected = match strain {
                JointStrain::Darboux => (0.5 * angle).cos().powi(2),
                JointStrain::Relative => 1.0,
            };
            assert!((stiffness(DVec3::Z) / bend - expected).abs() < 1e-4, "{degrees}° {strain:?}");
            // About axes across that of the rest angle nothing is lost.
            let middle = DVec3::new((0.5 * angle).cos(), (0.5 * angle).sin(), 0.0);
            for axis in [middle, middle.cross(DVec3::Z)] {
                let found = stiffness(axis) / bend;
                assert!((found - 1.0).abs() < 1e-4, "{degrees}° {strain:?} about {axis}: {found}");
            }
        }
    }
}

/// Of arms of almost no weight.
const THIN: f64 = 1e-4;

/// A beam of 1 m along x, clamped at the start; at its middle, arms of a radius to the sides.
fn beam(arms: u32, radius: f64, junctions: Junctions, segments: u32) -> Scene {
    let mut graph = Graph::default();
    graph.node(DVec3::ZERO);
    graph.node(0.5 * DVec3::X);
    graph.node(DVec3::X);
    graph.edge([0, 1], segments);
    graph.edge([1, 2], segments);
    for arm in 0..arms {
        let side = if arm == 0 { DVec3::Z } else { -DVec3::Z };
        let end = graph.node(0.5 * DVec3::X + 0.1 * side);
        graph.edges.push(GraphEdge { ends: [1, end], segments: 2, radius: Some(radius) });
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
            let found = sag(&beam(arms, THIN, Junctions::Hub, 10), &options);
            println!("{backend}, {arms} arms: {found:.6} m of {expected:.6}");
            assert_close(&format!("{backend}, {arms} arms"), found, expected, 0.005);
        }
    }
}

/// What Spillmann & Teschner's joints do instead: every pair of segments resists, so the junction is stiffer than the rod. The finer
/// the mesh, the shorter the joint and the less it matters.
#[test]
fn pairs_of_segments_make_a_junction_stiffer_and_refinement_makes_it_matter_less() {
    let options = &backends()[0].1;
    // Arms as thick as the beam, of the same weight on both.
    let [coarse, fine] = [4, 12].map(|n| {
        let of = |way| sag(&beam(2, STIFF.radius, way, n), options);
        let [pairs, knot] = [Junctions::Pairs, Junctions::Hub].map(of);
        pairs / knot
    });
    println!("pairs: {coarse:.5} and {fine:.5} of the sag with a knot");
    assert!(fine < 1.0 - 1e-4, "stiffer: {fine}");
    assert!(1.0 - coarse > 1.5 * (1.0 - fine), "less with refinement: {coarse}, {fine}");
    assert!(coarse > 0.95, "{coarse}");
}

/// A net that sticks out of a wall, of so many meshes, by each of some methods: how far its corner hangs down over what statics says.
fn sags(cells: [u32; 2], methods: &[NetMethod], settings: Scene, options: &sinew::Options) -> Vec<f64> {
    let [width, height] = cells.map(|n| 0.2 * f64::from(n));
    let net = |method: NetMethod| Net {
        shape: NetShape::Grid { size: [width, height], cells, segments: 2 },
        rotation: DVec3::new(-90.0, 0.0, 0.0),
        material: RodMaterial { youngs_modulus: 2e8, ..STIFF },
        method,
        clamp: vec![Pin {
            selector: Selector::Box {
                min: DVec3::splat(-9.0),
                max: DVec3::new(0.01 - 0.5 * width, 9.0, 9.0),
            },
            ..Pin::default()
        }],
        ..Net::default()
    };
    let alone = scene(net(NetMethod::Direct));
    let model = Model::new(&alone).unwrap();
    let rest = equilibrium(&System::of_model(&model), &Limits::default());
    assert!(rest.converged && rest.unstable_modes == 0);
    let positions = model.order.undo(&rest.system.positions);
    let corner = nearest(&alone, DVec3::new(0.5 * width, 0.0, 0.5 * height));
    let nets = methods.iter().map(|&method| net(method)).collect();
    // A small net is fast and may have more damping, at half of whose rate motion dies out.
    let (damping, seconds) = if cells == [1, 1] { (60.0, 0.4) } else { (20.0, 1.0) };
    let scene = Scene { net: nets, damping, ..settings };
    let found = run(&scene, options, seconds).positions().unwrap();
    found.chunks_exact(positions.len()).map(|net| net[corner].y / positions[corner].y).collect()
}

/// A backend, meshes of a net, methods, settings, and how much its sag may differ.
type Case<'a> = (&'a str, &'a sinew::Options, [u32; 2], &'a [NetMethod], Scene, f64);

/// All methods come to the rest that statics finds. One by one and side by side, iterations are what is missing; a software device has
/// no time for many, so that it solves a smaller net by these.
#[test]
fn all_methods_come_to_the_same_rest() {
    use NetMethod::{Coloured, Corde, Direct, Jacobi};
    let steps = |substeps: u32, iterations: u32| Scene { substeps, iterations, ..Scene::default() };
    let explicit = || Scene { raise_substeps: true, ..Scene::default() };
    let [_, (_, cpu), (_, gpu)] = backends();
    let cases: [Case; 9] = [
        ("cpu f32", &cpu, [3, 2], &[Direct], steps(10, 1), 0.002),
        ("cpu f32", &cpu, [3, 2], &[Direct], steps(10, 4), 0.002),
        ("cpu f32", &cpu, [3, 2], &[Coloured], steps(40, 40), 0.01),
        ("cpu f32", &cpu, [3, 2], &[Jacobi], steps(40, 120), 0.01),
        ("cpu f32", &cpu, [3, 2], &[Corde], explicit(), 0.01),
        ("gpu", &gpu, [3, 2], &[Direct], steps(10, 1), 0.002),
        ("gpu", &gpu, [3, 2], &[Direct], steps(10, 2), 0.002),
        ("gpu", &gpu, [1, 1], &[Coloured, Jacobi], steps(20, 20), 0.01),
        ("gpu", &gpu, [1, 1], &[Corde], explicit(), 0.01),
    ];
    for (backend, options, cells, methods, settings, tolerance) in cases {
        let iterations = settings.iterations;
        for (method, share) in methods.iter().zip(sags(cells, methods, settings, options)) {
            println!("{backend}, {method:?} × {iterations}: {share:.6} of the sag of statics");
            assert_close(&format!("{backend}, {method:?} × {iterations}"), share, 1.0, tolerance);
        }
    }
}
