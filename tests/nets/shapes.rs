//! What the generators make, and what is wrong with a net is said where it stands.

use super::{assert_close, backends, nearest, run, scene};
use glam::DVec3;
use sinew::model::Model;
use sinew::scene::{Junctions, Net, NetShape, Pin, RodMaterial, Scene, Selector, Wind};

fn counts(shape: NetShape, junctions: Junctions) -> [usize; 3] {
    let geometry = Net { shape, junctions, ..Net::default() }.build().unwrap();
    [geometry.positions.len(), geometry.segments.len(), geometry.pairs.len()]
}

/// The counts of Spillmann & Teschner's (2009) nets: a ribbon of 86 points and 127 quaternions, a coarse and a dense net, a truss.
#[test]
fn nets_have_as_many_points_segments_and_joints_as_spillmann_2009_counts() {
    let grid = |cells, segments| NetShape::Grid { size: [1.0, 1.0], cells, segments };
    assert_eq!(counts(grid([42, 1], 1), Junctions::Pairs), [86, 127, 250]);
    assert_eq!(counts(grid([11, 2], 1), Junctions::Pairs), [36, 57, 130]);
    for (g, k) in [(20usize, 2usize), (9, 6), (8, 8)] {
        let found = counts(grid([g as u32 - 1; 2], k as u32), Junctions::Pairs);
        let points = g * g + 2 * g * (g - 1) * (k - 1);
        let joints = 2 * g * (g - 1) * (k - 1) + 6 * (g - 2).pow(2) + 12 * (g - 2) + 4;
        assert_eq!(found, [points, 2 * g * (g - 1) * k, joints]);
    }
    assert_eq!(counts(grid([19, 19], 2), Junctions::Pairs), [1160, 1520, 2924]);
    let ring = NetShape::Ring { radius: 1.0, segments: 24, twist: 0.0 };
    assert_eq!(counts(ring, Junctions::Hub), [24, 24, 24]);
    let mail = NetShape::Mail { rings: [3, 2], radius: 0.1, segments: 12 };
    assert_eq!(counts(mail, Junctions::Hub), [72, 72, 72]);
}

/// Four points at one height hold a radial net: it must hang the same way in all four quarters.
#[test]
fn a_symmetric_net_stays_symmetric() {
    let quarter = |i: u32| 1 + 2 * 8 + 2 * i;
    let net = Net {
        shape: NetShape::Web { radius: 1.0, spokes: 8, rings: 3, segments: 2 },
        material: RodMaterial { radius: 0.01, youngs_modulus: 2e8, ..RodMaterial::RUBBER },
        rotation: DVec3::new(-90.0, 0.0, 0.0),
        pin: vec![Pin { selector: Selector::Indices((0..4).map(quarter).collect()), ..Pin::default() }],
        ..Net::default()
    };
    let scene = scene(net);
    for (backend, options) in backends() {
        let x = run(&scene, &options, 1.0).positions().unwrap();
        let start = scene.build().unwrap().nets[0].positions.clone();
        let twin = |i: usize| {
            let turned = DVec3::new(start[i].z, start[i].y, -start[i].x);
            (0..start.len()).min_by(|a, b| start[*a].distance(turned).total_cmp(&start[*b].distance(turned)))
        };
        let mut worst = 0.0f64;
        for i in 0..x.len() {
            let other = x[twin(i).unwrap()];
            worst = worst.max(other.distance(DVec3::new(x[i].z, x[i].y, -x[i].x)));
        }
        let lowest = x.iter().map(|x| x.y).fold(0.0, f64::min);
        println!("{backend}: sags {:.3} m, quarters differ by {worst:.1e} m", -lowest);
        assert!(
            lowest < -0.01 && worst < if backend == "cpu f64" { 1e-9 } else { 1e-4 },
            "{backend}: {worst:e}"
        );
    }
}

