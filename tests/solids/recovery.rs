//! States that no body should be in, what they cost, and the way back.

use super::{assert_close, backends, scene, simulate};
use glam::DVec3;
use sinew::model::Model;
use sinew::model::solid_measure::{highest_frequency, states, summary};
use sinew::scene::{
    ClusterDamping, Integrator, Inversion, Keyframe, Pin, Scene, Selector, Solid, SolidDamping,
    SolidMaterial, SolidModel, SolidShape, SolidStart, Torque,
};
use sinew::solids::mesh::TetMesh;
use sinew::{Options, Precision, Simulation};

fn block(stretch: [f64; 3]) -> Solid {
    Solid { start: SolidStart { stretch: DVec3::from(stretch), ..SolidStart::default() }, ..Solid::default() }
}

/// The reference block of 320 tetrahedra, E = 1e5 Pa, ν = 0.3.
#[test]
fn deformed_blocks_store_the_energies_of_the_closed_form() {
    let [lambda, mu] = SolidMaterial::default().lame();
    for (what, stretch, energy) in [
        ("flat", [1.0, 1.0, 0.0], mu + 0.5 * lambda),
        ("mirrored", [1.0, 1.0, -1.0], 4.0 * mu + 2.0 * lambda),
        ("collapsed", [0.0; 3], 3.0 * mu + 4.5 * lambda),
    ] {
        let printed = [("flat", 67_307.7), ("mirrored", 269_230.8), ("collapsed", 375_000.0)];
        assert!(printed.iter().any(|(name, value)| *name == what && (value - energy).abs() < 0.05));
        for (name, options) in backends() {
            let mut simulation = simulate(&scene(block(stretch)), &options);
            let stored = simulation.measure().unwrap().elastic_energy;
            assert_close(
                &format!("{what}, {name}"),
                stored,
                energy,
                if name == "cpu f64" { 1e-9 } else { 1e-4 },
            );
        }
    }
    // A reflection sees nothing wrong with what is mirrored.
    let solid = Solid { inversion: Inversion::Ignore, ..block([1.0, 1.0, -1.0]) };
    let mut simulation = simulate(&scene(solid), &backends()[0].1);
    assert!(simulation.measure().unwrap().elastic_energy < 1e-6);
}

