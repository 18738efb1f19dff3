//! The co-rotational law against the Green one, patterns of panels, and warnings.

use crate::sheet::{crumple, deform, equilateral, forces, lively, parity, pin, scene};
use glam::DVec3;
use sinew::cloth::{green, sheet_law};
use sinew::math::{Vec3, Vec4};
use sinew::measure::measure;
use sinew::model::Model;
use sinew::scene::{
    Cloth, ClothModel, ClothShape, ConjugateGradients, Fabric, Integrator, Scene, TriangleMesh,
};
use sinew::{Options, Precision, Simulation};

fn corotational(fabric: Fabric) -> Scene {
    let mut scene = scene([0.4, 0.3], [4, 3], fabric, 2e-4);
    scene.cloth[0].model = ClothModel::Corotational;
    scene
}

#[test]
fn a_corotational_sheet_pulls_in_proportion_to_its_strain_and_not_when_turned() {
    let fabric = Fabric { weft_modulus: 300.0, ..Fabric::default() };
    let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -1.1, 0.4);
    for stretch in [0.9, 1.0, 1.05, 1.2] {
        let mut model = Model::new(&corotational(fabric)).unwrap();
        let right = model.particles.positions.iter().map(|x| x.x > 0.199).collect::<Vec<_>>();
        deform(&mut model, |x| turn * DVec3::new(stretch * x.x, x.y, x.z));
        let f = forces(model);
        let pull: DVec3 = f.iter().zip(&right).filter(|(_, right)| **right).map(|(f, _)| *f).sum();
        let along = -pull.dot(turn * DVec3::X) / 0.3;
        let expected = 300.0 * (stretch - 1.0);
        assert!((along - expected).abs() < 1e-9 * 300.0, "{along} N/m instead of {expected}");
        assert!((pull + turn * DVec3::X * along * 0.3).length() < 1e-9);
    }
}

/// Isotropic, and unable to press.
fn wrinkling() -> Fabric {
    let fabric = Fabric {
        weft_modulus: 300.0,
        warp_modulus: 300.0,
        poisson_ratio: 0.4,
        tension_only: true,
        ..Fabric::default()
    };
    Fabric { shear_modulus: fabric.isotropic_shear_modulus(), ..fabric }
}

/// Stretched along a direction that is not that of the threads: a bundle of threads where it is pressed across, the taut sheet
/// where it is narrowed less than Poisson's ratio would, and nothing where it is slack.
#[test]
fn a_wrinkled_sheet_pulls_as_threads_do_and_never_presses() {
    let fabric = wrinkling();
    let [a11, _, a12, _] = fabric.moduli();
    let moduli = Vec4::from_array(fabric.moduli());
    let (sin, cos) = 0.6f64.sin_cos();
    for (e1, e2) in [(0.1, -0.3), (0.1, -0.041), (0.1, -0.039), (0.1, 0.05), (-0.01, -0.2), (0.0, -0.1)] {
        let strain =
            [e1 * cos * cos + e2 * sin * sin, e1 * sin * sin + e2 * cos * cos, (e1 - e2) * sin * cos];
        let [s11, s22, s12] = sheet_law::stress(moduli, strain, Vec4::new(0.0, 1.0, 0.0, 0.0));
        let along = s11 * cos * cos + s22 * sin * sin + 2.0 * s12 * sin * cos;
        let across = s11 * sin * sin + s22 * cos * cos - 2.0 * s12 * sin * cos;
        let wanted = if e1 <= 0.0 {
            [0.0, 0.0]
        } else if e2 < -0.4 * e1 {
            [300.0 * e1, 0.0]
        } else {
            [a11 * e1 + a12 * e2, a11 * e2 + a12 * e1]
        };
        assert!((along - wanted[0]).abs() < 1e-10 * a11, "{e1}, {e2}: {along} for {}", wanted[0]);
        assert!((across - wanted[1]).abs() < 1e-10 * a11, "{e1}, {e2}: {across} for {}", wanted[1]);
    }
}