/// A frame of two rails and three rungs, clamped on one side, sags the same however fine it is.
#[test]
fn the_shape_of_a_net_does_not_depend_on_its_segments() {
    let options = &backends()[0].1;
    let sag = |segments: u32| {
        let net = Net {
            shape: NetShape::Grid { size: [1.2, 0.4], cells: [3, 1], segments },
            material: RodMaterial { radius: 0.01, youngs_modulus: 2e9, ..RodMaterial::RUBBER },
            rotation: DVec3::new(-90.0, 0.0, 0.0),
            clamp: vec![Pin { selector: Selector::Indices(vec![0, 4]), ..Pin::default() }],
            ..Net::default()
        };
        let scene = Scene { damping: 10.0, substeps: 20, ..scene(net) };
        let tip = nearest(&scene, DVec3::new(0.6, 0.0, 0.2));
        -run(&scene, options, 2.0).positions().unwrap()[tip].y
    };
    let fine = sag(16);
    for segments in [4, 8] {
        let found = sag(segments);
        println!("{segments} segments a bar: {found:.6} m, 16: {fine:.6} m");
        assert_close("sag", found, fine, 0.01);
    }
}

/// A stiff rod hung in the wind leans until ρ C_d r (v cos θ)² = (m/L) g sin θ.
#[test]
fn the_wind_leans_a_hanging_rod_as_cross_flow_drag_says() {
    let material = RodMaterial { radius: 0.01, density: 200.0, youngs_modulus: 2e9, ..RodMaterial::RUBBER };
    let (speed, air) = (10.0, 1.225);
    let mut graph = sinew::scene::Graph::default();
    graph.node(DVec3::ZERO);
    graph.node(-DVec3::Y);
    graph.edge([0, 1], 8);
    let net = Net {
        shape: NetShape::Graph(graph),
        material,
        pin: vec![Pin { selector: Selector::Indices(vec![0]), ..Pin::default() }],
        ..Net::default()
    };
    let wind = Wind { velocity: speed * DVec3::X, density: air, gust: None };
    let scene = Scene { wind: Some(wind), damping: 2.0, ..scene(net) };
    let ratio = air * material.radius * speed * speed / (material.density * material.area() * 9.81);
    // c² r = s with s = sin θ: r (1 − s²) = s.
    let sine = ((1.0 + 4.0 * ratio * ratio).sqrt() - 1.0) / (2.0 * ratio);
    for (backend, options) in backends() {
        let x = run(&scene, &options, 8.0).positions().unwrap()[1];
        println!("{backend}: sin θ = {:.5} of {sine:.5}", x.x);
        assert_close(backend, x.x / x.length(), sine, 0.005);
    }
}

fn message(net: &str) -> String {
    let text = format!("format = 1\n[[net]]\n{net}\n");
    Scene::parse(&text, "net.toml", "").and_then(|s| s.validate()).expect_err(&text).to_string()
}

