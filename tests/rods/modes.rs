//! Single modes of explicit rods: friction and stiffness share their matrix, so each decays at a rate known exactly.

use super::{assert_close, backends, scene};
use glam::{DQuat, DVec3};
use sinew::Simulation;
use sinew::model::Model;
use sinew::rods::measure::frame_energies;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use std::f64::consts::PI;

const SEGMENTS: u32 = 20;
const LENGTH: f64 = 10.0;
const STEP: f64 = 4e-5;
/// γₜ [kg m/s] and γᵣ [kg m³/s] of the rods that rub.
const STRETCH_FRICTION: f64 = 40.0;
const BEND_FRICTION: f64 = 3.0;

/// A rope with free ends that is too long and too short in turns, and the comparison rod, framed at its start and twisted; both
/// without friction and with it. They share their passes and know nothing of each other.
fn modes() -> Model {
    let l = LENGTH / f64::from(SEGMENTS);
    let points = |stretch: f64| {
        let place = |i: u32| {
            DVec3::Z * (l * f64::from(i) - stretch * (PI * f64::from(i) / f64::from(SEGMENTS)).cos())
        };
        RodShape::Polyline { points: (0..=SEGMENTS).map(place).collect(), segments: None }
    };
    let rod = |shape: RodShape, material: RodMaterial, rub: f64, hold: Hold| Rod {
        shape,
        material: RodMaterial {
            frame_inertia: Some(1.0),
            stretch_friction: rub * STRETCH_FRICTION,
            bend_friction: rub * BEND_FRICTION,
            ..material
        },
        rest: RodRest::Straight,
        start: RodEnd { hold, ..RodEnd::default() },
        method: RodMethod::Corde,
        ..Rod::default()
    };
    let rope = |rub: f64| rod(points(0.01), RodMaterial::PRINTED_ROPE, rub, Hold::Free);
    let twisted = |rub: f64| rod(points(0.0), RodMaterial::PRINTED_COMPARISON, rub, Hold::Framed);
    let rods = vec![rope(0.0), rope(1.0), twisted(0.0), twisted(1.0)];
    let scene =
        Scene { rod: rods, gravity: DVec3::ZERO, time_step: STEP, substeps: 1, ..scene(Rod::default()) };
    let mut model = Model::new(&scene).unwrap();
    for (k, frame) in model.rods.frames.iter_mut().enumerate() {
        let place = k % SEGMENTS as usize;
        if k < 2 * SEGMENTS as usize {
            frame.stretch_compliance *= l / frame.rest_length;
            frame.rest_length = l;
        } else {
            frame.orientation *= DQuat::from_rotation_z(0.05 * (twist_wave() * place as f64).sin());
        }
    }
    model
}

/// Phase from frame to frame of the third twist mode, whose period is about that of the first stretch mode: N free frames, the one
/// before them held.
fn twist_wave() -> f64 {
    5.0 * PI / (2.0 * (f64::from(SEGMENTS) - 1.0) + 1.0)
}

/// Kinetic and stored energy of each rod [J].
fn energies(simulation: &mut Simulation) -> [f64; 4] {
    let (x, v) = (simulation.model_positions().unwrap(), simulation.model_velocities().unwrap());
    let frames = simulation.frames().unwrap();
    let model = simulation.model();
    let stored = frame_energies(model, &x, &frames.orientations);
    std::array::from_fn(|rod| {
        let own = rod * SEGMENTS as usize..(rod + 1) * SEGMENTS as usize;
        let turning =
            own.clone().map(|k| 0.5 * model.rods.frames[k].inertia.z * frames.spins[k].length_squared());
        let points = rod * (SEGMENTS as usize + 1)..(rod + 1) * (SEGMENTS as usize + 1);
        let moving = points.map(|i| 0.5 * model.particles.masses[i] * v[i].length_squared());
        stored[own].iter().map(|e| e.elastic()).sum::<f64>() + turning.sum::<f64>() + moving.sum::<f64>()
    })
}

/// Rate ½ (γ/K) ω² and ω of both modes.
fn expected(model: &Model) -> [[f64; 2]; 2] {
    let l = LENGTH / f64::from(SEGMENTS);
    let rope = &model.rods.frames[0];
    let stiffness = rope.stretch_compliance.z.recip();
    let half = 0.5 * PI / f64::from(SEGMENTS);
    let stretch = 4.0 * stiffness / model.particles.masses[1] * half.sin().powi(2);
    let twisted = &model.rods.frames[2 * SEGMENTS as usize];
    let torsion = twisted.joint.unwrap().compliance.z.recip();
    let twist = 4.0 * torsion / twisted.inertia.z * (0.5 * twist_wave()).sin().powi(2);
    [
        [0.5 * STRETCH_FRICTION / (stiffness * l) * stretch, stretch.sqrt()],
        [0.5 * BEND_FRICTION / (torsion * l) * twist, twist.sqrt()],
    ]
}

/// After a whole period a mode is what it was, times exp(−rate · t).
#[test]
fn modes_decay_at_the_rates_of_their_friction() {
    let model = modes();
    let rates = expected(&model);
    for (backend, options) in backends() {
        let mut simulation = Simulation::from_model(model.clone(), &options).unwrap();
        let start = energies(&mut simulation);
        // The twist mode is the faster.
        for mode in [1, 0] {
            let [rate, omega] = rates[mode];
            let steps = (2.0 * PI / (omega * omega - rate * rate).sqrt() / STEP).round();
            simulation.advance(steps as u32 - simulation.steps() as u32).unwrap();
            let end = energies(&mut simulation);
            // Explicit steps have a drift of their own, which the rod without friction shows.
            let [own, damped] = [2 * mode, 2 * mode + 1].map(|rod| end[rod] / start[rod]);
            let found = -0.5 * (damped / own).ln() / (steps * STEP);
            let mode = ["stretch", "twist"][mode];
            println!("{backend}, {mode}: {found:.4} of {rate:.4} 1/s in {steps} steps, own drift {own:.6}");
            assert_close(&format!("{backend}, {mode}"), found, rate, 0.02);
        }
    }
}