/// A turn costs the linear law 2 (μ + λ) (1 − cos θ)² V and the others nothing.
#[test]
fn turning_costs_energy_only_with_infinitesimal_strain() {
    let [lambda, mu] = SolidMaterial::default().lame();
    for (model, energy) in [
        (SolidModel::Linear, 2.0 * (lambda + mu)),
        (SolidModel::Corotational, 0.0),
        (SolidModel::NeoHookean, 0.0),
        (SolidModel::Springs, 0.0),
        (SolidModel::Position, 0.0),
        (SolidModel::Strain, 0.0),
    ] {
        let model_of = Model::new(&scene(Solid { model, ..Solid::default() })).unwrap();
        let turned: Vec<DVec3> =
            model_of.particles.positions.iter().map(|x| DVec3::new(-x.y, x.x, x.z)).collect();
        let stored: f64 = states(&model_of, 0, &turned).map(|(_, state)| state.energy).sum();
        assert!((stored - energy).abs() < 1e-9 * energy + 1e-6, "{model:?}: {stored} J");
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

/// Without gravity, symplectic, one substep to a step, 2 % of local damping towards the centre a step: the setting of the
/// recovery tests.
fn released(solid: Solid, dt: f64) -> Scene {
    let local = ClusterDamping { rate: -0.98f64.ln() / dt, torque: Torque::Centre };
    let damping = SolidDamping { local: Some(local), ..SolidDamping::default() };
    Scene {
        gravity: DVec3::ZERO,
        time_step: dt,
        substeps: 1,
        integrator: Integrator::Symplectic,
        ..scene(Solid { damping, ..solid })
    }
}

fn inverted(simulation: &mut Simulation) -> u32 {
    let x = simulation.model_positions().unwrap();
    summary(simulation.model(), &x).inverted
}

/// The step after which no tetrahedron is inverted any more, of `steps`; none if some still are.
fn uninverted_at(scene: &Scene, options: &Options, steps: u32, every: u32) -> Option<u32> {
    let mut simulation = simulate(scene, options);
    let mut last = 0;
    for step in (0..steps).step_by(every as usize) {
        simulation.advance(every).unwrap();
        if inverted(&mut simulation) > 0 {
            last = step + every;
        }
    }
    (last < steps).then_some(last)
}

/// The reference block comes back from anywhere with either rule; ignoring inversion or flipping the largest stretch never
/// gets it back.
#[test]
fn the_block_recovers_from_every_state() {
    let options = Options::cpu(Precision::F64);
    let random = SolidStart { scatter: true, ..SolidStart::default() };
    let stretched = |x, y, z| SolidStart { stretch: DVec3::new(x, y, z), ..SolidStart::default() };
    // Steps of a prototype by least travel, the same without memory, and the smallest stretch.
    let starts = [
        ("random", random, [1458, 1776, 1323]),
        ("flat", stretched(1.0, 1.0, 0.0), [2; 3]),
        ("mirrored", stretched(1.0, 1.0, -1.0), [1142, 990, 1055]),
        ("collapsed", stretched(0.0, 0.0, 0.0), [592, 821, 766]),
        ("point-mirrored", stretched(-1.0, -1.0, -1.0), [1142, 990, 1053]),
    ];
    for (name, start, expected) in starts {
        let rules = [Inversion::Travel, Inversion::Forgetful, Inversion::Smallest];
        for (inversion, expected) in rules.into_iter().zip(expected) {
            let scene = released(Solid { start, inversion, ..Solid::default() }, 5e-4);
            let steps = uninverted_at(&scene, &options, 4000, 20);
            println!("{name}, {inversion:?}: upright after {steps:?} steps");
            let steps =
                steps.unwrap_or_else(|| panic!("{name}, {inversion:?}: still inverted after 4000 steps"));
            // Within half of the prototype's. What is random depends on the numbers drawn: any seed took 900 to 2,400 steps.
            let least = if name == "random" { 400 } else { expected / 2 };
            let most = if name == "random" { 3000 } else { 20 + 3 * expected / 2 };
            assert!(
                (least..=most).contains(&(steps + 20 * u32::from(name == "flat"))),
                "{name}, {inversion:?}: {steps} steps"
            );
        }
    }
    for inversion in [Inversion::Ignore, Inversion::Largest] {
        let scene = released(Solid { start: random, inversion, ..Solid::default() }, 5e-4);
        assert_eq!(uninverted_at(&scene, &options, 4000, 100), None, "{inversion:?}");
    }
}

#[test]
fn the_block_recovers_on_the_device_and_in_f32() {
    for (name, options) in &backends()[1..] {
        let start = SolidStart { scatter: true, ..SolidStart::default() };
        let scene = released(Solid { start, ..Solid::default() }, 5e-4);
        let steps = uninverted_at(&scene, options, 3000, 500);
        assert!(steps.is_some_and(|steps| steps <= 2500), "{name}: {steps:?}");
    }
}

/// A thin tetrahedron pushed through its base comes back upright by least travel, and turns over by the smallest stretch.
#[test]
fn a_thin_tetrahedron_ends_upright_by_least_travel_and_upside_down_by_smallest_stretch() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.25, 0.25, 0.2)];
    let mesh = TetMesh { vertices: corners.to_vec(), tets: vec![[0, 1, 2, 3]], ..TetMesh::default() };
    for (inversion, expected, upright) in
        [(Inversion::Travel, 84.0, true), (Inversion::Smallest, 397.0, false)]
    {
        let solid = Solid {
            shape: SolidShape::Tets(mesh.clone()),
            start: SolidStart { stretch: DVec3::new(0.9, 1.0, -1.0), ..SolidStart::default() },
            inversion,
            ..Solid::default()
        };
        let scene = released(solid, 1e-4);
        let options = Options::cpu(Precision::F64);
        let steps = uninverted_at(&scene, &options, 600, 1).unwrap();
        let mut simulation = simulate(&scene, &options);
        simulation.advance(20_000).unwrap();
        let x = simulation.positions().unwrap();
        let normal = (x[1] - x[0]).cross(x[2] - x[0]).normalize().z;
        println!("{inversion:?}: upright after {steps} steps, base normal {normal:.3}");
        assert_close(&format!("{inversion:?}"), f64::from(steps), expected, 0.1);
        assert_eq!(normal > 0.0, upright, "{inversion:?}: {normal}");
    }
}

