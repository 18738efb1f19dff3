//! States that no body should be in, what they cost, and the way back.

use super::{assert_close, backends, scene, simulate};
use glam::DVec3;
use sinew::model::Model;
use sinew::model::solid_measure::{highest_frequency, states};
use sinew::scene::{Inversion, Scene, Solid, SolidModel, SolidStart};

fn block(stretch: [f64; 3]) -> Solid {
    Solid { start: SolidStart { stretch: DVec3::from(stretch), ..SolidStart::default() }, ..Solid::default() }
}

/// The reference block of 320 tetrahedra, E = 1e5 Pa, ν = 0.3.
#[test]
fn deformed_blocks_store_the_energies_of_the_closed_form() {
    for (what, stretch, energy) in [
        ("flat", [1.0, 1.0, 0.0], 67_307.7),
        ("mirrored", [1.0, 1.0, -1.0], 269_230.8),
        ("collapsed", [0.0; 3], 375_000.0),
    ] {
        for (name, options) in backends() {
            let mut simulation = simulate(&scene(block(stretch)), &options);
            let stored = simulation.measure().unwrap().elastic_energy;
            assert_close(&format!("{what}, {name}"), stored, energy, 1e-6);
        }
    }
}

/// A turn costs the linear law 2 (μ + λ) (1 − cos θ)² V and the others nothing.
#[test]
fn turning_costs_energy_only_with_infinitesimal_strain() {
    for (model, energy) in [
        (SolidModel::Linear, 192_307.7),
        (SolidModel::Corotational, 0.0),
        (SolidModel::NeoHookean, 0.0),
        (SolidModel::Position, 0.0),
        (SolidModel::Strain, 0.0),
    ] {
        let model_of = Model::new(&scene(Solid { model, ..Solid::default() })).unwrap();
        let turned: Vec<DVec3> =
            model_of.particles.positions.iter().map(|x| DVec3::new(-x.y, x.x, x.z)).collect();
        let stored: f64 = states(&model_of, 0, &turned).map(|(_, state)| state.energy).sum();
        assert!((stored - energy).abs() < 0.1, "{model:?}: {stored} J");
    }
}

#[test]
fn a_reflected_block_feels_nothing_when_inversion_is_ignored() {
    for (name, options) in backends() {
        let solid = Solid { inversion: Inversion::Ignore, ..block([1.0, 1.0, -1.0]) };
        let scene = Scene { gravity: DVec3::ZERO, ..scene(solid) };
        let mut simulation = simulate(&scene, &options);
        simulation.advance(10).unwrap();
        let speed = simulation.measure().unwrap().max_speed;
        assert!(speed < 1e-3, "{name}: {speed} m/s");
    }
}

/// ω_max of the reference block is 146.035 1/s: symplectic Euler is stable to 2/ω = 13.7 ms.
#[test]
fn the_critical_step_of_the_block_is_known() {
    let model = Model::new(&scene(Solid::default())).unwrap();
    assert_close("highest frequency", highest_frequency(&model, 0).unwrap(), 146.035, 1e-3);
}
