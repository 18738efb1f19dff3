//! The matrix of solids, their levels of rigid motions, and how fast they converge.

use super::blocks::{Blocks, galerkin, moved, noise, relative, run_with};
use super::cuboid;
use super::kernels::{TOLERANCE, everything, gpu};
use glam::{DMat3, DVec3};
use sinew::compute::{CpuExecutor, Data, Executor, GpuExecutor, Run, compare_runs};
use sinew::model::Model;
use sinew::scene::{
    ConjugateGradients, Integrator, Pin, Preconditioner, Scene, Selector, Solid, SolidMaterial, SolidModel,
    SolverKind,
};
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

/// A scene of all models, solved by multigrid.
fn all(integrator: Integrator) -> Model {
    let mut scene = everything(integrator, SolverKind::Coloured);
    scene.preconditioner = Preconditioner::Multigrid;
    scene.conjugate_gradients.iterations = 2;
    Model::new(&scene).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_pass_with_multigrid_matches_its_twin() {
    for integrator in [Integrator::Implicit, Integrator::Midpoint] {
        let solver = Solver::new(&all(integrator)).unwrap();
        let mut device = GpuExecutor::new(&gpu(), &solver.buffers, &solver.passes).unwrap();
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let largest =
            compare_runs(&solver.buffers, &solver.passes, 1, [&mut cpu, &mut device], TOLERANCE).unwrap();
        let largest = largest.unwrap_or_else(|difference| panic!("{integrator:?}: {difference}"));
        println!("{integrator:?}: largest difference {largest:.1e}");
    }
}

#[test]
fn the_matrix_of_solids_is_what_their_elements_say() {
    for integrator in [Integrator::Implicit, Integrator::Midpoint] {
        let model = all(integrator);
        let w = &model.particles.inverse_masses;
        let mut d = noise(w.len(), 1.7);
        d.iter_mut().zip(w).for_each(|(d, w)| *d *= f64::from(u8::from(*w > 0.0)));
        // Without the matrix.
        let mut plain = model.clone();
        plain.settings.preconditioner = Preconditioner::Jacobi;
        let solver = Solver::new(&plain).unwrap();
        let mut executor = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
        let list = &solver.passes.list;
        let product = list.iter().position(|pass| pass.kernel.name == "cg_product").unwrap();
        let first = list.iter().position(|pass| pass.kernel.name == "cg_start").unwrap() + 1;
        executor.execute(&[Run { passes: 0..first, times: 1 }]).unwrap();
        let values = d.iter().flat_map(|d| [d.x, d.y, d.z, 0.0]).collect();
        executor.write(solver.buffers.find("cg_directions").unwrap(), &Data::Reals(values)).unwrap();
        executor.execute(&[Run { passes: first..product + 1, times: 1 }]).unwrap();
        let read = executor.read(solver.buffers.find("cg_products").unwrap()).unwrap();
        let expected: Vec<DVec3> = read.reals().chunks_exact(4).map(DVec3::from_slice).collect();
        let solver = Solver::new(&model).unwrap();
        let mut executor = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
        run_with(&solver, &mut executor, "pcg_assemble");
        let matrix = Blocks::read(&solver, &mut executor, 0);
        // Particles that no force acts on are not in the matrix.
        let of_matrix = |x: Vec<DVec3>| -> Vec<DVec3> {
            let has_row = |row: &[(u32, DMat3)]| row.iter().any(|(_, block)| *block != DMat3::ZERO);
            x.into_iter().zip(&matrix.0).filter(|(_, row)| has_row(row)).map(|(x, _)| x).collect()
        };
        let error = relative(&of_matrix(matrix.times(&d)), &of_matrix(expected));
        println!("{integrator:?}: {error:.1e} off");
        assert!(error < 1e-10, "{integrator:?}: {error}");
        assert!(matrix.is_symmetric());
    }
}

/// A beam of square section, two metres long, clamped at one end and bent by one radian.
fn bent(cells: [u32; 3], young: f64, poisson_ratio: f64, statics: bool) -> Model {
    let height = 2.0 * f64::from(cells[1]) / f64::from(cells[0]);
    let depth = 2.0 * f64::from(cells[2]) / f64::from(cells[0]);
    let clamped = Selector::Box {
        min: DVec3::NEG_INFINITY,
        max: DVec3::new(-1.0 + 1e-6, f64::INFINITY, f64::INFINITY),
    };
    let solid = Solid {
        shape: cuboid([2.0, height, depth], cells),
        material: SolidMaterial { youngs_modulus: young, poisson_ratio, density: 1000.0 },
        model: SolidModel::Corotational,
        pin: vec![Pin { selector: clamped, ..Pin::default() }],
        ..Solid::default()
    };
    let mut model = Model::new(&Scene {
        solid: vec![solid],
        substeps: 1,
        integrator: if statics { Integrator::Static } else { Integrator::Implicit },
        preconditioner: Preconditioner::Multigrid,
        conjugate_gradients: ConjugateGradients { iterations: 60, tolerance: 1e-3 },
        ..Scene::default()
    })
    .unwrap();
    for x in &mut model.particles.positions {
        let (angle, radius) = (0.5 * (x.x + 1.0), 2.0 + x.y);
        *x = DVec3::new(radius * angle.sin() - 1.0, radius * angle.cos() - 2.0, x.z);
    }
    model
}

/// 52 of block-Jacobi; 122 where there is no mass.
#[test]
fn a_bent_block_takes_few_iterations() {
    for (statics, most) in [(false, 10), (true, 25)] {
        let model = bent([20, 10, 10], 1e6, 0.3, statics);
        let mut simulation = Simulation::from_model(model, &Options::cpu(Precision::F32)).unwrap();
        simulation.advance(1).unwrap();
        let found = simulation.iterations().unwrap().unwrap().last;
        println!("statics {statics}: {found} iterations");
        assert!(found <= most, "statics {statics}: {found} iterations");
    }
}

#[test]
fn every_level_of_a_solid_is_the_galerkin_product_and_has_its_rigid_motions() {
    let model = bent([12, 6, 5], 1e6, 0.3, false);
    let solver = Solver::new(&model).unwrap();
    let mut executor = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    run_with(&solver, &mut executor, "galerkin_rigid");
    let mut level = 0;
    while solver.buffers.find(&format!("grid{}_values", level + 1)).is_some() {
        let fine = Blocks::read(&solver, &mut executor, level);
        let coarse = Blocks::read(&solver, &mut executor, level + 1);
        let x = noise(coarse.0.len(), 2.9);
        let error = relative(&coarse.times(&x), &galerkin(&solver, &mut executor, &fine, level, &x));
        println!("level {} of {} rows: {error:.1e} off", level + 1, coarse.0.len());
        assert!(error < 1e-5, "{error}");
        assert!(coarse.is_symmetric());
        level += 1;
    }
    assert!(level > 0);
    // A rotation about the origin: of each node its own and the translation of its root.
    let turn = DVec3::new(0.3, -0.5, 0.7);
    let ends = solver.buffers.initial(solver.buffers.find("grid0_arm_ends").unwrap()).uints().to_vec();
    let rows = solver.buffers.initial(solver.buffers.find("grid0_weight_rows").unwrap()).uints().to_vec();
    let positions = &model.particles.positions;
    let coarse = Blocks::read(&solver, &mut executor, 1).0.len();
    let mut rigid = vec![turn; coarse];
    for (ends, row) in ends.chunks_exact(2).zip(rows) {
        let row = (row & !sinew::integrate::grid_restrict::ARM) as usize;
        rigid[row] = turn.cross(positions[ends[1] as usize]);
    }
    for (i, moved) in moved(&solver, &mut executor, 0, &rigid).into_iter().enumerate() {
        let expected = turn.cross(positions[i]);
        let is_free = model.particles.inverse_masses[i] > 0.0;
        assert!(!is_free || moved.distance(expected) < 1e-6, "particle {i}: {moved} and {expected}");
    }
}
