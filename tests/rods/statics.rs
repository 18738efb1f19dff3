//! States of rest against exact answers of the discrete rod.

use super::{assert_close, backends, run, scene};
use glam::{DMat3, DQuat, DVec3};
use sinew::Options;
use sinew::model::Model;
use sinew::rods::statics::{
    Equilibrium, Joint, Law, Limits, Segment, System, equilibrium, unstable_modes, vibrations,
};
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use std::f64::consts::{PI, TAU};

/// A section with these stiffnesses: K₁₁, K₃₃ [N m²], Kₛ, κ [N].
pub fn section([bend, twist, stretch, shear]: [f64; 4]) -> RodMaterial {
    let radius = 0.01f64;
    let (area, second) = (PI * radius * radius, 0.25 * PI * radius.powi(4));
    RodMaterial {
        radius,
        density: 1.0,
        youngs_modulus: bend / second,
        shear_modulus: Some(0.5 * twist / second),
        stretch_modulus: Some(stretch / area),
        shear_stiffness: Some(shear),
        ..RodMaterial::RUBBER
    }
}

pub fn held(hold: Hold) -> RodEnd {
    RodEnd { hold, ..RodEnd::default() }
}

/// A rod of this length along x, without gravity.
fn line(length: f64, segments: u32, material: RodMaterial, hold: [Hold; 2], method: RodMethod) -> Scene {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X * length, segments },
        material,
        start: held(hold[0]),
        end: held(hold[1]),
        method,
        ..Rod::default()
    };
    // Statics knows no time; explicit methods would refuse a long step.
    Scene { gravity: DVec3::ZERO, time_step: 1e-8, duration: 1.0, substeps: 1, ..scene(rod) }
}

fn system(scene: &Scene) -> System {
    System::of_model(&Model::new(scene).unwrap_or_else(|error| panic!("{error}")))
}

pub fn rest(system: &System) -> Equilibrium {
    let found = equilibrium(system, &Limits::default());
    println!(
        "{} iterations, residual {:.1e}, {} unstable",
        found.iterations, found.residual, found.unstable_modes
    );
    assert!(found.converged, "{} iterations leave {:e}", found.iterations, found.residual);
    found
}

/// (PL³/3K₁₁)(1 − 1/n)(1 − 1/2n) + PL/κ with the first frame held, (PL³/3K₁₁)(1 + 1/2n²) + PL/κ in a wall, to 10⁻⁶.
#[test]
fn the_cantilever_is_exact_for_any_number_of_segments() {
    let material = section([2.0, 1.0, 1e4, 50.0]);
    let load = 1e-4;
    for (segments, known) in [(10, 1.62500e-5), (20, 1.74375e-5), (40, 1.80469e-5)] {
        let n = f64::from(segments);
        let framed = load / 6.0 * (1.0 - 1.0 / n) * (1.0 - 0.5 / n) + load / 50.0;
        // Half of the last digit that is known.
        assert!((framed - known).abs() < 0.5e-10, "{framed} and {known}");
        let clamped = load / 6.0 * (1.0 + 0.5 / (n * n)) + load / 50.0;
        for method in [RodMethod::Corde, RodMethod::Direct] {
            for (hold, expected) in [(Hold::Framed, framed), (Hold::Clamped, clamped)] {
                let mut system = system(&line(1.0, segments, material, [hold, Hold::Free], method));
                let tip = system.positions.len() - 1;
                system.forces[tip] = DVec3::NEG_Y * load;
                let found = rest(&system);
                let sag = -found.system.positions[tip].y;
                println!(
                    "{method:?}, {hold:?}, n = {segments}: {sag:.9e} of {expected:.9e}, {:.1e}",
                    sag / expected - 1.0
                );
                assert_close("sag", sag, expected, 1e-6);
                let reaction = found.system.reaction_force(0);
                assert!((reaction + DVec3::Y * load).length() < 1e-6 * load, "{reaction} at the wall");
            }
        }
    }
}

