//! Fields in closed form against integrals and tables, and what they do to bodies.

use crate::{assert_close, backends, run, scene, simulate};
use glam::{DQuat, DVec3};
use sinew::magnets::field::{BAR, LOOP, SHEET, WIRE, near};
use sinew::math::{Real, Vec3, Vec4};
use sinew::scene::{Field, FieldKind, Keyframe, LoadKey, Rigid, RigidShape, Scene};
use sinew::{Options, Precision};
use std::f64::consts::{PI, TAU};

const VACUUM: f64 = 4e-7 * PI;

fn record<R: Real>(v: [f64; 4]) -> Vec4<R> {
    let [x, y, z, w] = v.map(R::of);
    Vec4::new(x, y, z, w)
}

/// B and its derivatives, computed in one precision.
fn field<R: Real>(kind: f64, own: [[f64; 4]; 2], x: DVec3) -> [DVec3; 4] {
    let records = [record(own[0]), record(own[1]), record([0.0; 4])];
    near(R::of(kind), records, Vec3::of(x.to_array()))
        .map(|v: Vec3<R>| DVec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64()))
}

const CUBE: [[f64; 4]; 2] = [[0.0, 0.0, 1.0, 0.0], [0.005, 0.005, 0.005, 0.0]];
const SKEW_BAR: [[f64; 4]; 2] = [[0.3, -0.5, 1.0, 0.0], [0.002, 0.02, 0.005, 0.0]];
const RING: [[f64; 4]; 2] = [[2.0, 0.01, 0.0, 0.0], [0.0; 4]];
const COIL: [[f64; 4]; 2] = [[300.0, 0.01, 0.02, 0.0], [0.0; 4]];
const ROD: [[f64; 4]; 2] = [[0.02, 0.01, -0.01, 3.0], [0.0; 4]];

/// Values of Akoun and Yonnet's formula for 1 T along z.
#[test]
fn a_cube_has_the_field_of_the_table() {
    let table = [
        (DVec3::new(0.0, 0.0, 0.010), DVec3::new(0.0, 0.0, 0.13478239)),
        (DVec3::new(0.003, 0.002, 0.012), DVec3::new(0.02458494, 0.01621633, 0.06878155)),
    ];
    for (x, expected) in table {
        let [f64, ..] = field::<f64>(BAR, CUBE, x);
        let [f32, ..] = field::<f32>(BAR, CUBE, x);
        assert!((f64 - expected).length() < 1e-8, "{x}: {f64}");
        assert!((f32 - expected).length() < 2e-6 * expected.length(), "{x}: {f32} in f32");
    }
    for corner in [DVec3::splat(0.005), DVec3::new(0.005, -0.005, 0.0), DVec3::new(0.0, 0.005, 0.0)] {
        for value in [field::<f64>(BAR, CUBE, corner), field::<f32>(BAR, CUBE, corner)].concat() {
            assert!(value.is_finite(), "{corner}: {value}");
        }
    }
}

fn biot_savart(radius: f64, x: DVec3) -> DVec3 {
    const PIECES: u32 = 4000;
    let piece = |k: u32| {
        let angle = TAU * f64::from(k) / f64::from(PIECES);
        let along = radius * DVec3::new(angle.cos(), 0.0, -angle.sin()) * (TAU / f64::from(PIECES));
        let r = x - radius * DVec3::new(angle.sin(), 0.0, angle.cos());
        1e-7 * along.cross(r) / r.length().powi(3)
    };
    (0..PIECES).map(piece).sum()
}

