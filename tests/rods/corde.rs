//! CoRdE: explicit forces and torques, their limits and their friction.

use super::{assert_close, backends, scene, speed_after};
use glam::{DQuat, DVec3};
use sinew::Simulation;
use sinew::compute::Run;
use sinew::frames::turn;
use sinew::math::{Quat, Real, Vec3};
use sinew::model::Model;
use sinew::rods::stable_step::stable_substeps;
use sinew::rods::{corde_joint, corde_segment, strain};
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use sinew::solver::Solver;
use std::f64::consts::PI;

fn vec3(v: DVec3) -> Vec3<f64> {
    Vec3::of(v.to_array())
}

fn dvec3(v: Vec3<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn quat(q: DQuat) -> Quat<f64> {
    Quat { x: q.x, y: q.y, z: q.z, w: q.w }
}

/// Some numbers without pattern.
fn scattered(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }
}

const LENGTH: f64 = 0.3;
const STRETCH: f64 = 40.0;
const ALIGNMENT: f64 = 25.0;
const STIFFNESS: DVec3 = DVec3::new(3.0, 4.0, 7.0);

fn segment_energy(d: DVec3, q: DQuat) -> f64 {
    let strain = d.length() / LENGTH - 1.0;
    let aside = d.normalize() - q * DVec3::Z;
    0.5 * LENGTH * (STRETCH * strain * strain + ALIGNMENT * aside.length_squared())
}

fn joint_energy(a: DQuat, b: DQuat, rest: DVec3) -> f64 {
    let s = 2.0 * (a.conjugate() * b).xyz() - rest;
    0.5 * (STIFFNESS * s * s).element_sum()
}

fn turned(q: DQuat, axis: usize, angle: f64) -> DQuat {
    q * DQuat::from_axis_angle(DVec3::AXES[axis], angle)
}

#[test]
fn forces_and_torques_are_the_slopes_of_the_energy_and_keep_both_momenta() {
    const STEP: f64 = 1e-6;
    let mut next = scattered(3);
    for _ in 0..6 {
        let mut vector = || DVec3::new(next(), next(), next());
        let q = DQuat::from_scaled_axis(3.0 * vector());
        let d = q * DVec3::Z * LENGTH + 0.3 * vector();
        let b = q * DQuat::from_scaled_axis(1.5 * vector());
        let rest = 0.5 * vector();
        let moduli = [STRETCH, ALIGNMENT, 0.0];
        let (force, torque) = corde_segment::loads(vec3(d), Vec3::ZERO, quat(q), LENGTH, moduli);
        let (force, torque) = (dvec3(force), dvec3(torque));
        let relative = q.conjugate() * b;
        let relative = sinew::math::Vec4::new(relative.x, relative.y, relative.z, relative.w);
        let [on_a, on_b] =
            corde_joint::torques(relative, [Vec3::ZERO; 2], vec3(rest), vec3(STIFFNESS), 0.0).map(dvec3);
        let scale = force.length().max(torque.length());
        for axis in 0..3 {
            let e = DVec3::AXES[axis];
            let slope = |energy: &dyn Fn(f64) -> f64| (energy(-STEP) - energy(STEP)) / (2.0 * STEP);
            let found = [force[axis], torque[axis], on_a[axis], on_b[axis]];
            let expected = [
                slope(&|h| segment_energy(d + h * e, q)),
                slope(&|h| segment_energy(d, turned(q, axis, h))),
                slope(&|h| joint_energy(turned(q, axis, h), b, rest)),
                slope(&|h| joint_energy(q, turned(b, axis, h), rest)),
            ];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-7 * scale, "{found} instead of {expected}");
            }
        }
        let turning = d.cross(force) + q * torque;
        assert!(turning.length() < 1e-13 * scale, "the segment turns itself by {turning}");
        let turning = q * on_a + b * on_b;
        assert!(turning.length() < 1e-13 * scale, "the joint turns itself by {turning}");
    }
}

/// What a segment and a joint turn themselves by, friction included, relative to what acts in them.
fn imbalances<R: Real>(seed: u64) -> [f64; 2] {
    let mut next = scattered(seed);
    let mut vector = || DVec3::new(next(), next(), next());
    let (q, b) = (DQuat::from_scaled_axis(3.0 * vector()), DQuat::from_scaled_axis(3.0 * vector()));
    let (d, velocity) = (q * DVec3::Z * LENGTH + 0.3 * vector(), 5.0 * vector());
    let of = |v: DVec3| Vec3::<R>::of(v.to_array());
    let back = |v: Vec3<R>| DVec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64());
    let quaternion = |q: DQuat| q.to_array().map(R::of);
    let [x, y, z, w] = quaternion(q);
    let moduli = [STRETCH, ALIGNMENT, 9.0].map(R::of);
    let (force, torque) =
        corde_segment::loads(of(d), of(velocity), Quat { x, y, z, w }, R::of(LENGTH), moduli);
    let (force, torque) = (back(force), back(torque));
    let pair = [q, b].map(|q| sinew::math::Vec4::from_array(quaternion(q)));
    let relative = strain::relative(pair, [Vec3::ZERO; 2]);
    let spins = [of(20.0 * vector()), of(20.0 * vector())];
    let rest = of(0.5 * vector());
    let torques = corde_joint::torques(relative, spins, rest, of(STIFFNESS), R::of(5.0)).map(back);
    [
        (d.cross(force) + q * torque).length() / force.length().max(torque.length()),
        (q * torques[0] + b * torques[1]).length() / torques[0].length(),
    ]
}

