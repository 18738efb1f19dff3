//! The order of an explicit step: what decides whether energy stays or grows.

use super::{backends, scene, speed_after};
use glam::DVec3;
use sinew::compute::{CpuExecutor, Data, Executor, Run};
use sinew::model::Model;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

const COMPARISON: RodMaterial =
    RodMaterial { stretch_friction: 0.0, bend_friction: 0.0, ..RodMaterial::PRINTED_COMPARISON };

fn held(hold: Hold) -> RodEnd {
    RodEnd { hold, ..RodEnd::default() }
}

/// Forces and torques of one state, then everything moves: stable. Points first, and frames by torques of the new points and the old
/// frames: energy comes from nowhere.
#[test]
fn points_that_move_before_the_frames_are_asked_blow_up() {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: 10.0 * DVec3::Z, segments: 50 },
        material: RodMaterial { frame_inertia: Some(1.0), ..COMPARISON },
        rest: RodRest::Straight,
        twist: 270.0,
        start: held(Hold::Framed),
        end: held(Hold::Framed),
        method: RodMethod::Corde,
        ..Rod::default()
    };
    let gravity = DVec3::new(0.5, 0.0, 0.0);
    let scene = Scene { gravity, damping: 1.0, time_step: 1e-4, substeps: 1, ..scene(rod) };
    let model = Model::new(&scene).unwrap();
    let solver = Solver::new(&model).unwrap();
    let pass = |name: &str| {
        let found = solver.substep().find(|&i| solver.passes.list[i].kernel.name == name);
        let index = found.unwrap_or_else(|| panic!("no pass `{name}`"));
        Run { passes: index..index + 1, times: 1 }
    };
    let names = [
        "corde_segment",
        "predict",
        "corde_kick",
        "finish",
        "corde_segment",
        "corde_joint",
        "predict_frames",
        "corde_turn",
        "finish_frames",
    ];
    let points_first: Vec<Run> = std::iter::repeat_n(names.map(pass), 2000).flatten().collect();
    let substeps = Run { passes: solver.substep(), times: 2000 };
    for (backend, options) in backends() {
        let together = speed_after(&model, &options, std::slice::from_ref(&substeps));
        let apart = speed_after(&model, &options, &points_first);
        println!("{backend}, after 0.2 s: {together:.2e} m/s together, {apart:.2e} m/s points first");
        assert!(together < 1.0, "{backend}: {together} m/s");
        assert!(apart > 1e3, "{backend}: {apart} m/s");
    }
}

/// A plucked rope that untwists; its frames are two hundred times lighter about two axes than about the third and precess fast.
fn untwisting() -> Scene {
    let points = (0..=40).map(|i| {
        let x = f64::from(i) / 40.0;
        DVec3::new(10.0 * x, 0.05 * (std::f64::consts::PI * x).sin().powi(2), 0.0)
    });
    let rod = Rod {
        shape: RodShape::Polyline { points: points.collect(), segments: None },
        material: RodMaterial {
            frame_inertia: Some(0.01),
            stretch_friction: 0.0,
            bend_friction: 0.0,
            ..RodMaterial::PRINTED_ROPE
        },
        rest: RodRest::Straight,
        twist: 180.0,
        start: held(Hold::Pinned),
        end: held(Hold::Pinned),
        method: RodMethod::Corde,
        ..Rod::default()
    };
    // Half of the longest stable substep.
    Scene { gravity: DVec3::ZERO, time_step: 0.5 * 1.856e-4, substeps: 1, ..scene(rod) }
}

#[test]
fn light_frames_that_spin_feed_no_energy_to_what_vibrates() {
    for frame_substeps in [1, 3] {
        let scene = Scene { frame_substeps, ..untwisting() };
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
        let start = simulation.measure().unwrap().energy();
        let mut worst = 0.0f64;
        for _ in 0..10 {
            simulation.advance(1000).unwrap();
            worst = worst.max((simulation.measure().unwrap().energy() / start - 1.0).abs());
        }
        println!("{frame_substeps} steps of the frames: {start:.3} J within {:.3} %", 100.0 * worst);
        assert!(worst < 5e-3, "the energy changes by {:.2} %", 100.0 * worst);
    }
}

/// The same with the whole precession before the torques, where frames of other methods have it, explodes at any step.
#[test]
fn precession_before_the_torques_blows_up() {
    let solver = Solver::new(&Model::new(&untwisting()).unwrap()).unwrap();
    let speed = |before: bool| {
        let mut cpu = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
        let [rest, inertia] = ["rod_rest", "frame_inertia"].map(|name| solver.buffers.find(name).unwrap());
        let [mut kicked, mut predicted] = [rest, inertia].map(|id| cpu.read(id).unwrap().reals().to_vec());
        let rows = kicked.chunks_exact_mut(4 * sinew::rods::REST as usize);
        for (kicked, predicted) in rows.zip(predicted.chunks_exact_mut(4)).filter(|_| before) {
            std::mem::swap(&mut kicked[3], &mut predicted[3]);
        }
        cpu.write(rest, &Data::Reals(kicked)).unwrap();
        cpu.write(inertia, &Data::Reals(predicted)).unwrap();
        cpu.execute(&[Run { passes: solver.substep(), times: 5000 }]).unwrap();
        let v = cpu.read(solver.velocities).unwrap();
        v.reals().iter().fold(0.0f64, |most, v| if v.is_nan() { f64::INFINITY } else { most.max(v.abs()) })
    };
    let (halves, whole) = (speed(false), speed(true));
    println!("after 0.46 s: {halves:.2e} m/s in halves, {whole:.2e} m/s at once");
    assert!(halves < 10.0, "{halves} m/s");
    assert!(whole > 1e3 * halves, "{whole} m/s");
}
