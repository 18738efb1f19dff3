//! The assembled matrix, its levels and the solver that uses them.

use crate::blocks::{Blocks, galerkin, noise, relative, run_with};
use crate::sheet::{PLACES, Place, crumple, deform, gather, lively, parity, pin, scene};
use glam::DVec3;
use sinew::compute::{Data, Run};
use sinew::model::Model;
use sinew::scene::{ConjugateGradients, Fabric, Integrator, Preconditioner, Scene};
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

/// A crumpled sheet in which every term acts, with a pinned particle.
fn crumpled(cells: [u32; 2], integrator: Integrator, preconditioner: Preconditioner) -> Model {
    let fabric =
        Fabric { shear_viscosity: 0.02, dilation_viscosity: 0.01, bending_damping: 1e-3, ..lively() };
    let mut scene = scene([0.4, 0.3], cells, fabric, 2e-3);
    scene.integrator = integrator;
    scene.preconditioner = preconditioner;
    scene.conjugate_gradients.iterations = 2;
    scene.cloth[0].bending_stiffness = 1e-3;
    scene.cloth[0].pin = vec![pin(vec![35])];
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, crumple);
    let x = &model.particles.positions;
    model.particles.velocities = x.iter().map(|x| DVec3::new(2.0, -1.0, 3.0).cross(*x)).collect();
    model
}

/// The product without the matrix: what the elements say, and the masses, where particles move.
fn by_elements(model: &Model, d: &[DVec3]) -> Vec<DVec3> {
    let solver = Solver::new(model).unwrap();
    let mut executor = Place::F64.executor(&solver);
    let list = &solver.passes.list;
    let first = list.iter().position(|pass| pass.kernel.name == "membrane_change").unwrap();
    executor.execute(&[Run { passes: 0..first, times: 1 }]).unwrap();
    let values = d.iter().flat_map(|d| [d.x, d.y, d.z, 0.0]);
    executor.write(solver.buffers.find("cg_directions").unwrap(), &Data::Reals(values.collect())).unwrap();
    executor.execute(&[Run { passes: first..first + 2, times: 1 }]).unwrap();
    let w = &model.particles.inverse_masses;
    let changes = gather(&solver, executor.as_mut());
    (0..d.len()).map(|i| if w[i] > 0.0 { d[i] / w[i] + changes[i] } else { DVec3::ZERO }).collect()
}

#[test]
fn the_matrix_times_a_vector_is_what_the_elements_say() {
    for integrator in [Integrator::Implicit, Integrator::Midpoint] {
        let model = crumpled([6, 5], integrator, Preconditioner::Multigrid);
        let mut d = noise(model.particle_count(), 1.7);
        // A particle that cannot move has neither a row nor a column.
        for (d, w) in d.iter_mut().zip(&model.particles.inverse_masses) {
            *d *= f64::from(u8::from(*w > 0.0));
        }
        let expected = by_elements(&crumpled([6, 5], integrator, Preconditioner::Jacobi), &d);
        for place in PLACES {
            let solver = Solver::new(&model).unwrap();
            let mut executor = place.executor(&solver);
            run_with(&solver, executor.as_mut(), "pcg_assemble");
            let matrix = Blocks::read(&solver, executor.as_mut(), 0);
            let error = relative(&matrix.times(&d), &expected);
            println!("{integrator:?}, {place:?}: {error:.1e} off");
            assert!(error < place.within(1e-13, 1e-6), "{integrator:?}, {place:?}: {error}");
            assert!(matrix.is_symmetric(), "{integrator:?}, {place:?}");
        }
    }
}

#[test]
fn every_level_of_a_sheet_is_the_galerkin_product_of_the_one_before() {
    let model = crumpled([40, 31], Integrator::Implicit, Preconditioner::Multigrid);
    for place in PLACES {
        let solver = Solver::new(&model).unwrap();
        let mut executor = place.executor(&solver);
        run_with(&solver, executor.as_mut(), "galerkin");
        let mut level = 0;
        while solver.buffers.find(&format!("grid{}_values", level + 1)).is_some() {
            let fine = Blocks::read(&solver, executor.as_mut(), level);
            let coarse = Blocks::read(&solver, executor.as_mut(), level + 1);
            let x = noise(coarse.0.len(), 2.9);
            let error = relative(&coarse.times(&x), &galerkin(&solver, executor.as_mut(), &fine, level, &x));
            println!("{place:?}: level {} of {} rows {error:.1e} off", level + 1, coarse.0.len());
            assert!(error < place.within(1e-12, 1e-5), "{place:?}: {error}");
            assert!(coarse.is_symmetric());
            level += 1;
        }
        assert!(level >= 2, "only {level} levels");
    }
}

