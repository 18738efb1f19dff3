//! Large loads at rest, and energy in the midpoint rule: where a frozen rotation leads astray.

use super::statics::{balance, face, load, plane};
use super::{assert_close, backends, cuboid, scene, simulate};
use glam::DVec3;
use sinew::scene::{
    ConjugateGradients, Integrator, Pin, Scene, Solid, SolidMaterial, SolidModel, SolidStart,
};
use sinew::{Options, Precision, Simulation};

fn rested(scene: &Scene, options: &Options, steps: u32) -> (Simulation, Vec<DVec3>, Vec<DVec3>) {
    let mut simulation = simulate(scene, options);
    let rest = simulation.positions().unwrap();
    simulation.advance(steps).unwrap();
    let now = simulation.positions().unwrap();
    (simulation, rest, now)
}

/// A free block that is pulled at both ends by a thousandth of E grows by a thousandth, and does not turn.
#[test]
fn a_free_block_pulled_at_both_ends_finds_its_balance() {
    for (name, options) in backends() {
        for model in [SolidModel::Corotational, SolidModel::NeoHookean] {
            let material = SolidMaterial { poisson_ratio: 0.3, ..SolidMaterial::default() };
            let pull = DVec3::X * (1e-3 * material.youngs_modulus * 0.0625);
            let solid = Solid {
                shape: cuboid([1.0, 0.25, 0.25], [4, 1, 1]),
                model,
                material,
                load: vec![load(0, 0.5, pull), load(0, -0.5, -pull)],
                ..Solid::default()
            };
            let (mut simulation, rest, now) = rested(&balance(solid), &options, 6);
            let long = face(&rest, &now, 0, 0.5, 0) - face(&rest, &now, 0, -0.5, 0);
            assert_close(&format!("{name} {model:?}: growth"), long, 1e-3, 2e-3);
            let left = simulation.imbalance().unwrap().expect("nothing but forces");
            println!("{name} {model:?}: {:.1e} of the pull is left", left.share());
            assert!(left.is_balanced(), "{name} {model:?}: {left:?}");
        }
    }
}

/// The tip of a clamped beam under P at its end with P L²/EI = 5 goes down by 0.71379 L and in by 0.38763 L (Mattiasson 1981). Few cells across are too
/// stiff; EI is therefore that of a hundredth of the load, which bends the beam by P L³/3EI.
#[test]
fn a_beam_bends_as_far_as_the_elastica() {
    let (length, height, young) = (1.0, 0.05, 1e6);
    let bent = |model: SolidModel, force: f64, options: &Options| {
        let solid = Solid {
            shape: cuboid([length, height, height], [40, 2, 2]),
            position: DVec3::new(0.5 * length, 0.0, 0.0),
            model,
            material: SolidMaterial { youngs_modulus: young, poisson_ratio: 0.0, density: 1000.0 },
            pin: vec![Pin { selector: plane(0, 0.0), ..Pin::default() }],
            load: vec![load(0, length, DVec3::NEG_Y * force)],
            ..Solid::default()
        };
        let (mut simulation, rest, now) = rested(&balance(solid), options, 12);
        let left = simulation.imbalance().unwrap().expect("nothing but forces");
        println!("{model:?} under {force:.2e} N: {:.1e} of the pull is left", left.share());
        assert!(left.is_balanced(), "{model:?}: {left:?}");
        [1, 0].map(|axis| -face(&rest, &now, 0, length, axis))
    };
    let second = height.powi(4) / 12.0;
    for (name, options) in &backends()[..2] {
        for model in [SolidModel::Corotational, SolidModel::NeoHookean] {
            let small = 0.05 * young * second / length.powi(2);
            let [sag, _] = bent(model, small, options);
            let rigidity = small * length.powi(3) / (3.0 * sag);
            let [down, inward] = bent(model, 5.0 * rigidity / length.powi(2), options);
            assert_close(&format!("{name} {model:?}: down"), down, 0.71379, 0.015);
            assert_close(&format!("{name} {model:?}: inward"), inward, 0.38763, 0.02);
        }
    }
}

