//! Balance of forces: moduli, patch, beams and a public benchmark.

use super::{E, NU, assert_close, backends, cuboid, scene, simulate};
use glam::DVec3;
use sinew::scene::{
    ConjugateGradients, Integrator, Load, Pin, Preconditioner, Scene, Selector, Solid, SolidMaterial,
    SolidModel, SolidShape,
};
use sinew::{Options, Precision};

const FORCES: [SolidModel; 3] = [SolidModel::Linear, SolidModel::Corotational, SolidModel::NeoHookean];

/// All vertices with a coordinate at a value.
pub fn plane(axis: usize, at: f64) -> Selector {
    let (mut min, mut max) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    (min[axis], max[axis]) = (at - 1e-6, at + 1e-6);
    Selector::Box { min, max }
}

pub fn load(axis: usize, at: f64, force: DVec3) -> Load {
    Load { selector: plane(axis, at), force }
}

/// A scene that looks for the balance without gravity.
pub fn balance(solid: Solid) -> Scene {
    Scene {
        gravity: DVec3::ZERO,
        integrator: Integrator::Static,
        conjugate_gradients: ConjugateGradients { iterations: 400, tolerance: 1e-7 },
        substeps: 1,
        ..scene(solid)
    }
}

/// The mean of a component over the vertices of a face at rest.
pub fn face(rest: &[DVec3], now: &[DVec3], axis: usize, at: f64, component: usize) -> f64 {
    let chosen: Vec<f64> = rest
        .iter()
        .zip(now)
        .filter(|(x, _)| (x[axis] - at).abs() < 1e-6)
        .map(|(x, y)| y[component] - x[component])
        .collect();
    chosen.iter().sum::<f64>() / chosen.len() as f64
}

/// As [`solved`], of a free body that dead loads shear or push: its balance is unstable, because turned about it would give way further. One step of
/// Newton's method a substep goes there; a search for lower energies would leave it.
pub fn solved_without_search(solid: &Solid, options: &Options, steps: u32) -> (Vec<DVec3>, Vec<DVec3>) {
    let mut simulation = simulate(&Scene { newton: Some(1), ..balance(solid.clone()) }, options);
    let rest = simulation.positions().unwrap();
    simulation.advance(steps).unwrap();
    (rest, simulation.positions().unwrap())
}

/// Displacements at balance: rest and moved positions.
pub fn solved(solid: &Solid, options: &Options, steps: u32) -> (Vec<DVec3>, Vec<DVec3>) {
    let mut simulation = simulate(&balance(solid.clone()), options);
    let rest = simulation.positions().unwrap();
    simulation.advance(steps).unwrap();
    (rest, simulation.positions().unwrap())
}

/// A bar pulled at both ends gives E and ν back exactly: the patch test. (Pushed, a free bar would turn round.)
#[test]
fn a_pulled_bar_has_its_modulus_and_its_ratio() {
    for (name, options) in backends() {
        for model in FORCES {
            let (half, pull) = (0.5, DVec3::X * 0.2);
            let solid = Solid {
                shape: cuboid([1.0, 0.1, 0.1], [10, 2, 1]),
                model,
                load: vec![load(0, half, pull), load(0, -half, -pull)],
                ..Solid::default()
            };
            let (rest, now) = solved(&solid, &options, 4);
            let long = face(&rest, &now, 0, half, 0) - face(&rest, &now, 0, -half, 0);
            let wide = (face(&rest, &now, 1, 0.05, 1) - face(&rest, &now, 1, -0.05, 1)) / 0.1;
            // The neo-Hookean law is linear to the strain of 2e-4.
            assert_close(&format!("{name} {model:?}: E"), 0.2 / 0.01 / long, E, 1e-3);
            assert_close(&format!("{name} {model:?}: ν"), -wide / long, NU, 1e-3);
        }
    }
}

#[test]
fn a_sheared_block_has_its_shear_modulus() {
    for (name, options) in backends() {
        for model in FORCES {
            let force = 20.0;
            let (x, y) = (DVec3::X * force, DVec3::Y * force);
            let solid = Solid {
                shape: cuboid([1.0; 3], [3; 3]),
                model,
                load: vec![load(0, 0.5, y), load(0, -0.5, -y), load(1, 0.5, x), load(1, -0.5, -x)],
                ..Solid::default()
            };
            let (rest, now) = solved_without_search(&solid, &options, 6);
            let angle = (face(&rest, &now, 1, 0.5, 0) - face(&rest, &now, 1, -0.5, 0))
                + (face(&rest, &now, 0, 0.5, 1) - face(&rest, &now, 0, -0.5, 1));
            assert_close(&format!("{name} {model:?}: G"), force / angle, E / (2.0 * (1.0 + NU)), 1e-3);
        }
    }
}

