//! What acts on the ends of rods: forces, torques, clamps that let go; and wind and weights along them.

use super::{assert_close, backends, run, scene};
use glam::{DQuat, DVec3};
use sinew::scene::{
    AttachedWeight, Hold, Keyframe, Rod, RodEnd, RodMaterial, RodMethod, RodShape, Scene, Selector, Wind,
};
use sinew::{Options, Precision, Simulation};

const LENGTH: f64 = 0.5;
const SEGMENTS: u32 = 20;
const STIFF: RodMaterial = RodMaterial { radius: 0.01, youngs_modulus: 2e8, ..RodMaterial::RUBBER };

/// Along x, in a wall, without gravity; with so much damping that it comes to rest at once.
fn cantilever(end: RodEnd, method: RodMethod) -> Scene {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: LENGTH * DVec3::X, segments: SEGMENTS },
        material: STIFF,
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        end,
        method,
        ..Rod::default()
    };
    let corde = method == RodMethod::Corde;
    let scene = Scene { gravity: DVec3::ZERO, damping: 30.0, raise_substeps: corde, ..scene(rod) };
    Scene { iterations: if corde { 1 } else { 2 }, ..scene }
}

/// A torque about an axis across bends a rod into an arc of curvature M/EI.
#[test]
fn a_torque_at_the_end_bends_a_rod_into_an_arc() {
    let angle = 1.0f64;
    let torque = DVec3::Z * (angle * STIFF.bending_stiffness().x / LENGTH);
    let radius = LENGTH / angle;
    let expected = radius * DVec3::new(angle.sin(), 1.0 - angle.cos(), 0.0);
    let loaded = |method| cantilever(RodEnd { torque, ..RodEnd::default() }, method);
    let cases = [(&backends()[..], RodMethod::Direct), (&backends()[1..2], RodMethod::Corde)];
    for (backends, method) in cases {
        for (backend, options) in backends {
            let tip = run(&loaded(method), options, 1.0).positions().unwrap()[SEGMENTS as usize];
            println!("{backend} {method:?}: {tip} of {expected}");
            assert!(
                tip.distance(expected) < 3e-3 * LENGTH,
                "{backend} {method:?}: {tip} instead of {expected}"
            );
        }
    }
}

/// A torque along the rod twists it by T L/GJ from the wall to its end.
#[test]
fn a_torque_along_a_rod_twists_it() {
    let stiffness = STIFF.bending_stiffness().z;
    let torque = DVec3::X * (0.8 * stiffness / LENGTH);
    // The last half segment has no joint to twist.
    let expected = 0.5 * torque.x * torque.x * (LENGTH - 0.5 * LENGTH / f64::from(SEGMENTS)) / stiffness;
    let scene = cantilever(RodEnd { torque, ..RodEnd::default() }, RodMethod::Direct);
    for (backend, options) in backends() {
        let rods = run(&scene, &options, 1.0).measure().unwrap().rods;
        assert_close(backend, rods.twist, expected, 2e-3);
        assert!(rods.bend < 1e-4 * rods.twist, "{backend}: {rods:?}");
    }
}

/// (P L³/3EI)(1 + 1/2n²) + P L/κ.
#[test]
fn a_force_at_the_end_bends_a_rod_as_a_beam() {
    let force = DVec3::new(0.0, 0.03, 0.0);
    let n = f64::from(SEGMENTS);
    let bend = force.y * LENGTH.powi(3) / (3.0 * STIFF.bending_stiffness().x) * (1.0 + 0.5 / (n * n));
    let expected = bend + force.y * LENGTH / STIFF.stretch_stiffness().x;
    let scene = cantilever(RodEnd { force, ..RodEnd::default() }, RodMethod::Direct);
    for (backend, options) in backends() {
        let tip = run(&scene, &options, 1.0).positions().unwrap()[SEGMENTS as usize];
        assert_close(backend, tip.y, expected, 2e-3);
    }
    let system = sinew::rods::statics::System::of_model(&sinew::model::Model::new(&scene).unwrap());
    let rest = sinew::rods::statics::equilibrium(&system, &sinew::rods::statics::Limits::default());
    assert_close("statics", rest.system.positions[SEGMENTS as usize].y, expected, 1e-4);
}

/// Held by its start until `release`, and turned there.
fn let_go(hold: Hold, method: RodMethod, release: f64) -> Scene {
    let motion = vec![
        Keyframe { time: 0.0, ..Keyframe::default() },
        Keyframe { time: 2.0 * release, rotation: DVec3::new(0.0, 0.0, 60.0), ..Keyframe::default() },
    ];
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: 0.3 * DVec3::X, segments: 8 },
        material: RodMaterial { youngs_modulus: 2e7, ..RodMaterial::RUBBER },
        start: RodEnd { hold, motion, release: Some(release), ..RodEnd::default() },
        method,
        ..Rod::default()
    };
    Scene { raise_substeps: true, iterations: 4, ..scene(rod) }
}