/// ρ A g L²/2Kₛ, exact with half masses at the ends.
#[test]
fn a_hanging_rod_is_longer_by_its_own_weight() {
    for segments in [4, 25] {
        let mut scene =
            line(10.0, segments, RodMaterial::PRINTED_ROPE, [Hold::Framed, Hold::Free], RodMethod::Corde);
        scene.rod[0].shape = RodShape::Line { from: DVec3::ZERO, to: DVec3::NEG_Y * 10.0, segments };
        scene.gravity = DVec3::NEG_Y * 9.81;
        let found = rest(&system(&scene));
        let longer = -found.system.positions[segments as usize].y - 10.0;
        let weight = 1300.0 * PI * 1e-4 * 9.81;
        assert_close("elongation", longer, weight * 100.0 / (2.0 * 2e7 * PI * 1e-4), 1e-6);
    }
}

/// (K₃₃/l) sin(Φ/(n − 1)) and (2K₃₃/l)(n − 1) sin²(Φ/2(n − 1)).
#[test]
fn pure_twist_has_the_torque_and_energy_of_its_joints() {
    for (segments, energy) in [(50, 711.3), (100, 704.6)] {
        let system = twisted(segments, RodMaterial::PRINTED_COMPARISON, 10.0, 1.5 * PI);
        let found = rest(&system);
        assert_eq!(found.iterations, 0, "the straight rod is at rest");
        let (n, l) = (f64::from(segments) - 1.0, 10.0 / f64::from(segments));
        let stiffness = 200.0 * PI / l;
        let exact = 2.0 * stiffness * n * (0.75 * PI / n).sin().powi(2);
        assert!((exact - energy).abs() < 0.05, "{exact} and {energy} J");
        assert_close("energy", found.system.energies()[3], exact, 1e-6);
        let torque = stiffness * (1.5 * PI / n).sin();
        assert_close("torque", found.system.reaction_torque(0).z.abs(), torque, 1e-6);
    }
}

/// Straight along x, framed at both ends, with this twist from end to end [rad].
pub fn twisted(segments: u32, material: RodMaterial, length: f64, twist: f64) -> System {
    let mut scene = line(length, segments, material, [Hold::Framed; 2], RodMethod::Corde);
    scene.rod[0].twist = twist.to_degrees();
    scene.rod[0].rest = RodRest::Straight;
    system(&scene)
}