#[test]
fn loops_and_coils_are_integrals_of_biot_and_savart() {
    for x in [
        DVec3::new(0.008, 0.001, 0.002),
        DVec3::new(0.013, -0.004, 0.004),
        DVec3::new(1e-5, 0.01, 0.0),
        DVec3::new(0.3, 0.2, 0.1),
    ] {
        let expected = 2.0 * biot_savart(0.01, x);
        for (found, tolerance) in
            [(field::<f64>(LOOP, RING, x)[0], 1e-10), (field::<f32>(LOOP, RING, x)[0], 1e-5)]
        {
            let error = (found - expected).length() / expected.length();
            assert!(error < tolerance, "loop at {x}: {error:.1e}");
        }
        // A coil is loops side by side; Simpson's rule over 400 of them.
        let n = 400;
        let sum: DVec3 = (0..=n)
            .map(|k| {
                let weight = if k == 0 || k == n { 1.0 } else { 2.0 + 2.0 * f64::from(k % 2) };
                let y = 0.04 * (f64::from(k) / f64::from(n) - 0.5);
                150.0 * field::<f64>(LOOP, RING, x - y * DVec3::Y)[0] * weight * 0.04 / (3.0 * f64::from(n))
            })
            .sum();
        for (found, tolerance) in
            [(field::<f64>(SHEET, COIL, x)[0], 1e-7), (field::<f32>(SHEET, COIL, x)[0], 1e-5)]
        {
            let error = (found - sum).length() / sum.length();
            assert!(error < tolerance, "coil at {x}: {error:.1e}");
        }
    }
}

/// Near, inside, far, and on either side of where the far forms begin.
#[test]
fn derivatives_are_those_of_the_field_and_fields_have_no_sources() {
    let sources = [("bar", BAR, SKEW_BAR), ("loop", LOOP, RING), ("coil", SHEET, COIL), ("wire", WIRE, ROD)];
    let points = [
        DVec3::new(0.001, 0.002, 0.003),
        DVec3::new(-0.02, 0.015, -0.01),
        DVec3::new(0.05, 0.03, -0.02),
        DVec3::new(0.06, 0.07, -0.02),
        DVec3::new(1.3, 0.5, -0.9),
    ];
    for (name, kind, own) in sources {
        for x in points {
            let [_, along @ ..] = field::<f64>(kind, own, x);
            let scale = along.iter().map(|v| v.length()).fold(0.0, f64::max);
            let h = 3e-4 * x.length();
            for (axis, found) in DVec3::AXES.into_iter().zip(along) {
                let at = |s: f64| field::<f64>(kind, own, x + s * h * axis)[0];
                let difference = (at(-2.0) - at(2.0) + 8.0 * (at(1.0) - at(-1.0))) / (12.0 * h);
                let error = (found - difference).length() / scale;
                assert!(error < 1e-7, "{name} at {x}: {error:.1e}");
            }
            let divergence = along[0].x + along[1].y + along[2].z;
            assert!(divergence.abs() < 1e-12 * scale, "{name} at {x}: divergence {divergence:e}");
            let curl = DVec3::new(along[1].z - along[2].y, along[2].x - along[0].z, along[0].y - along[1].x);
            assert!(kind == WIRE || curl.length() < 1e-12 * scale, "{name} at {x}: curl {curl}");
            for (f32, f64) in field::<f32>(kind, own, x)[1..].iter().zip(along) {
                assert!((*f32 - f64).length() < 1e-4 * scale, "{name} at {x} in f32: {f32} {f64}");
            }
        }
    }
}

/// One field of every kind.
fn fields() -> Vec<Field> {
    let kinds = [
        FieldKind::Uniform { field: DVec3::new(0.01, -0.02, 0.03) },
        FieldKind::Gradient {
            field: DVec3::new(0.0, 0.01, 0.0),
            rows: vec![DVec3::new(1.0, 0.5, -0.7), DVec3::new(0.5, 2.0, 0.3), DVec3::new(-0.7, 0.3, -3.0)],
        },
        FieldKind::Loop { radius: 0.06, current: 300.0, turns: 2.0 },
        FieldKind::Solenoid { radius: 0.05, length: 0.1, current: 10.0, turns: 100.0 },
        FieldKind::Helmholtz { radius: 0.2, current: 100.0, turns: 10.0, spacing: None },
        FieldKind::Wire {
            points: vec![DVec3::ZERO, DVec3::new(0.3, 0.1, 0.0), DVec3::new(0.1, 0.3, 0.2)],
            current: 500.0,
            closed: true,
        },
        FieldKind::Bar { size: DVec3::new(0.02, 0.05, 0.03), remanence: DVec3::new(0.3, 1.0, -0.4) },
        FieldKind::Cylinder { radius: 0.03, hole: 0.01, length: 0.02, remanence: 1.1 },
        FieldKind::Ball { radius: 0.02, remanence: DVec3::new(0.5, 0.2, 1.0) },
    ];
    let place = |kind| Field {
        kind,
        position: DVec3::new(0.05, -0.1, 0.02),
        rotation: DVec3::new(20.0, 40.0, -10.0),
        ..Field::default()
    };
    kinds.into_iter().map(place).collect()
}