#[test]
fn a_compressed_block_has_its_bulk_modulus() {
    for (name, options) in backends() {
        for model in FORCES {
            let mut shrink = 0.0;
            for sign in [1.0, -1.0] {
                let pressure = 20.0 * sign;
                let load = (0..6).map(|k| {
                    let side = if k % 2 == 0 { 0.5 } else { -0.5 };
                    load(k / 2, side, DVec3::AXES[k / 2] * (-2.0 * side * pressure))
                });
                let solid = Solid {
                    shape: cuboid([1.0; 3], [3; 3]),
                    model,
                    load: load.collect(),
                    ..Solid::default()
                };
                let (rest, now) = solved_without_search(&solid, &options, 6);
                let along = |axis| face(&rest, &now, axis, 0.5, axis) - face(&rest, &now, axis, -0.5, axis);
                shrink -= 0.5 * sign * (along(0) + along(1) + along(2));
            }
            assert_close(&format!("{name} {model:?}: K"), 20.0 / shrink, E / (3.0 * (1.0 - 2.0 * NU)), 1e-3);
        }
    }
}

/// The patch test and the sheared block as such: linear, with an end traction that stretches the bar by a hundredth, and with the same
/// stress in shear. Sizes are powers of two, because a body starts at the f32 next to where it should be.
#[test]
fn the_linear_law_passes_the_patch_test_to_rounding() {
    for (name, options) in backends() {
        let exact = name == "cpu f64";
        let tolerance = if exact { 1e-8 } else { 1e-4 };
        let solve = |size: [f64; 3], cells: [u32; 3], load: Vec<Load>| {
            let solid =
                Solid { shape: cuboid(size, cells), model: SolidModel::Linear, load, ..Solid::default() };
            let mut scene = balance(solid);
            // Statics keep a little mass; over a long step it is nothing.
            scene.time_step = 10.0;
            // What f32 rounds off an assembled matrix is more than so little mass; docs/solids.md says what that costs.
            scene.preconditioner = Preconditioner::Jacobi;
            scene.conjugate_gradients =
                ConjugateGradients { iterations: 200, tolerance: if exact { 1e-12 } else { 1e-7 } };
            let mut simulation = simulate(&scene, &options);
            let rest = simulation.positions().unwrap();
            simulation.advance(8).unwrap();
            (rest, simulation.positions().unwrap())
        };
        let pull = DVec3::X * (0.01 * E * 0.125 * 0.125);
        let (rest, now) =
            solve([1.0, 0.125, 0.125], [8, 1, 1], vec![load(0, 0.5, pull), load(0, -0.5, -pull)]);
        let along = |axis: usize, half: f64| {
            face(&rest, &now, axis, half, axis) - face(&rest, &now, axis, -half, axis)
        };
        let (long, wide, high) = (along(0, 0.5), along(1, 0.0625), along(2, 0.0625));
        assert_close(&format!("{name}: ΔL"), long, 0.01, tolerance);
        assert_close(&format!("{name}: Δw"), wide / 0.125, -3e-3, tolerance);
        assert_close(&format!("{name}: ΔV/V"), long + (wide + high) / 0.125, 0.004, 5.0 * tolerance);
        let force = 1000.0;
        let (x, y) = (DVec3::X * force, DVec3::Y * force);
        let sides = vec![load(0, 0.5, y), load(0, -0.5, -y), load(1, 0.5, x), load(1, -0.5, -x)];
        let (rest, now) = solve([1.0; 3], [3; 3], sides);
        let angle = (face(&rest, &now, 1, 0.5, 0) - face(&rest, &now, 1, -0.5, 0))
            + (face(&rest, &now, 0, 0.5, 1) - face(&rest, &now, 0, -0.5, 1));
        assert_close(&format!("{name}: Δx"), angle, force * 2.0 * (1.0 + NU) / E, tolerance);
    }
}