/// The nominal stress of a stretched bar of the stable neo-Hookean law: its sides are free, which decides their stretch.
fn neo_hookean_pull([lambda, mu, alpha]: [f64; 3], stretch: f64) -> f64 {
    let shear = |t: f64| mu * (1.0 - 1.0 / (stretch * stretch + 2.0 * t * t + 1.0));
    let across = |t: f64| shear(t) + lambda * (stretch * t * t - alpha) * stretch;
    let (mut low, mut high) = (1e-3, 2.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if across(middle) < 0.0 { low = middle } else { high = middle }
    }
    shear(low) * stretch + lambda * (stretch * low * low - alpha) * low * low
}

/// Rubber keeps its volume however far it is pulled: a long thin tetrahedron is not a flat one.
#[test]
fn neo_hookean_bars_follow_their_closed_form_to_six_times_their_length() {
    for (name, options) in backends() {
        let ratios: &[f64] = if name == "gpu" { &[0.45] } else { &[0.0, 0.3, 0.45, 0.49] };
        for &ratio in ratios {
            for stretch in [2.0, 4.0, 6.0] {
                let material = SolidMaterial { poisson_ratio: ratio, ..SolidMaterial::default() };
                let moduli = sinew::solids::elasticity::neo_hookean_moduli(material.lame());
                let pull = DVec3::X * (0.0625 * neo_hookean_pull(moduli, stretch));
                let solid = Solid {
                    shape: cuboid([1.0, 0.25, 0.25], [4, 1, 1]),
                    model: SolidModel::NeoHookean,
                    material,
                    load: vec![load(0, 0.5, pull), load(0, -0.5, -pull)],
                    ..Solid::default()
                };
                let (_, rest, now) = rested(&balance(solid), &options, 20);
                let long = 1.0 + face(&rest, &now, 0, 0.5, 0) - face(&rest, &now, 0, -0.5, 0);
                let tolerance = if name == "cpu f64" { 1e-5 } else { 2e-3 };
                assert_close(&format!("{name}, ν = {ratio}: stretch"), long, stretch, tolerance);
            }
        }
    }
}

/// Midpoint steps keep the energy of a block that swings far about a clamped end, by any law: springs that are so
/// soft that tetrahedra fold change their law, and their energy with it.
#[test]
fn midpoint_steps_do_not_feed_a_swinging_block() {
    for (model, young) in
        [(SolidModel::Corotational, 3e4), (SolidModel::NeoHookean, 3e4), (SolidModel::Springs, 1e5)]
    {
        let solid = Solid {
            shape: cuboid([0.6, 0.2, 0.2], [3, 1, 1]),
            position: DVec3::new(0.3, 0.0, 0.0),
            model,
            material: SolidMaterial { youngs_modulus: young, poisson_ratio: 0.3, density: 1000.0 },
            start: SolidStart { twist: 20.0, ..SolidStart::default() },
            pin: vec![Pin { selector: plane(0, 0.0), ..Pin::default() }],
            ..Solid::default()
        };
        let scene = Scene {
            integrator: Integrator::Midpoint,
            substeps: 10,
            conjugate_gradients: ConjugateGradients { iterations: 100, tolerance: 1e-8 },
            ..scene(solid)
        };
        let mut simulation = simulate(&scene, &Options::cpu(Precision::F64));
        let energy = |of: &mut Simulation| of.measure().unwrap();
        let start = energy(&mut simulation);
        let (mut highest, mut swing) = (f64::NEG_INFINITY, 0.0f64);
        for _ in 0..50 {
            simulation.advance(12).unwrap();
            let now = energy(&mut simulation);
            highest = highest.max(now.energy() - start.energy());
            swing = swing.max(now.kinetic_energy);
        }
        println!("{model:?}: energy rose by {:.2} % of the largest kinetic one", 1e2 * highest / swing);
        assert!(highest < 0.02 * swing, "{model:?}: energy rose by {highest} J of {swing} J");
    }
}