/// F = ∇(m·B) and T = m × B, by differences of the probed field, for what each kind of field does to a body in a short time.
#[test]
fn fields_of_every_kind_push_and_turn_bodies() {
    let (at, moment) = (DVec3::new(0.02, 0.06, -0.03), DVec3::new(0.5, 0.3, -0.2));
    for field in fields() {
        let magnet = Rigid {
            position: at,
            rotation: DVec3::new(30.0, -20.0, 50.0),
            mass: Some(1.0),
            inertia: Some(DVec3::splat(1.0)),
            moment: Some(moment),
            ..Rigid::default()
        };
        let scene = Scene {
            gravity: DVec3::ZERO,
            time_step: 1e-3,
            substeps: 1,
            field: vec![field.clone()],
            ..scene(vec![magnet])
        };
        let mut probe = simulate(
            &Scene { rigid: vec![Rigid::default()], ..scene.clone() },
            &Options::cpu(Precision::F64),
        );
        let probe = probe.magnetism().unwrap();
        let b = |x: DVec3| probe.field(x);
        let turned = DQuat::from_euler(
            glam::EulerRot::ZYX,
            50f64.to_radians(),
            (-20f64).to_radians(),
            30f64.to_radians(),
        ) * moment;
        let h = 1e-4;
        let force = DVec3::from_array(DVec3::AXES.map(|e| {
            let difference =
                b(at - 2.0 * h * e) - b(at + 2.0 * h * e) + 8.0 * (b(at + h * e) - b(at - h * e));
            difference.dot(turned) / (12.0 * h)
        }));
        let torque = turned.cross(b(at));
        for ((name, options), tolerance) in backends().into_iter().zip([1e-6, 1e-4, 1e-4]) {
            let mut simulation = run(&scene, &options, 1e-3);
            let v = simulation.velocities().unwrap()[0] / 1e-3;
            let frames = simulation.frames().unwrap();
            let spin = frames.orientations[0] * frames.spins[0] / 1e-3;
            let kind = &field.kind;
            let size = force.length().max(1e-2 * torque.length());
            assert!((v - force).length() < tolerance * size, "{name}, {kind:?}: force {v}, not {force}");
            assert!(
                (spin - torque).length() < 2.0 * tolerance * torque.length(),
                "{name}, {kind:?}: torque {spin}, not {torque}"
            );
        }
    }
}

/// A field that grows, waves and is carried acts as the same field does when it is written down for that moment.
#[test]
fn fields_follow_keyframes_waves_and_motions() {
    let magnet = Rigid { mass: Some(1.0), moment: Some(DVec3::X), ..Rigid::default() };
    let bar = FieldKind::Bar { size: DVec3::splat(0.1), remanence: DVec3::Y };
    let moving = Field {
        kind: bar.clone(),
        position: DVec3::new(0.3, 0.0, 0.0),
        keyframes: vec![LoadKey { time: 0.0, factor: 0.0 }, LoadKey { time: 1.0, factor: 2.0 }],
        frequency: 0.7,
        phase: 30.0,
        motion: vec![
            Keyframe::default(),
            Keyframe { time: 1.0, offset: DVec3::new(0.0, 0.2, 0.1), rotation: DVec3::new(0.0, 0.0, 80.0) },
        ],
        ..Field::default()
    };
    let base = Scene { gravity: DVec3::ZERO, time_step: 0.5, substeps: 1, ..scene(vec![magnet]) };
    // After half a second: half the way, half the angle, all of the factor 1, and the wave.
    let wave = (TAU * 0.35 + PI / 6.0).cos();
    let (sin, cos) = 40f64.to_radians().sin_cos();
    let still = Field {
        kind: FieldKind::Bar { size: DVec3::splat(0.1), remanence: DVec3::Y * wave },
        position: DVec3::new(0.3, 0.1, 0.05),
        rotation: DVec3::new(0.0, 0.0, 40.0),
        ..Field::default()
    };
    assert!(sin > 0.0 && cos > 0.0);
    for (name, options) in backends() {
        let v = |field: &Field| {
            let scene = Scene { field: vec![field.clone()], ..base.clone() };
            run(&scene, &options, 0.5).velocities().unwrap()[0]
        };
        let (moved, written) = (v(&moving), v(&still));
        assert!((moved - written).length() < 1e-5 * written.length(), "{name}: {moved} {written}");
        assert!(written.length() > 1e-6, "{name}: {written}");
    }
}