/// The displacement of a cantilever's tip per load, over that of a Timoshenko beam.
fn cantilever(cells: u32, options: &Options) -> f64 {
    let (length, height, young) = (1.0, 0.25, 1e5);
    let force = 0.02;
    let solid = Solid {
        shape: cuboid([length, height, height], [4 * cells, cells, cells]),
        position: DVec3::new(0.5 * length, 0.0, 0.0),
        material: SolidMaterial { youngs_modulus: young, poisson_ratio: 0.0, density: 1000.0 },
        pin: vec![Pin { selector: plane(0, 0.0), ..Pin::default() }],
        load: vec![load(0, length, DVec3::NEG_Y * force)],
        ..Solid::default()
    };
    let (rest, now) = solved(&solid, options, 3);
    let second = height.powi(4) / 12.0;
    // Shear factor 5/6 of a rectangle without contraction.
    let beam = force * length.powi(3) / (3.0 * young * second)
        + force * length / (5.0 / 6.0 * 0.5 * young * height * height);
    -face(&rest, &now, 0, length, 1) / beam
}

/// Linear tetrahedra lock in bending; with refinement the tip goes to beam theory with the square of the cell.
#[test]
fn a_cantilever_converges_to_beam_theory() {
    let options = Options::cpu(Precision::F64);
    let ratios = [2, 4, 8].map(|cells| cantilever(cells, &options));
    let order = ((1.0 - ratios[1]) / (1.0 - ratios[2])).log2();
    println!("tip over beam theory {ratios:?}, order {order:.2}");
    assert!(ratios[0] < ratios[1] && ratios[1] < ratios[2] && ratios[2] < 1.0);
    assert!(ratios[2] > 0.95 && order > 1.6, "{ratios:?}, order {order}");
    let single = cantilever(4, &Options::cpu(Precision::F32));
    assert_close("f32 against f64", single, ratios[1], 1e-3);
    let (_, gpu) = &backends()[2];
    assert_close("device against f64", cantilever(4, gpu), ratios[1], 1e-3);
}

/// Cook's membrane: a tapered panel, clamped at one end, sheared at the other (Cook 1974; E = 1, ν = 1/3, thickness 1, load
/// 1). The plane-stress answer is 23.96 at the middle of the loaded end; extruded one unit thick, linear
/// tetrahedra come to it from below.
fn cook(cells: u32, options: &Options) -> f64 {
    let layers = cells / 12;
    let mut mesh =
        sinew::meshing::tet_mesh::TetMesh::cuboid(DVec3::new(48.0, 1.0, 1.0), [cells, cells, layers]);
    for x in &mut mesh.vertices {
        let along = (x.x + 24.0) / 48.0;
        let (low, high) = (44.0 * along, 44.0 + 16.0 * along);
        *x = DVec3::new(48.0 * along, low + (x.y + 0.5) * (high - low), x.z);
    }
    let solid = Solid {
        shape: SolidShape::Tets(mesh),
        model: SolidModel::Linear,
        // A thousandth of the load of the benchmark, so that E may stay in the range of common materials.
        material: SolidMaterial { youngs_modulus: 1e3, poisson_ratio: 1.0 / 3.0, density: 1.0 },
        pin: vec![Pin { selector: plane(0, 0.0), ..Pin::default() }],
        load: vec![load(0, 48.0, DVec3::Y)],
        ..Solid::default()
    };
    let mut scene = balance(solid);
    // So soft and large a panel is slow: with the usual step the little mass that statics keeps would hold it back.
    scene.time_step = 10.0;
    scene.conjugate_gradients = ConjugateGradients { iterations: 2000, tolerance: 1e-6 };
    let mut simulation = simulate(&scene, options);
    let rest = simulation.positions().unwrap();
    simulation.advance(2).unwrap();
    let now = simulation.positions().unwrap();
    let middle: Vec<f64> = rest
        .iter()
        .zip(&now)
        .filter(|(x, _)| (x.x - 48.0).abs() < 1e-6 && (x.y - 52.0).abs() < 1e-6)
        .map(|(x, y)| 1e3 * (y.y - x.y))
        .collect();
    middle.iter().sum::<f64>() / middle.len() as f64
}

#[test]
fn cooks_membrane_comes_to_its_published_deflection() {
    let options = Options::cpu(Precision::F64);
    let tips = [12, 24, 36].map(|cells| cook(cells, &options));
    // The error falls with the square of the cell, nearly.
    let limit = tips[2] + (tips[2] - tips[1]) / (1.5f64.powi(2) - 1.0);
    println!("Cook's membrane: {tips:?}, extrapolated {limit:.2}, of 23.96");
    assert!(tips[0] < tips[1] && tips[1] < tips[2] && tips[2] < 23.96, "{tips:?}");
    assert!(tips[2] > 0.96 * 23.96, "{tips:?}");
    assert_close("extrapolated to cells of no size", limit, 23.96, 0.015);
    for (name, options) in &backends()[1..] {
        assert_close(&format!("Cook's membrane, {name}"), cook(12, options), tips[0], 1e-3);
    }
}
