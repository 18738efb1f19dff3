//! Joints against answers known on paper.

use crate::{assert_close, backends, run, scene, simulate};
use glam::DVec3;
use sinew::scene::{Joint, JointKind, Motor, Rigid, RigidShape, Scene};

fn bar(position: DVec3) -> Rigid {
    Rigid { shape: RigidShape::Box { size: DVec3::new(0.1, 0.4, 0.06) }, position, ..Rigid::default() }
}

fn joined(rigid: Vec<Rigid>, joint: Vec<Joint>) -> Scene {
    let name = |(k, body): (usize, Rigid)| Rigid { name: format!("body {k}"), ..body };
    Scene { joint, ..scene(rigid.into_iter().enumerate().map(name).collect()) }
}

fn hold(kind: JointKind, at: DVec3) -> Joint {
    Joint { kind, a: "body 0".into(), at: Some(at), ..Joint::default() }
}

/// 2π √(I/(m g d)) for small swings, of a bar that hangs by a hinge at its upper end.
#[test]
fn a_compound_pendulum_keeps_its_period() {
    let mut pendulum = bar(DVec3::new(0.0, -0.2, 0.0));
    pendulum.rotation = DVec3::new(0.0, 0.0, 2.0);
    let swing = 2f64.to_radians();
    pendulum.position = DVec3::new(0.2 * swing.sin(), -0.2 * swing.cos(), 0.0);
    let scene = joined(vec![pendulum], vec![hold(JointKind::Hinge, DVec3::ZERO)]);
    let inertia = (0.1 * 0.1 + 0.4 * 0.4) / 12.0 + 0.04;
    let period = std::f64::consts::TAU * (inertia / (9.81 * 0.2f64)).sqrt() * (1.0 + swing * swing / 16.0);
    for (name, options) in backends() {
        let mut simulation = simulate(&scene, &options);
        let start = simulation.measure().unwrap().energy();
        let (mut crossings, mut last) = (Vec::new(), (0.0, -1.0));
        while crossings.len() < 5 {
            simulation.advance(1).unwrap();
            let (time, spin) = (simulation.time(), simulation.frames().unwrap().spins[0].z);
            if spin * last.1 < 0.0 {
                crossings.push(last.0 + (time - last.0) * last.1 / (last.1 - spin));
            }
            last = (time, spin);
        }
        assert_close(&format!("{name}: period"), (crossings[4] - crossings[0]) / 2.0, period, 1e-3);
        let depth = 24.0 * 0.1 * 9.81 * 0.2 * (1.0 - swing.cos());
        let energy = simulation.measure().unwrap().energy() - start;
        println!("{name}: energy changed by {:.2e} of the swing's", energy / depth);
        assert!(energy.abs() < 0.02 * depth, "{name}: {energy} J of {depth} J");
        let joint = &simulation.joints().unwrap()[0];
        assert_close(&format!("{name}: load"), joint.force.y, 2.4 * 9.81, 0.02);
    }
}

/// Ω = 2.00554 rad/s: the slow precession of a disc of 0.5 kg and 5 cm on a point 5 cm below its centre, 200 rad/s, 30°.
#[test]
fn a_heavy_top_precesses() {
    let tilt = 30f64.to_radians();
    let axis = DVec3::new(tilt.sin(), tilt.cos(), 0.0);
    let rate = 2.005_54;
    let top = Rigid {
        shape: RigidShape::Sphere { radius: 0.05 },
        mass: Some(0.5),
        inertia: Some(0.5 * 0.05 * 0.05 * DVec3::new(0.25, 0.5, 0.25)),
        position: 0.05 * axis,
        rotation: DVec3::new(0.0, 0.0, -30.0),
        spin: (200.0 - rate * tilt.cos()) * axis + DVec3::Y * rate,
        velocity: (DVec3::Y * rate).cross(0.05 * axis),
        ..Rigid::default()
    };
    let scene = Scene { duration: 2.0, ..joined(vec![top], vec![hold(JointKind::Ball, DVec3::ZERO)]) };
    for (name, options) in backends() {
        let mut simulation = run(&scene, &options, 2.0);
        let x = simulation.positions().unwrap()[0];
        let angle = (-x.z).atan2(x.x).rem_euclid(std::f64::consts::TAU);
        println!("{name}: {:.5} rad/s, {:.4} degrees", angle / 2.0, (x.y / 0.05).acos().to_degrees());
        assert_close(&format!("{name}: precession"), angle / 2.0, rate, 5e-3);
        assert_close(&format!("{name}: height"), x.y, 0.05 * tilt.cos(), 2e-3);
    }
}