#[test]
fn forces_of_a_wrinkled_sheet_are_minus_the_gradient_of_its_energy() {
    let mut scene = scene([0.4, 0.3], [6, 5], wrinkling(), 2e-4);
    scene.cloth[0].bending_stiffness = 0.0;
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, |x| crumple(DVec3::new(0.8 * x.x, x.y, x.z)));
    let x = model.particles.positions.clone();
    let energy = |x: &[DVec3]| {
        measure(&model, x, &vec![DVec3::ZERO; x.len()], &model.particles.inverse_masses).elastic_energy
    };
    let pressing = |fabric: Fabric| {
        let mut model = model.clone();
        model.fabrics[0] = fabric;
        measure(&model, &x, &vec![DVec3::ZERO; x.len()], &model.particles.inverse_masses).elastic_energy
    };
    // Some of the triangles are pressed, or there would be nothing to see.
    assert!(energy(&x) < 0.9 * pressing(Fabric { tension_only: false, ..wrinkling() }));
    let found = forces(model.clone());
    let scale = found.iter().map(|f| f.length()).fold(0.0, f64::max);
    for i in 0..x.len() {
        for way in DVec3::AXES {
            let at = |by: f64| {
                let mut x = x.clone();
                x[i] += by * way;
                energy(&x)
            };
            let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
            assert!((slope + found[i].dot(way)).abs() < 1e-5 * scale, "{i}: {slope}, {}", found[i]);
        }
    }
}

#[test]
fn both_backends_agree_after_every_pass_of_a_wrinkled_sheet() {
    for integrator in [Integrator::Symplectic, Integrator::Implicit] {
        let mut scene = scene([0.4, 0.3], [4, 3], wrinkling(), 2e-4);
        scene.integrator = integrator;
        scene.conjugate_gradients.iterations = 5;
        let mut model = Model::new(&scene).unwrap();
        deform(&mut model, crumple);
        parity(&model, 2, 1e-5);
    }
}

/// Displacing a stressed triangle along its normal turns its forces, which only the Green law's stiffness sees
/// (Thomaszewski 2010, fig. 2.3).
#[test]
fn only_the_green_stiffness_resists_a_stressed_triangle_displaced_along_its_normal() {
    let rest = Vec4::new(1.0, 0.0, 0.0, 1.0);
    let moduli = Vec4::new(300.0, 300.0, 0.0, 75.0);
    let f = [Vec3::of([1.1, 0.0, 0.0]), Vec3::<f64>::of([0.0, 1.05, 0.0])];
    let lift = [Vec3::of([0.0, 0.0, 1.0]), Vec3::of([0.0, 0.0, 0.0])];
    for (law, stress) in [(0.0, Some(300.0 * 0.5 * (1.1 * 1.1 - 1.0))), (1.0, None)] {
        let shape = sheet_law::shape(f, Vec4::new(law, 0.0, 0.0, 0.0));
        let s = green::stress(moduli, shape.strain).map(|s| s * shape.turning);
        let straight = green::product(lift, s);
        let turned =
            green::product(shape.axes, green::stress(moduli, green::strain_change(shape.axes, lift)));
        let normal = [0, 1].map(|c| straight[c] + turned[c]);
        let expected = stress.unwrap_or(0.0);
        assert!((normal[0].z - expected).abs() < 1e-9, "{}", normal[0].z);
        assert!(green::corners(rest, normal)[1].length() > 0.0 || stress.is_none());
    }
}

#[test]
fn both_backends_agree_after_every_pass_of_the_corotational_law() {
    for integrator in [Integrator::Symplectic, Integrator::Implicit] {
        let mut scene = corotational(lively());
        scene.integrator = integrator;
        scene.conjugate_gradients.iterations = 5;
        let mut model = Model::new(&scene).unwrap();
        deform(&mut model, crumple);
        parity(&model, 2, 1e-5);
    }
}

/// A tube of two panels sewn along two seams, whose texture lays the panels side by side.
fn tube(around: u32, high: u32, girth: f64) -> TriangleMesh {
    let (radius, height) = (girth / std::f64::consts::TAU, 0.3);
    let mut mesh = TriangleMesh::default();
    for j in 0..=high {
        for i in 0..around {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(around)).sin_cos();
            mesh.positions.push(DVec3::new(
                radius * cos,
                height * f64::from(j) / f64::from(high),
                radius * sin,
            ));
        }
    }
    let mut texture = Vec::new();
    for j in 0..high {
        for i in 0..around {
            let next = (i + 1) % around;
            // The second panel lies a metre to the right, so that a seam's particle has two places.
            let panel = if i < around / 2 { 0.0 } else { 1.0 };
            let at = |i: u32, j: u32| {
                [panel + girth * f64::from(i) / f64::from(around), height * f64::from(j) / f64::from(high)]
            };
            let v = |i: u32, j: u32| j * around + i;
            mesh.triangles
                .extend([[v(i, j), v(i, j + 1), v(next, j)], [v(next, j), v(i, j + 1), v(next, j + 1)]]);
            texture.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
            texture.push([at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]);
        }
    }
    mesh.texture_coordinates = Some(texture);
    mesh
}