/// Only gravity acts on a rod that was let go: its momentum changes by m g t, its angular momentum about its middle stays.
#[test]
fn a_clamp_that_lets_go_lets_everything_go() {
    let methods = [RodMethod::Direct, RodMethod::Coloured, RodMethod::Jacobi, RodMethod::Corde];
    let holds = [Hold::Pinned, Hold::Clamped, Hold::Framed];
    for (method, hold) in methods.into_iter().flat_map(|method| holds.map(|hold| (method, hold))) {
        let scene = let_go(hold, method, 0.1);
        // The device runs the same passes; one method on it tells whether they are let go there.
        let count = if method == RodMethod::Direct { 3 } else { 2 };
        for (backend, options) in &backends()[1..count] {
            let mut simulation = run(&scene, options, 0.05);
            let held = simulation.positions().unwrap()[0];
            assert!(held.length() < 1e-6, "{method:?} {hold:?}: {held}");
            simulation.advance(6).unwrap();
            let (start, time) = (simulation.measure().unwrap(), simulation.time());
            let spin = spin_about_middle(&mut simulation);
            simulation.advance(6).unwrap();
            let (end, time) = (simulation.measure().unwrap(), simulation.time() - time);
            let mass: f64 = simulation.model().particles.masses.iter().sum();
            let gained = (end.momentum - start.momentum) / (mass * time);
            println!("{backend} {method:?} {hold:?}: {gained}");
            assert!(gained.distance(scene.gravity) < 0.01, "{backend} {method:?} {hold:?}: {gained} m/s²");
            let change = (spin_about_middle(&mut simulation) - spin).length();
            assert!(change < 0.03 * spin.length(), "{backend} {method:?} {hold:?}: {change:e} of {spin}");
        }
    }
}

/// Angular momentum about the centre of mass [kg m²/s].
fn spin_about_middle(simulation: &mut Simulation) -> DVec3 {
    let (measures, x) = (simulation.measure().unwrap(), simulation.positions().unwrap());
    let masses = &simulation.model().particles.masses;
    let middle = x.iter().zip(masses).map(|(x, m)| *x * *m).sum::<DVec3>() / masses.iter().sum::<f64>();
    measures.angular_momentum - middle.cross(measures.momentum)
}

#[test]
fn a_checkpoint_after_a_clamp_has_let_go_goes_on_as_if_nothing_had_happened() {
    let scene = let_go(Hold::Clamped, RodMethod::Direct, 0.05);
    let options = Options::cpu(Precision::F32);
    let mut whole = run(&scene, &options, 0.1);
    let state = whole.state().unwrap().clone();
    whole.advance(5).unwrap();
    let mut resumed = Simulation::new(&scene, &options).unwrap();
    resumed.restore(&state).unwrap();
    resumed.advance(5).unwrap();
    assert_eq!(whole.positions().unwrap(), resumed.positions().unwrap());
}

/// A stiff rod hung in the wind leans until ρ C_d r (v cos θ)² = (m/L) g sin θ.
#[test]
fn the_wind_leans_a_hanging_rod_as_cross_flow_drag_says() {
    let material = RodMaterial { radius: 0.01, density: 200.0, youngs_modulus: 2e9, ..RodMaterial::RUBBER };
    let (speed, air, drag) = (8.0, 1.225, 1.2);
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::NEG_Y, segments: 6 },
        material,
        start: RodEnd { hold: Hold::Pinned, ..RodEnd::default() },
        drag,
        ..Rod::default()
    };
    let wind = Wind { velocity: speed * DVec3::X, density: air, gust: None };
    let scene = Scene { wind: Some(wind), damping: 4.0, ..scene(rod) };
    let ratio = drag * air * material.radius * speed * speed / (material.density * material.area() * 9.81);
    let sine = ((1.0 + 4.0 * ratio * ratio).sqrt() - 1.0) / (2.0 * ratio);
    for (backend, options) in backends() {
        let x = run(&scene, &options, 4.0).positions().unwrap()[6];
        assert_close(backend, x.x / x.length(), sine, 0.005);
    }
}

/// Half-way weights: W L/2EA more than under its own weight.
#[test]
fn a_weight_along_a_rod_pulls_at_what_is_above_it() {
    let material = RodMaterial { youngs_modulus: 5e5, ..RodMaterial::RUBBER };
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::NEG_Y, segments: 10 },
        material,
        start: RodEnd { hold: Hold::Pinned, ..RodEnd::default() },
        weight: vec![AttachedWeight { selector: Selector::Nearest(DVec3::new(0.0, -0.5, 0.0)), mass: 0.1 }],
        ..Rod::default()
    };
    let scene = Scene { damping: 4.0, ..scene(rod) };
    let own = material.density * 9.81 / (2.0 * material.youngs_modulus);
    let hung = 0.1 * 9.81 * 0.5 / (material.youngs_modulus * material.area());
    let (_, options) = &backends()[1];
    let x = run(&scene, options, 5.0).positions().unwrap();
    assert_close("length", -x[10].y - 1.0, own + hung, 1e-3);
}

/// The first axis of the section is where the scene wants it: a rod that is curved about its second axis bends in that plane.
#[test]
fn the_normal_says_which_way_a_curved_rod_bends() {
    let rod = |normal: DVec3| Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 4 },
        normal: Some(normal),
        rotation: DVec3::new(0.0, 0.0, 90.0),
        ..Rod::default()
    };
    let frames = rod(DVec3::new(3.0, 0.0, 2.0)).build().unwrap().frames;
    for frame in frames {
        let turned = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        assert!((frame * DVec3::X).distance(turned * DVec3::Z) < 1e-12);
        assert!((frame * DVec3::Z).distance(turned * DVec3::X) < 1e-12);
    }
    assert!(rod(DVec3::NEG_X).build().unwrap_err().to_string().contains("is along the first segment"));
}