/// Where a quantity that makes the state unstable does so.
fn threshold(mut low: f64, mut high: f64, margin: f64, state: impl Fn(f64) -> System) -> f64 {
    let unstable = |x: f64| unstable_modes(&state(x), margin).is_none_or(|count| count > 0);
    assert!(!unstable(low) && unstable(high), "the threshold is not between {low} and {high}");
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if unstable(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// Greenhill: 8.98682 K₁₁/K₃₃ between clamped ends, here with the frames of the end segments held.
#[test]
fn a_clamped_rod_buckles_at_greenhills_twist() {
    for (segments, expected) in [(20, 1.1383), (50, 1.1256), (100, 1.1239)] {
        let critical =
            threshold(0.8, 1.6, 0.0, |twist| twisted(segments, RodMaterial::PRINTED_COMPARISON, 10.0, twist));
        println!("n = {segments}: {critical:.5} rad, continuum {:.5}", 8.98682 / 8.0);
        assert_close("critical twist", critical, expected, 1e-3);
    }
    // In walls, which have no half segment to spare, the discrete rod is closer.
    let critical = threshold(0.8, 1.6, 0.0, |twist| {
        let mut scene =
            line(10.0, 100, RodMaterial::PRINTED_COMPARISON, [Hold::Clamped; 2], RodMethod::Corde);
        scene.rod[0].twist = twist.to_degrees() * 100.0 / 99.0;
        scene.rod[0].rest = RodRest::Straight;
        let mut system = system(&scene);
        // The twist of the end joints, which the scene's twist leaves out.
        let each = twist / 100.0;
        for (k, q) in system.orientations.iter_mut().enumerate() {
            let along = (k as f64 - 0.5).clamp(0.0, 100.0) * each;
            let axis = DQuat::from_mat3(&DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
            *q = axis * DQuat::from_rotation_z(along);
        }
        system
    });
    println!("walls: {critical:.5} rad");
    assert_close("critical twist between walls", critical, 8.98682 / 8.0, 1e-3);
}

/// P/(1 + P/κ) with P = 4π² K₁₁/(L − l)².
#[test]
fn a_clamped_column_buckles_at_eulers_load_with_shear() {
    for (shear, loads) in [(1e5, [43.35, 41.05, 40.27]), (200.0, [35.64, 34.07, 33.53])] {
        for (segments, expected) in [20, 50, 100].into_iter().zip(loads) {
            let stretch = 1e7;
            let column = |load: f64| {
                let material = section([1.0, 1.0, stretch, shear]);
                let mut system = system(&line(1.0, segments, material, [Hold::Framed; 2], RodMethod::Corde));
                system.positions.iter_mut().for_each(|x| *x *= 1.0 - load / stretch);
                system
            };
            let critical = threshold(20.0, 60.0, 0.0, column);
            println!("κ = {shear}, n = {segments}: {critical:.3} N of {expected}");
            assert_close("critical load", critical, expected, 1e-3);
        }
    }
}

/// The comparison set of Spillmann 2008, three quarters of a turn, pushed aside by sin².
#[test]
fn the_buckled_comparison_rod_has_the_energies_known_for_it() {
    for (segments, total, modes, aside) in [
        (50, 710.13, [1.195, 6.6e-4, 2.402, 706.53], 0.0314),
        (100, 703.36, [1.187, 6.5e-4, 2.483, 699.69], 0.0316),
        (200, 699.93, [1.173, 6.4e-4, 2.480, 696.28], 0.03162),
    ] {
        let mut system = twisted(segments, RodMaterial::PRINTED_COMPARISON, 10.0, 1.5 * PI);
        let n = f64::from(segments);
        for (k, x) in system.positions.iter_mut().enumerate() {
            x.y += 0.03 * (PI * k as f64 / n).sin().powi(2);
        }
        let found = rest(&system);
        let energies = found.system.energies();
        let reach = found.system.positions.iter().map(|x| x.y.hypot(x.z)).fold(0.0, f64::max);
        println!("n = {segments}: {energies:?}, {reach:.5} m aside");
        assert_close("total energy", found.system.energy(), total, 1e-4);
        for (energy, expected) in energies.into_iter().zip(modes) {
            assert_close("energy of a mode", energy, expected, 0.02);
        }
        assert_close("amplitude", reach, aside, 0.01);
    }
}

/// A rod with K₁₁ = 1, K₃₃ = 5 and 20 m long, its ends nearer by 1.010978 m and turned by 12.95307 rad, in the shape that the continuum has:
/// the tangent's angle φ obeys (cos φ − cos φ₀)/(1 − cos φ₀) = tanh²(s/s*) about the middle.
pub fn localised(segments: u32, method: RodMethod, time_step: f64) -> Model {
    let (length, link, shortening) = (20.0, 12.95307, 1.010978);
    let (angle, torque, width) = (0.8f64, 2.83827, 1.66667);
    let n = segments as usize;
    let l = length / n as f64;
    let scene = line(length, segments, section([1.0, 5.0, 1e4, 1e4]), [Hold::Framed; 2], method);
    let mut model = Model::new(&Scene { time_step, ..scene }).unwrap();
    let axis = DQuat::from_mat3(&DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
    let (mut turn, mut x) = (0.0f64, DVec3::ZERO);
    let (mut tangents, mut points) = (Vec::new(), vec![x]);
    for k in 0..n {
        let s = (k as f64 + 0.5) * l - 0.5 * length;
        let cosine = angle.cos() + (1.0 - angle.cos()) * (s / width).tanh().powi(2);
        turn += l * torque / (1.0 + cosine);
        let sine = (1.0 - cosine * cosine).sqrt();
        let tangent = DVec3::new(cosine, sine * turn.cos(), sine * turn.sin());
        tangents.push(tangent);
        x += l * tangent;
        points.push(x);
    }
    // The ends on the axis, at the right distance; about the origin, where f32 has the most digits.
    let miss = points[n] - DVec3::X * (length - shortening);
    for (k, point) in points.iter_mut().enumerate() {
        *point -= miss * (k as f64 / n as f64) + 0.5 * (length - shortening) * DVec3::X;
    }
    model.particles.positions = points;
    let last = axis * DQuat::from_rotation_z(link);
    let mut frame = axis;
    let mut frames = Vec::new();
    for pair in [DVec3::X].iter().chain(&tangents[..n - 1]).zip(&tangents) {
        frame = (DQuat::from_rotation_arc(*pair.0, *pair.1) * frame).normalize();
        frames.push(frame);
    }
    let end = (DQuat::from_rotation_arc(tangents[n - 1], DVec3::X) * frame).normalize();
    let missing = end.conjugate() * last;
    let missing = 2.0 * missing.z.atan2(missing.w);
    // Of all turns that reach the last frame, those that the torque makes.
    let twist = missing + TAU * ((torque * length / 5.0 - missing) / TAU).round();
    for (k, frame) in frames.iter_mut().enumerate() {
        *frame *= DQuat::from_rotation_z(twist * k as f64 / (n - 1) as f64);
    }
    frames[0] = axis;
    frames[n - 1] = last;
    model.rods.frames.iter_mut().zip(frames).for_each(|(frame, q)| frame.orientation = q);
    model
}

/// The steepest angle φ₀ of such a rod, the torque M along it and the tension T of its ends, both as means: in f32 single strains are
/// rounding.
pub fn mean_loads(system: &System) -> [f64; 3] {
    let x = &system.positions;
    let slope = |pair: &[DVec3]| (pair[1] - pair[0]).normalize().x.acos();
    let steepest = x.windows(2).map(slope).fold(0.0, f64::max);
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let twists = system.orientations.windows(2).map(|q| 2.0 * (q[0].conjugate() * q[1]).z.abs());
    let torque = system.joints[0].stiffness.z * mean(twists.collect());
    let ends = x.windows(2).zip(&system.segments).filter(|(pair, _)| slope(pair) < 0.03);
    let tension =
        |(pair, s): (&[DVec3], &Segment)| s.stiffness.z * (pair[0].distance(pair[1]) / s.rest_length - 1.0);
    [steepest, torque, mean(ends.map(tension).collect())]
}

#[test]
fn a_long_twisted_rod_localises_into_the_known_helix() {
    let mut coarse = [f64::INFINITY; 3];
    for (segments, expected) in [(100u32, [0.8258, 2.8580, 2.4360]), (200, [0.8116, 2.8477, 2.4021])] {
        let n = segments as usize;
        let found = rest(&System::of_model(&localised(segments, RodMethod::Corde, 1e-8)));
        let state = &found.system;
        let [steepest, ..] = mean_loads(state);
        let torque = state.reaction_torque(n - 1).z.abs();
        let tension = state.reaction_force(n).x.abs();
        println!("n = {n}: φ₀ {steepest:.4}, M {torque:.4}, T {tension:.4}");
        for (found, expected) in [steepest, torque, tension].into_iter().zip(expected) {
            assert_close("φ₀, M, T", found, expected, 5e-3);
        }
        let [_, mean_torque, mean_tension] = mean_loads(state);
        assert_close("mean torque along the rod", mean_torque, torque, 4e-3);
        assert_close("mean tension along the rod", mean_tension, tension, 4e-3);
        // Half the segment, half the distance from the continuum, or less.
        let continuum = [0.8, 2.83827, 2.37394];
        let wrong = [0, 1, 2].map(|k| ([steepest, torque, tension][k] - continuum[k]).abs());
        println!("n = {n}: from the continuum by {wrong:?}");
        assert!(wrong.iter().zip(coarse).all(|(fine, coarse)| *fine < 0.6 * coarse), "{wrong:?}, {coarse:?}");
        coarse = wrong;
    }
}

/// A closed rod, straight at rest, cut, twisted by Φ and glued together again.
fn ring(segments: usize, twist: f64) -> System {
    let n = segments as f64;
    let [bend, turn, stiff] = [1.0, 2.0, 1e4];
    let l = TAU / n;
    let point = |k: usize| {
        let a = TAU * k as f64 / n;
        // The corners of a polygon whose sides have the length l.
        DVec3::new(a.cos(), a.sin(), 0.0) * (0.5 * l / (PI / n).sin())
    };
    let frame = |k: usize| {
        let d3 = (point(k + 1) - point(k)).normalize();
        let q = DQuat::from_mat3(&DMat3::from_cols(DVec3::Z, d3.cross(DVec3::Z), d3));
        q * DQuat::from_rotation_z(twist * k as f64 / n)
    };
    System {
        positions: (0..segments).map(point).collect(),
        orientations: (0..segments).map(frame).collect(),
        free_particles: vec![true; segments],
        free_frames: vec![true; segments],
        forces: vec![DVec3::ZERO; segments],
        torques: Vec::new(),
        masses: vec![1.0; segments],
        inertias: vec![DVec3::ONE; segments],
        segments: (0..segments)
            .map(|k| Segment {
                particles: [k, (k + 1) % segments],
                frame: k,
                rest_length: l,
                stiffness: DVec3::splat(stiff),
                law: Law::Corde,
            })
            .collect(),
        joints: (0..segments)
            .map(|k| Joint {
                frames: [k, (k + 1) % segments],
                rest: DVec3::ZERO,
                stiffness: DVec3::new(bend, bend, turn) / l,
                turns: [DQuat::IDENTITY, DQuat::from_rotation_z(if k + 1 == segments { twist } else { 0.0 })],
            })
            .collect(),
    }
}

/// Michell and Zajac: out of the plane at 2π√3 K₁₁/K₃₃.
#[test]
fn a_twisted_ring_leaves_its_plane_at_the_known_twist() {
    let critical = TAU * 3f64.sqrt() * 0.5;
    for (segments, share, tolerance) in [(40, 0.9948, 3e-3), (80, 0.9987, 3e-3)] {
        let found = threshold(0.9 * critical, 1.1 * critical, 1e-9, |twist| {
            equilibrium(&ring(segments, twist), &Limits { iterations: 30, ..Limits::default() }).system
        });
        println!("n = {segments}: {:.4} of the continuum's twist", found / critical);
        assert_close("critical twist", found / critical, share, tolerance);
    }
    let energy = ring(40, 0.0).energies()[2];
    assert_close("energy of the untwisted ring", energy, PI, (PI / 40.0).powi(2));
}

/// Constant curvature c and twist τ: radius c/(c² + τ²), pitch 2πτ/(c² + τ²), and no energy.
#[test]
fn intrinsic_curvature_and_twist_relax_to_a_helix() {
    let (curvature, twist) = (12.0, 3.0);
    for method in [RodMethod::Corde, RodMethod::Direct] {
        let mut scene = line(1.0, 80, section([1.0, 0.8, 1e4, 1e4]), [Hold::Framed, Hold::Free], method);
        scene.rod[0].rest = RodRest::Curved(DVec3::new(0.0, curvature, twist));
        let found = rest(&system(&scene)).system;
        assert!(found.energy() < 1e-10, "{} J are left", found.energy());
        let square = curvature * curvature + twist * twist;
        let (radius, climb, rate) = (curvature / square, twist / square.sqrt(), square.sqrt());
        for steps in [8, 40] {
            let s = steps as f64 / 80.0;
            let expected = (2.0 * radius * (0.5 * rate * s).sin()).hypot(climb * s);
            assert_close("chord", found.positions[10].distance(found.positions[10 + steps]), expected, 0.01);
        }
    }
}

/// The lowest mode of the hanging comparison rod; the inertia of the frames slows it down.
#[test]
fn the_pendulum_swings_the_faster_the_lighter_its_frames() {
    for (factor, expected) in [(1.0, 5.2620), (0.1, 5.2419), (0.01, 5.2398), (0.001, 5.2396)] {
        let material = RodMaterial { frame_inertia: Some(factor), ..RodMaterial::PRINTED_COMPARISON };
        let mut scene = line(10.0, 40, material, [Hold::Pinned, Hold::Free], RodMethod::Corde);
        scene.rod[0].shape = RodShape::Line { from: DVec3::ZERO, to: DVec3::NEG_Y * 10.0, segments: 40 };
        scene.gravity = DVec3::NEG_Y * 9.81;
        let mut system = system(&scene);
        // Nothing resists a turn about the axis: that is found and left out.
        let spins = vibrations(&rest(&system).system).unwrap();
        assert_eq!(spins.neutral, 1);
        assert_close("period", TAU / spins.lowest.unwrap(), expected, 5e-4);
        // And with a spring that resists it and nothing else.
        system.orientations.push(system.orientations[0]);
        system.free_frames.push(false);
        system.inertias.push(DVec3::ZERO);
        system.joints.push(Joint {
            frames: [40, 0],
            rest: DVec3::ZERO,
            stiffness: DVec3::new(0.0, 0.0, 1e3),
            turns: [DQuat::IDENTITY; 2],
        });
        let found = rest(&system);
        let motion = vibrations(&found.system).unwrap();
        assert_eq!(motion.neutral, 0);
        let period = TAU / motion.lowest.unwrap();
        println!("α = {factor}: {period:.5} s of {expected}");
        assert_close("period", period, expected, 5e-4);
    }
}

/// Nothing resists the turn of bent strands about the pins that they hang from, and rounding must not make a fall of it.
#[test]
fn a_neutral_motion_is_no_fall() {
    let points = vec![DVec3::ZERO, DVec3::new(0.0, -0.3, 0.0), DVec3::new(0.0, -0.6, 0.1)];
    let strand = |x: f64| Rod {
        shape: RodShape::Polyline { points: points.clone(), segments: Some(10) },
        material: RodMaterial::RUBBER,
        start: held(Hold::Pinned),
        position: DVec3::X * x,
        ..Rod::default()
    };
    let found = rest(&system(&Scene { rod: vec![strand(3.0), strand(3.2)], ..Scene::default() }));
    assert_eq!(found.unstable_modes, 0);
    let motion = vibrations(&found.system).unwrap();
    assert!(motion.neutral >= 2 && motion.lowest.is_some(), "{motion:?}");
}

/// A limp rod in a wall, 1 m long or a quarter, and how far from equilibrium each method brings it to rest [m].
fn misses(length: f64, segments: u32, methods: &[RodMethod], settings: Scene, options: &Options) -> Vec<f64> {
    let material = RodMaterial { radius: 0.005, youngs_modulus: 2e7, ..RodMaterial::RUBBER };
    let rod = line(length, segments, material, [Hold::Clamped, Hold::Free], RodMethod::Direct).rod.remove(0);
    let rods: Vec<Rod> = methods.iter().map(|&method| Rod { method, ..rod.clone() }).collect();
    let expected = rods.iter().map(|rod| {
        let alone = Scene { rod: vec![rod.clone()], raise_substeps: true, ..Scene::default() };
        rest(&system(&alone)).system.positions
    });
    let expected: Vec<Vec<DVec3>> = expected.collect();
    // What moves dies out at half the rate of damping, which a short rod, being fast, may have more of.
    let (damping, seconds) = if length < 1.0 { (24.0, 1.0) } else { (6.0, 6.0) };
    let scene = Scene { rod: rods, damping, ..settings };
    let found = run(&scene, options, seconds).positions().unwrap();
    let rods = found.chunks_exact(segments as usize + 1).zip(&expected);
    rods.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)).collect()
}

/// A backend, length and segments of a rod, methods, settings, and how far each method may miss [m].
type Case<'a> = (&'a str, &'a Options, (f64, u32), &'a [RodMethod], Scene, &'a [f64]);

/// Every method comes to rest where the energy is least. One by one and side by side, iterations are what is missing.
#[test]
fn all_methods_come_to_rest_where_statics_says() {
    use RodMethod::{Coloured, Corde, Direct, Jacobi};
    let steps = |substeps: u32, iterations: u32| Scene { substeps, iterations, ..Scene::default() };
    let explicit = || Scene { raise_substeps: true, ..Scene::default() };
    let [(_, exact), (_, cpu), (_, gpu)] = backends();
    // A software device takes its time for many passes: there rods are short and have few segments.
    let cases: [Case; 8] = [
        ("cpu f64", &exact, (1.0, 20), &[Direct], steps(20, 1), &[1e-7]),
        ("cpu f64", &exact, (1.0, 20), &[Coloured], steps(20, 20), &[3e-4]),
        ("cpu f64", &exact, (1.0, 20), &[Jacobi], steps(20, 60), &[1e-3]),
        ("cpu f64", &exact, (1.0, 8), &[Corde], explicit(), &[1e-7]),
        ("cpu f32", &cpu, (1.0, 20), &[Direct], steps(20, 1), &[1e-5]),
        ("gpu", &gpu, (1.0, 20), &[Direct], steps(10, 1), &[1e-5]),
        ("gpu", &gpu, (0.25, 8), &[Coloured, Jacobi], steps(20, 15), &[3e-4, 1e-3]),
        ("gpu", &gpu, (0.25, 8), &[Corde], explicit(), &[1e-5]),
    ];
    for (backend, options, (length, segments), methods, settings, tolerances) in cases {
        let found = misses(length, segments, methods, settings, options);
        for ((miss, method), tolerance) in found.into_iter().zip(methods).zip(tolerances) {
            println!("{backend}, {method:?}: {miss:.2e} m from equilibrium");
            assert!(miss < *tolerance, "{backend}, {method:?}: {miss} m from equilibrium");
        }
    }
}