/// The same disc upright sleeps from 2√(m g l I₁)/I₃ = 62.64 rad/s on, I₁ about its point.
#[test]
fn an_upright_top_sleeps_from_its_critical_spin_on() {
    let tilt = 0.2f64.to_radians();
    let axis = DVec3::new(tilt.sin(), tilt.cos(), 0.0);
    for (spin, sleeps) in [(57.0, false), (70.0, true)] {
        let top = Rigid {
            shape: RigidShape::Sphere { radius: 0.05 },
            mass: Some(0.5),
            inertia: Some(0.5 * 0.05 * 0.05 * DVec3::new(0.25, 0.5, 0.25)),
            position: 0.05 * axis,
            rotation: DVec3::new(0.0, 0.0, -0.2),
            spin: spin * axis,
            ..Rigid::default()
        };
        let scene = joined(vec![top], vec![hold(JointKind::Ball, DVec3::ZERO)]);
        for (name, options) in &backends()[..2] {
            let mut simulation = simulate(&scene, options);
            let mut lean = 0f64;
            while simulation.time() < 3.0 {
                simulation.advance(5).unwrap();
                lean = lean.max((simulation.positions().unwrap()[0].y / 0.05).min(1.0).acos().to_degrees());
            }
            println!("{name}: {spin} rad/s leans by {lean:.2}° at most");
            assert_eq!(lean < 1.5, sleeps, "{name}: {spin} rad/s leans by {lean}°");
        }
    }
}

/// Bodies in free flight, joined in every way, with springs, limits and motors: nothing outside of them takes their momenta.
#[test]
fn joints_keep_momenta() {
    let bodies: Vec<Rigid> = (0..7)
        .map(|k| Rigid {
            position: DVec3::new(0.5 * f64::from(k), 0.125 * f64::from(k % 2), 0.0),
            rotation: DVec3::new(10.0 * f64::from(k), 5.0, 20.0),
            spin: DVec3::new(3.0, -2.0 * f64::from(k), 5.0),
            velocity: DVec3::new(0.0, f64::from(k % 3), 1.0),
            ..bar(DVec3::ZERO)
        })
        .collect();
    let kinds = [
        JointKind::Ball,
        JointKind::Hinge,
        JointKind::Slider,
        JointKind::Universal,
        JointKind::Fixed,
        JointKind::Distance,
    ];
    let mut joints: Vec<Joint> = kinds
        .into_iter()
        .enumerate()
        .map(|(k, kind)| Joint {
            kind,
            a: format!("body {}", k + 1),
            b: format!("body {k}"),
            at: Some(DVec3::new(0.5 * k as f64 + 0.25, 0.1, 0.05)),
            axis: DVec3::new(1.0, 0.5, 0.2),
            ..Joint::default()
        })
        .collect();
    joints[0].limits = Some([0.0, 20.0]);
    joints[1].motor = Some(Motor { speed: Some(4.0), force: Some(0.5), ..Motor::default() });
    joints[2].stiffness = 50.0;
    joints[2].damping = 2.0;
    let scene = Scene { gravity: DVec3::ZERO, iterations: 2, ..joined(bodies, joints) };
    for ((name, options), tolerance) in backends().into_iter().zip([1e-12, 1e-5, 1e-5]) {
        let mut simulation = simulate(&scene, &options);
        let start = simulation.measure().unwrap();
        simulation.advance(60).unwrap();
        let end = simulation.measure().unwrap();
        let [momentum, spin] =
            [(end.momentum, start.momentum), (end.angular_momentum, start.angular_momentum)]
                .map(|(a, b)| (a - b).length() / b.length());
        println!(
            "{name}: momentum {momentum:.1e}, angular momentum {spin:.1e}, energy {} of {}",
            end.energy(),
            start.energy()
        );
        assert!(momentum < tolerance && spin < tolerance, "{name}: {momentum:e}, {spin:e}");
        assert!(
            end.energy() < 1.05 * start.energy(),
            "{name}: {} J after {} J",
            end.energy(),
            start.energy()
        );
    }
}

/// Twenty links of 1 kg with a hundred times their mass below, at twenty substeps: no link is longer than it should be by 2 %.
#[test]
fn a_chain_carries_a_hundredfold_load() {
    let link = 0.2;
    let bodies = (0..=20).map(|k| Rigid {
        position: DVec3::new(0.0, -link * (f64::from(k) + 0.5), 0.0),
        mass: Some(if k == 20 { 100.0 } else { 1.0 }),
        ..bar(DVec3::ZERO)
    });
    let joints = (0..=20).map(|k| Joint {
        a: format!("body {k}"),
        b: if k == 0 { String::new() } else { format!("body {}", k - 1) },
        at: Some(DVec3::new(0.0, -link * f64::from(k), 0.0)),
        ..Joint::default()
    });
    let scene = Scene { substeps: 20, damping: 5.0, ..joined(bodies.collect(), joints.collect()) };
    let options = &backends()[0].1;
    let mut simulation = run(&scene, options, 4.0);
    let x = simulation.positions().unwrap();
    let longest = (1..=20)
        .map(|k| x[k - 1].distance(x[k]) / link - 1.0)
        .fold(x[0].length() / (0.5 * link) - 1.0, f64::max);
    let load = simulation.joints().unwrap()[0].force.y;
    println!("longest link {:.3} %, load {load:.1} N, lowest {}", 100.0 * longest, x[20].y);
    assert!(longest < 0.02, "{longest}");
    assert_close("load of the first joint", load, 120.0 * 9.81, 0.02);
}