#[test]
fn nothing_turns_itself_in_either_precision_with_friction_or_without() {
    for seed in 1..20 {
        for (found, most) in [(imbalances::<f64>(seed), 1e-13), (imbalances::<f32>(seed), 1e-5)] {
            assert!(found.iter().all(|&turn| turn < most), "seed {seed}: {found:?}, not below {most:e}");
        }
    }
}

#[test]
fn friction_leaves_rigid_motion_alone() {
    let mut next = scattered(5);
    let mut vector = || DVec3::new(next(), next(), next());
    let (q, b) = (DQuat::from_scaled_axis(3.0 * vector()), DQuat::from_scaled_axis(3.0 * vector()));
    let (d, spin) = (vector(), 20.0 * vector());
    let loads = |velocity: DVec3, friction: f64| {
        corde_segment::loads(vec3(d), vec3(velocity), quat(q), LENGTH, [STRETCH, ALIGNMENT, friction])
    };
    let rubbed = dvec3(loads(spin.cross(d), 9.0).0) - dvec3(loads(DVec3::ZERO, 0.0).0);
    assert!(rubbed.length() < 1e-13 * spin.length() * 9.0, "{rubbed}");
    let relative =
        strain::relative([q, b].map(|q| sinew::math::Vec4::new(q.x, q.y, q.z, q.w)), [Vec3::ZERO; 2]);
    let body = [vec3(q.conjugate() * spin), vec3(b.conjugate() * spin)];
    let at_rest = 2.0 * DVec3::new(relative.x, relative.y, relative.z);
    for torque in corde_joint::torques(relative, body, vec3(at_rest), vec3(STIFFNESS), 5.0) {
        assert!(dvec3(torque).length() < 1e-12 * spin.length(), "{torque:?}");
    }
    assert!(turn::between(relative, relative).length() == 0.0);
}

/// The ropes of table 3.2, ten metres along x.
fn rope(segments: u32) -> Rod {
    Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X * 10.0, segments },
        material: RodMaterial { stretch_friction: 0.0, bend_friction: 0.0, ..RodMaterial::PRINTED_ROPE },
        method: RodMethod::Corde,
        ..Rod::default()
    }
}

/// With sin² of a height between held ends, at rest straight.
fn plucked(mut rod: Rod, height: f64) -> Rod {
    let RodShape::Line { segments, .. } = rod.shape else { unreachable!("ropes are lines") };
    let points = (0..=segments).map(|i| {
        let x = f64::from(i) / f64::from(segments);
        DVec3::new(10.0 * x, height * (std::f64::consts::PI * x).sin().powi(2), 0.0)
    });
    rod.shape = RodShape::Polyline { points: points.collect(), segments: None };
    rod.rest = RodRest::Straight;
    let pinned = RodEnd { hold: Hold::Pinned, ..RodEnd::default() };
    (rod.start, rod.end) = (pinned.clone(), pinned);
    rod
}

fn still(rod: Rod, dt: f64) -> Scene {
    Scene { gravity: DVec3::ZERO, time_step: dt, duration: dt, substeps: 1, ..scene(rod) }
}

/// Half of ω from 4κ/(m l) + κ l/J₁₁ + 4 K₁₁/(l J₁₁) and the other modes.
#[test]
fn the_stable_step_is_that_of_the_fastest_mode() {
    let limit = |rod: Rod| stable_substeps(&Model::new(&still(rod, 1e-9)).unwrap())[0].1;
    assert_close("ropes, 40 segments", limit(rope(40)), 1.856e-4, 1e-3);
    assert_close("ropes, 100 segments", limit(rope(100)), 1.38e-4, 5e-3);
    // Without alignment, stretch alone: 2/√(4 Kₛ/(m l)).
    let mut soft = rope(100);
    soft.material.shear_stiffness = Some(1e-6);
    soft.material.frame_inertia = Some(1e6);
    assert_close("stretch", limit(soft), 8.1e-4, 5e-3);
}