#[test]
fn panels_sewn_to_a_tube_are_at_rest_at_their_own_size_and_taut_when_the_pattern_is_smaller() {
    let energy = |pattern: f64, around: u32| {
        let cloth = Cloth {
            shape: ClothShape::Triangles(tube(around, 6, 0.6)),
            model: ClothModel::Green,
            fabric: Fabric { shear_modulus: 150.0, ..Fabric::default() },
            pattern: Some(pattern),
            bending_stiffness: 0.0,
            ..Cloth::default()
        };
        let scene = Scene { cloth: vec![cloth], ..Scene::default() };
        let model = Model::new(&scene).unwrap();
        let x = &model.particles.positions;
        let v = vec![DVec3::ZERO; x.len()];
        let mass: f64 = model.particles.masses.iter().sum();
        (measure(&model, x, &v, &model.particles.inverse_masses).elastic_energy, mass)
    };
    let (rest, mass) = energy(1.0, 60);
    // A polygon of 60 sides is a little shorter than its circle: a strain of (π/60)²/6.
    let short = (std::f64::consts::PI / 60.0).powi(2) / 6.0;
    let expected = 0.6 * 0.3 * 0.5 * 300.0 * short * short;
    assert!((rest - expected).abs() < 0.01 * expected, "{rest} and {expected}");
    assert!((mass - 0.2 * 0.6 * 0.3).abs() < 1e-12, "{mass}");
    let (taut, _) = energy(0.9, 60);
    let strain = 0.5 * ((1.0f64 / 0.9).powi(2) - 1.0);
    let expected = 0.6 * 0.3 * 0.81 * 0.5 * 300.0 * strain * strain * 2.0;
    assert!((taut - expected).abs() < 0.01 * expected, "{taut} and {expected}");
}

#[test]
fn a_pattern_without_area_or_without_texture_is_refused() {
    let build = |mesh: TriangleMesh| {
        let cloth = Cloth {
            shape: ClothShape::Triangles(mesh),
            model: ClothModel::Green,
            pattern: Some(1.0),
            ..Cloth::default()
        };
        cloth.build().expect_err("it cannot be").to_string()
    };
    let mut flat = tube(12, 2, 0.6);
    if let Some(texture) = &mut flat.texture_coordinates {
        texture[7] = [[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]];
    }
    let error = build(flat);
    assert!(error.contains("triangle 7") && error.contains("pattern"), "{error}");
    let mut inverted = tube(12, 2, 0.6);
    if let Some(texture) = &mut inverted.texture_coordinates {
        // The corner that only triangle 0 has of the first two goes to the other side of their common edge.
        texture[0][0] = texture[1][2];
    }
    let error = build(inverted);
    assert!(error.contains("folded over triangle 0"), "{error}");
    let bare = equilateral([2, 2], 0.1);
    assert!(build(bare).contains("no texture coordinates"));
}

#[test]
fn a_solver_that_runs_out_of_iterations_says_so() {
    let mut scene = scene([1.0, 1.0], [12, 12], Fabric { weft_modulus: 1e5, ..Fabric::default() }, 0.02);
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    scene.integrator = Integrator::Implicit;
    scene.cloth[0].pin = vec![pin(vec![0, 12])];
    let run = |scene: &Scene| {
        let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F64)).unwrap();
        simulation.advance(4).unwrap();
        (simulation.iterations().unwrap().unwrap(), simulation.warnings().unwrap())
    };
    scene.conjugate_gradients = ConjugateGradients { iterations: 3, tolerance: 1e-6 };
    let (counts, warnings) = run(&scene);
    assert_eq!((counts.unfinished, counts.most), (4, 3));
    assert!(
        warnings.len() == 1 && warnings[0].problem.contains("3 iterations in 4 of 4 substeps"),
        "{warnings:?}"
    );
    scene.conjugate_gradients = ConjugateGradients { iterations: 900, tolerance: 1e-6 };
    let (counts, warnings) = run(&scene);
    assert!(counts.unfinished == 0 && warnings.is_empty(), "{counts:?}");
}