#[test]
fn both_backends_agree_after_every_pass_with_multigrid() {
    for integrator in [Integrator::Implicit, Integrator::Midpoint, Integrator::Static] {
        let largest = parity(&crumpled([20, 15], integrator, Preconditioner::Multigrid), 1, 2e-5);
        println!("{integrator:?}: largest relative difference {largest:.1e}");
    }
}

/// A sheet of 1 m held by two corners.
fn hung(cells: u32, tolerance: f64) -> Scene {
    let fabric = Fabric {
        weft_modulus: 2000.0,
        warp_modulus: 2000.0,
        shear_modulus: 500.0,
        poisson_ratio: 0.0,
        ..Fabric::default()
    };
    let mut scene = scene([1.0, 1.0], [cells, cells], fabric, 1.0 / 60.0);
    scene.gravity = DVec3::new(0.0, 0.0, -9.81);
    scene.integrator = Integrator::Implicit;
    scene.preconditioner = Preconditioner::Multigrid;
    scene.conjugate_gradients = ConjugateGradients { iterations: 60, tolerance };
    scene.cloth[0].density = 0.2;
    scene.cloth[0].bending_stiffness = 1e-5;
    scene.cloth[0].pin = vec![pin(vec![0, cells])];
    scene
}

/// Iterations at 0.33 s.
fn iterations(cells: u32) -> u32 {
    let mut simulation = Simulation::new(&hung(cells, 1e-3), &Options::cpu(Precision::F32)).unwrap();
    simulation.advance(20).unwrap();
    simulation.iterations().unwrap().unwrap().last
}

/// 277 of block-Jacobi on 65 particles along an edge. Smoothing weights with the matrix itself would take 4, at four times the set-up.
#[test]
fn a_hung_sheet_takes_few_iterations() {
    let found = iterations(64);
    println!("65²: {found} iterations");
    assert!(found <= 14, "{found} iterations");
}

/// A hanging strip used to be stretched further than it is because a soft sheet far away was easy to solve.
#[test]
fn a_far_body_changes_no_bit() {
    let alone = hung(24, 1e-2);
    let state = |scene: &Scene, body: usize| {
        let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32)).unwrap();
        simulation.advance(12).unwrap();
        let model = Model::new(scene).unwrap();
        let range = model.bodies[body].particles.clone();
        simulation.model_positions().unwrap()[range.start as usize..range.end as usize].to_vec()
    };
    let expected = state(&alone, 0);
    for first in [false, true] {
        let mut other = alone.clone();
        let mut far =
            scene([1.0, 1.0], [9, 9], Fabric { weft_modulus: 3.0, ..lively() }, 1.0).cloth.remove(0);
        far.name = "far".into();
        far.position = DVec3::new(1000.0, 0.0, 0.0);
        // Held by a corner, so that it has something to solve.
        far.pin = vec![pin(vec![0])];
        other.cloth.insert(usize::from(!first), far);
        assert_eq!(state(&other, usize::from(first)), expected, "added first: {first}");
    }
}

/// Levels only where they pay, by a rule; all of them where they are asked for.
#[test]
fn an_easy_sheet_has_no_levels_unless_it_is_asked_to() {
    let mut scene = hung(24, 1e-6);
    scene.time_step = 1e-4;
    let of = |preconditioner, scene: &Scene| {
        let scene = Scene { preconditioner, ..scene.clone() };
        let model = Model::new(&scene).unwrap();
        let levels = Solver::new(&model).unwrap().buffers.find("grid1_values").is_some();
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
        simulation.advance(20).unwrap();
        (levels, simulation.positions().unwrap())
    };
    let (easy, x) = of(Preconditioner::Auto, &scene);
    let (asked, y) = of(Preconditioner::Multigrid, &scene);
    assert!(!easy && asked);
    let largest = x.iter().zip(&y).map(|(x, y)| x.distance(*y)).fold(0.0, f64::max);
    assert!(largest < 1e-9, "{largest} m apart");
    scene.time_step = 1.0 / 60.0;
    assert!(of(Preconditioner::Auto, &scene).0, "a stiff sheet has levels");
}