/// The fastest mode is a zigzag of the points between frames that stay. With λ + 1/λ = 2 − (ωh)² it grows by almost 1.49 a step at 1.02 of the
/// limit, from a micrometre to metres in fifty. A smooth pluck has no zigzag but its rounding, and takes hundreds.
#[test]
fn explicit_rods_are_stable_just_below_the_limit_and_blow_up_just_above() {
    let mut model = Model::new(&still(plucked(rope(40), 0.0), 1e-9)).unwrap();
    let limit = stable_substeps(&model)[0].1;
    let place = |x: &DVec3| (x.x / 0.25).round() as u32;
    for x in &mut model.particles.positions {
        // The ends, which are held, are even.
        x.y += if place(x) % 2 == 0 { 0.0 } else { 1e-6 };
    }
    let substep = Solver::new(&model).unwrap().substep();
    for (backend, options) in backends() {
        let mut speed = |share: f64, times: u32| {
            model.settings.time_step = share * limit;
            speed_after(&model, &options, &[Run { passes: substep.clone(), times }])
        };
        let below = speed(0.98, if backend == "gpu" { 2_000 } else { 20_000 });
        let [early, later, above] = [10, 20, 50].map(|times| speed(1.02, times));
        let growth = (later / early).powf(0.1);
        println!(
            "{backend}: {below:.2e} m/s below the limit, {above:.2e} above, growing by {growth:.3} a step"
        );
        assert!(below < 1.0, "{backend}: {below} m/s at 0.98 of the limit");
        assert!(above > 10.0, "{backend}: {above} m/s after 50 steps at 1.02 of the limit");
        assert!((1.4..1.5).contains(&growth), "{backend}: grows by {growth} a step");
    }
}

#[test]
fn a_step_above_the_limit_is_refused_or_raised() {
    let too_long = Scene { substeps: 10, time_step: 1.0 / 60.0, ..still(rope(40), 1.0) };
    let message = Model::new(&too_long).unwrap_err().to_string();
    println!("{message}");
    assert!(message.contains("stable to substeps of 0.1856 ms") && message.contains("substeps = 180"));
    let raised = Model::new(&Scene { raise_substeps: true, ..too_long }).unwrap();
    assert_eq!(raised.settings.substeps, 180);
}

/// Undamped, at 0.3 and 0.5 of the limit.
#[test]
fn the_energy_of_a_plucked_rope_stays() {
    let limit = 1.856e-4;
    for (backend, options) in backends() {
        let (shares, steps, tolerance): (&[f64], u32, f64) = match backend {
            "cpu f64" => (&[0.3, 0.5], 30_000, 0.005),
            _ => (&[0.5], 30_000, 0.03),
        };
        for share in shares {
            let scene = still(plucked(rope(40), 0.05), share * limit);
            let mut simulation = Simulation::new(&scene, &options).unwrap();
            let start = simulation.measure().unwrap().energy();
            let mut worst = 0.0f64;
            for _ in 0..10 {
                simulation.advance(steps / 10).unwrap();
                worst = worst.max((simulation.measure().unwrap().energy() / start - 1.0).abs());
            }
            println!("{backend}, {share} of the limit: {:.3} % of {start:.4} J", 100.0 * worst);
            assert!(worst < tolerance, "{backend}: the energy changes by {:.3} %", 100.0 * worst);
        }
    }
}

/// Along the third axis rounding has no sideways part, and nothing may push a twisted rod aside, however much it wants to.
#[test]
fn a_straight_twisted_rod_stays_straight_until_it_is_disturbed() {
    let framed = RodEnd { hold: Hold::Framed, ..RodEnd::default() };
    let twisted = |kick: f64, place: DVec3| {
        let points = (0..=50).map(|i| DVec3::new(0.0, if i == 25 { kick } else { 0.0 }, 0.2 * f64::from(i)));
        Rod {
            shape: RodShape::Polyline { points: points.collect(), segments: None },
            material: RodMaterial {
                stretch_friction: 0.0,
                bend_friction: 0.0,
                ..RodMaterial::PRINTED_COMPARISON
            },
            rest: RodRest::Straight,
            twist: 270.0,
            start: framed.clone(),
            end: framed.clone(),
            position: place,
            ..rope(50)
        }
    };
    // Side by side they share their passes; the first stays on the axis, where coordinates are exact.
    let rods = vec![twisted(0.0, DVec3::ZERO), twisted(1e-4, DVec3::X)];
    let scene = Scene { rod: rods, ..still(rope(1), 4e-5) };
    for (backend, options) in backends() {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        // (2 K₃₃/l)(n − 1) sin²(Φ/2(n − 1)) of each, with n − 1 joints.
        let twist = simulation.measure().unwrap().rods.twist;
        let expected = 2.0 * (2.0 * 200.0 * PI / 0.2) * 49.0 * (0.75 * PI / 49.0).sin().powi(2);
        assert_close("energy of pure twist", twist, expected, 1e-6);
        // What the backend has made of it, before the kick grows.
        simulation.advance(100).unwrap();
        let twist = simulation.measure().unwrap().rods.twist;
        assert_close(&format!("{backend}: energy of pure twist after 100 steps"), twist, expected, 1e-5);
        simulation.advance(9_900).unwrap();
        let x = simulation.positions().unwrap();
        let aside = |rod: &[DVec3], x: f64| rod.iter().map(|p| (p.x - x).hypot(p.y)).fold(0.0, f64::max);
        let (drifted, grown) = (aside(&x[..51], 0.0), aside(&x[51..], 1.0));
        println!(
            "{backend}: {drifted:.1e} m aside undisturbed, a kick of 0.1 mm grows to {:.2} mm",
            1e3 * grown
        );
        assert!(drifted < 1e-9, "{backend}: {drifted} m aside without disturbance");
        assert!(grown > 5e-3, "{backend}: the kick grows to {grown} m only");
    }
}