/// Symplectic Euler is stable just below 2/ω and not just above.
#[test]
fn noise_stays_small_below_the_critical_step_and_explodes_above() {
    let options = Options::cpu(Precision::F64);
    for (share, grows) in [(0.98, false), (1.02, true)] {
        let mut scene = Scene {
            gravity: DVec3::ZERO,
            substeps: 1,
            integrator: Integrator::Symplectic,
            time_step: 1e-3,
            ..scene(Solid { model: SolidModel::Linear, ..Solid::default() })
        };
        scene.solid[0].start.stretch = DVec3::splat(1.0 + 1e-6);
        let mut model = Model::new(&scene).unwrap();
        let mut random = super::Random::new(4);
        model.particles.positions.iter_mut().for_each(|x| *x += 1e-6 * random.vector());
        // Past the check that a scene has to pass.
        model.settings.time_step = share * 2.0 / 146.035;
        let mut simulation = Simulation::from_model(model, &options).unwrap();
        let before = simulation.measure().unwrap().energy();
        let after = simulation.advance(2000).map(|()| simulation.measure().unwrap().energy());
        match after {
            Ok(after) => assert_eq!(after > 100.0 * before, grows, "{share}: {before} J, {after} J"),
            Err(error) => assert!(grows, "{share}: {error}"),
        }
    }
}

/// So many thousand steps of somebody who drags a corner about without mercy; nothing may become what is not a number, and once
/// let go the body comes back.
fn dragged(model: SolidModel, integrator: Integrator, thousands: u32, options: &Options) {
    let mut random = super::Random::new(77);
    let dt = 1.0 / 600.0;
    let mut motion = vec![Keyframe::default()];
    for k in 1..=250 {
        let (time, offset) = (f64::from(k) / 15.0, 3.0 * random.vector());
        motion.push(Keyframe { time, offset, rotation: 180.0 * random.vector() });
    }
    let corner = Selector::Box { min: DVec3::splat(0.1), max: DVec3::splat(1.0) };
    let solid = Solid {
        shape: super::cuboid([0.5; 3], [2; 3]),
        model,
        damping: SolidDamping { stiffness: 0.01, ..SolidDamping::default() },
        pin: vec![Pin {
            selector: corner,
            motion,
            release: Some(f64::from(1000 * thousands) * dt),
            ..Pin::default()
        }],
        ..Solid::default()
    };
    let scene =
        Scene { time_step: dt, substeps: 1, gravity: DVec3::ZERO, damping: 0.2, integrator, ..scene(solid) };
    let mut simulation = simulate(&scene, options);
    for _ in 0..thousands {
        simulation.advance(1000).unwrap_or_else(|error| panic!("{model:?}: {error}"));
    }
    simulation.advance(3000).unwrap_or_else(|error| panic!("{model:?}: {error}"));
    assert_eq!(inverted(&mut simulation), 0, "{model:?}");
}

#[test]
fn nothing_a_user_can_do_breaks_a_body() {
    // Infinitesimal strain has no business with such rotations.
    for (_, model) in SolidModel::NAMES.into_iter().filter(|(_, model)| *model != SolidModel::Linear) {
        dragged(model, Integrator::Implicit, 10, &Options::cpu(Precision::F32));
    }
}

/// One model of forces and one of constraints, for two thousand steps: a software device is slow.
#[test]
fn nothing_a_user_can_do_breaks_a_body_on_the_device() {
    for model in [SolidModel::Corotational, SolidModel::Position] {
        dragged(model, Integrator::Symplectic, 2, &backends()[2].1);
    }
}