/// A spinning top over a loop, balanced at 0.565 radii. Berry 1996; Simon, Heflinger and Ridgway 1997: linear window 82.0 to 190.6 rad/s.
#[test]
fn a_levitron_hovers_within_its_window_of_spins() {
    let (a, m, mass) = (0.05, 1.0, 0.02);
    let z = 0.565 * a;
    // m ∂B/∂z = −μ₀ I a² 3 z/(2 (a² + z²)^{5/2}) m is the weight, with the moment against the field.
    let slope = VACUUM * a * a * 1.5 * z / (a * a + z * z).powf(2.5);
    let current = mass * 9.81 / (slope * m);
    let hovers = |spin: f64, seconds: f64, options: &Options| {
        let top = Rigid {
            shape: RigidShape::Sphere { radius: 0.005 },
            position: DVec3::new(1e-4, z, 0.0),
            rotation: DVec3::new(0.57, 0.0, 0.0),
            mass: Some(mass),
            inertia: Some(DVec3::new(1.125e-6, 2.25e-6, 1.125e-6)),
            moment: Some(DVec3::new(0.0, -m, 0.0)),
            spin: DVec3::new(0.0, spin, 0.0),
            ..Rigid::default()
        };
        let scene = Scene {
            time_step: 0.01,
            substeps: 20,
            field: vec![Field {
                kind: FieldKind::Loop { radius: a, current, turns: 1.0 },
                ..Field::default()
            }],
            ..scene(vec![top])
        };
        let mut simulation = simulate(&scene, options);
        while simulation.time() < seconds {
            simulation.advance(10).unwrap();
            let x = simulation.positions().unwrap()[0];
            if (x - z * DVec3::Y).length() > 0.02 {
                return false;
            }
        }
        true
    };
    for (name, options) in backends() {
        // The device is a program here; its 20 s would take a minute.
        let seconds = if name == "gpu" { 2.0 } else { 20.0 };
        for (spin, expected, seconds) in
            [(100.0, true, seconds), (150.0, true, seconds), (70.0, false, 2.0), (230.0, false, 2.0)]
        {
            assert_eq!(hovers(spin, seconds, &options), expected, "{name}: {spin} rad/s");
        }
    }
}

/// On the axis of a ring of 10 and 20 mm, 5 mm high, of 1.2 T.
#[test]
fn a_ring_magnet_has_its_field_on_the_axis() {
    let ring = Field {
        kind: FieldKind::Cylinder { radius: 0.02, hole: 0.01, length: 0.005, remanence: 1.2 },
        ..Field::default()
    };
    let scene = Scene { field: vec![ring], ..scene(vec![Rigid::default()]) };
    let mut simulation = simulate(&scene, &Options::cpu(Precision::F64));
    for (y, expected) in [(0.0, -0.14220), (0.005, -0.07823), (0.02, 0.026002), (0.03, 0.016162)] {
        let b = simulation.magnetism().unwrap().field(DVec3::new(0.0, y, 0.0));
        assert_close(&format!("at {y} m"), b.y, expected, 1e-3);
    }
}
