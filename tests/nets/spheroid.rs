//! Four straight rods bent from pole to pole of a ball, and the poles turned against each other.

use super::{backends, run, scene};
use glam::{DQuat, DVec3};
use sinew::model::Model;
use sinew::rods::statics::{Limits, System, equilibrium};
use sinew::scene::{Keyframe, Net, NetRest, NetShape, Pin, RodMaterial, Scene, Selector};

/// One pole is held; the other turns about the axis by so many degrees in so many seconds.
fn spheroid(turn: f64, seconds: f64) -> Scene {
    let at = |node: u32| Pin { selector: Selector::Indices(vec![node]), ..Pin::default() };
    let motion = vec![
        Keyframe { time: 0.0, ..Keyframe::default() },
        Keyframe { time: seconds, rotation: turn * DVec3::Y, ..Keyframe::default() },
    ];
    let net = Net {
        shape: NetShape::Globe { radius: 0.5, meridians: 4, segments: 12 },
        material: RodMaterial { radius: 0.008, youngs_modulus: 5e7, ..RodMaterial::RUBBER },
        rest: NetRest::Straight,
        clamp: vec![at(0), Pin { motion: if turn == 0.0 { Vec::new() } else { motion }, ..at(1) }],
        ..Net::default()
    };
    Scene { gravity: DVec3::ZERO, damping: 3.0, iterations: 2, ..scene(net) }
}

/// Step by step from one state of rest to the next, the energy rises with the angle, until the rods find a better way: they fold to an
/// eight.
#[test]
fn turning_the_pole_of_a_spheroid_stores_energy_until_it_jumps() {
    let model = Model::new(&spheroid(0.0, 1.0)).unwrap();
    let mut system = equilibrium(&System::of_model(&model), &Limits::default()).system;
    // The knots come after the segments, in the order of the poles.
    let pole = system.orientations.len() - 1;
    assert!(!system.free_frames[pole] && !system.free_frames[pole - 1]);
    let mut energies = vec![system.energy()];
    let step = 15.0f64;
    for _ in 0..24 {
        system.orientations[pole] = DQuat::from_rotation_y(step.to_radians()) * system.orientations[pole];
        let found = equilibrium(&system, &Limits::default());
        assert!(found.converged && found.unstable_modes == 0, "{} iterations", found.iterations);
        energies.push(found.system.energy());
        system = found.system;
    }
    println!("{energies:.3?}");
    let jump = energies.windows(2).position(|pair| pair[1] < pair[0]).expect("it jumps before a whole turn");
    println!("rises from {:.3} to {:.3} J at {}°", energies[0], energies[jump], step * jump as f64);
    assert!((12..24).contains(&jump), "it jumps at {}°", step * jump as f64);
    assert!(energies[jump + 1] < 0.97 * energies[jump], "{energies:?}");
}

/// A whole turn of the pole in a second and a half, jump included, with nothing torn.
#[test]
fn a_spheroid_bears_a_whole_turn_of_its_pole() {
    let scene = spheroid(360.0, 1.5);
    for (backend, options) in &backends()[1..] {
        let mut simulation = run(&scene, options, 1.6);
        let measures = simulation.measure().unwrap();
        let furthest = simulation.positions().unwrap().iter().map(|x| x.length()).fold(0.0, f64::max);
        println!("{backend}: {:?}, reaches {furthest:.3} m", measures.rods);
        assert!(measures.max_stretch < 0.05 && furthest < 0.9, "{backend}: reaches {furthest} m");
    }
}