/// A motor of 0.3 N m turns a free wheel: α = T/I; one with a speed and enough torque keeps that.
#[test]
fn motors_push_and_keep_their_speed() {
    let wheel = Rigid { mass: Some(1.0), inertia: Some(DVec3::new(0.1, 0.1, 0.05)), ..Rigid::default() };
    for (motor, after) in [
        (Motor { force: Some(0.3), ..Motor::default() }, 3.0),
        (Motor { speed: Some(2.0), ..Motor::default() }, 2.0),
        (Motor { speed: Some(20.0), force: Some(0.3), ..Motor::default() }, 3.0),
    ] {
        let joint = Joint { motor: Some(motor), ..hold(JointKind::Hinge, DVec3::ZERO) };
        let scene = joined(vec![wheel.clone()], vec![joint]);
        for (name, options) in backends() {
            let mut simulation = run(&scene, &options, 0.5);
            let spin = simulation.frames().unwrap().spins[0];
            assert_close(&format!("{name}: spin of {motor:?}"), spin.length(), after, 1e-4);
        }
    }
    let motor = Motor { target: Some(200.0), speed: Some(5.0), force: Some(1.0) };
    let joint = Joint { motor: Some(motor), ..hold(JointKind::Hinge, DVec3::ZERO) };
    let mut simulation = run(&joined(vec![wheel], vec![joint]), &backends()[1].1, 2.0);
    assert_close("the angle it goes to", simulation.joints().unwrap()[0].position, 200.0, 1e-3);
}

/// A spring of k on a hinge swings with 2π √(I/k); a limit stops what swings; a weak joint breaks.
#[test]
fn springs_swing_limits_hold_and_joints_break() {
    let wheel = Rigid {
        mass: Some(1.0),
        inertia: Some(DVec3::splat(0.05)),
        spin: DVec3::new(0.0, 0.0, 0.5),
        ..Rigid::default()
    };
    let spring = Joint { stiffness: 0.8, ..hold(JointKind::Hinge, DVec3::ZERO) };
    let limit = Joint { limits: Some([-10.0, 15.0]), ..hold(JointKind::Hinge, DVec3::ZERO) };
    let slide = Joint { limits: Some([-0.2, 0.1]), axis: DVec3::Y, ..hold(JointKind::Slider, DVec3::ZERO) };
    let rope = Joint {
        limits: Some([0.0, 0.3]),
        to: Some(DVec3::new(0.0, 0.1, 0.0)),
        ..hold(JointKind::Distance, DVec3::ZERO)
    };
    let weak = Joint { break_force: Some(9.0), ..hold(JointKind::Ball, DVec3::ZERO) };
    let strong = Joint { break_force: Some(11.0), ..hold(JointKind::Ball, DVec3::ZERO) };
    for (name, options) in backends() {
        let after = |joint: &Joint, seconds: f64| {
            let mut simulation = run(&joined(vec![wheel.clone()], vec![joint.clone()]), &options, seconds);
            (simulation.joints().unwrap()[0].clone(), simulation.positions().unwrap()[0].y)
        };
        let quarter = 0.5 * std::f64::consts::PI * (0.05f64 / 0.8).sqrt();
        let most = (0.5 * (0.05f64 / 0.8).sqrt()).to_degrees();
        assert_close(&format!("{name}: swing"), after(&spring, quarter).0.position, most, 0.01);
        let stopped = after(&limit, 2.0).0;
        assert!((14.0..15.01).contains(&stopped.position), "{name}: {stopped:?}");
        let (slid, y) = after(&slide, 1.0);
        assert!((slid.position + 0.2).abs() < 1e-3 && (y + 0.2).abs() < 1e-3, "{name}: {slid:?}, {y}");
        let (hung, y) = after(&rope, 1.5);
        assert!((hung.position - 0.3).abs() < 1e-3 && (y + 0.2).abs() < 1e-3, "{name}: {hung:?}");
        assert!((hung.force.y - 9.81).abs() < 0.2, "{name}: {hung:?}");
        assert!(after(&weak, 0.2).0.is_broken && !after(&strong, 0.2).0.is_broken, "{name}");
    }
}