#[test]
fn bad_nets_are_refused_with_the_place_and_the_cure() {
    let ring = |more: &str| message(&format!("ring = {{ radius = 1, segments = 12 }}\n{more}"));
    for (found, expected) in [
        (message("radius = 0.1"), "needs one of `ring`, `grid`"),
        (message("ring = { radius = 0, segments = 12 }"), "`radius` is 0 m"),
        (message("ring = { radius = 1, segments = 2 }"), "`segments` is 2; it must be from 3"),
        (message("grid = { size = [1, 1], cells = [0, 3] }"), "`cells` is 0"),
        (message("grid = { size = [1, 1], cells = [4000000, 4000000] }"), "the limit of a scene is"),
        (message("tree = { length = 1, levels = 40, branches = 1 }"), "`levels` is 40"),
        (message("tree = { length = 1, levels = 20, branches = 9 }"), "the limit of a scene is"),
        (message("truss = { size = [1, 1], bays = 3 }"), "an array of 3 numbers"),
        (message("web = { radius = 1, spokes = 2, rings = 1 }"), "`spokes` is 2"),
        (message("globe = { radius = 1, meridians = 1, segments = 4 }"), "`meridians` is 1"),
        (message("mail = { rings = [0, 1], radius = 1, segments = 8 }"), "`rings` is 0"),
        (message("graph = \"nowhere.graph\""), "file `nowhere.graph`: cannot be read"),
        (ring("radius = -1"), "`radius` is -1 m"),
        (ring("junctions = \"glue\""), "`junctions` cannot be \"glue\""),
        (ring("joint_stiffness = 0"), "greater than 0"),
        (ring("method = \"direkt\""), "did you mean `direct`?"),
        (ring("[[net.clamp]]\nindices = [12]"), "clamp 1: `indices` names particle 12, but there are 12"),
        (ring("[[net.clamp]]\nindices = [1]\n[[net.pin]]\nindices = [1]"), "already holds"),
        (ring("[[net.weight]]\nindices = [12]\nmass = 1"), "weight 1: `indices` names particle 12"),
        (ring("[[net.weight]]\nindices = [1]\nmass = 0"), "`mass` is 0 kg"),
        (ring("[[net.clamp]]\nindices = [1]\ncompliance = 1"), "a clamp is rigid"),
    ] {
        println!("{found}");
        assert!(found.contains(expected), "`{found}` does not say `{expected}`");
        assert!(found.starts_with("net.toml:"), "{found}");
    }
}

#[test]
fn a_net_that_is_too_much_for_the_direct_method_is_refused() {
    let net =
        Net { shape: NetShape::Web { radius: 1.0, spokes: 3000, rings: 1, segments: 1 }, ..Net::default() };
    let error = Model::new(&scene(net)).unwrap_err().to_string();
    println!("{error}");
    assert!(error.contains("use \"coloured\""), "{error}");
}

#[test]
fn an_explicit_net_above_its_stable_step_is_refused_or_raised() {
    let net = Net {
        shape: NetShape::Grid { size: [1.0, 1.0], cells: [4, 4], segments: 2 },
        method: sinew::scene::NetMethod::Corde,
        ..Net::default()
    };
    let coarse = scene(net);
    let error = Model::new(&coarse).unwrap_err().to_string();
    println!("{error}");
    assert!(error.contains("is stable to substeps of") && error.contains("raise_substeps"), "{error}");
    let raised = Model::new(&Scene { raise_substeps: true, ..coarse }).unwrap();
    let dt = raised.settings.time_step / f64::from(raised.settings.substeps);
    let limits = sinew::rods::stable_step::stable_substeps(&raised);
    assert!(limits.len() == 1 && dt <= 0.5 * limits[0].1, "{dt} s and {limits:?}");
}

/// Spillmann & Teschner's dense net has so many loops that a thread of the device works on its elimination in several passes.
#[test]
fn a_net_of_many_loops_is_solved_at_once_on_the_device_too() {
    let pin = |x: f64| Pin {
        selector: Selector::Box {
            min: DVec3::new(x - 1e-3, -9.0, -9.0),
            max: DVec3::new(x + 1e-3, 9.0, 9.0),
        },
        ..Pin::default()
    };
    let net = Net {
        shape: NetShape::Grid { size: [2.0, 2.0], cells: [19, 19], segments: 2 },
        rotation: DVec3::new(-90.0, 0.0, 0.0),
        pin: vec![pin(-1.0), pin(1.0)],
        ..Net::default()
    };
    let scene = Scene { time_step: 1.0 / 600.0, substeps: 1, ..scene(net) };
    let [_, (_, cpu), (_, gpu)] = backends();
    let expected = run(&scene, &cpu, scene.time_step).positions().unwrap();
    let found = run(&scene, &gpu, scene.time_step).positions().unwrap();
    let fallen = expected.iter().map(|x| x.y.abs()).fold(0.0, f64::max);
    let apart = found.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    println!("fallen {fallen:e} m, {apart:e} m apart");
    assert!(fallen > 1e-5 && apart < 0.02 * fallen, "fallen {fallen:e} m, {apart:e} m apart");
}
