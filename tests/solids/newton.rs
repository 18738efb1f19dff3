//! Newton's method for solids: the energies that its search sees.

use super::blocks::noise;
use super::kernels::{TOLERANCE, everything, gpu};
use glam::DVec3;
use sinew::compute::{CpuExecutor, Data, Executor, GpuExecutor, Run, compare_runs};
use sinew::model::Model;
use sinew::scene::{Integrator, Preconditioner, SolidModel, SolverKind};
use sinew::solver::Solver;

/// A scene of all models, with loads and damping.
fn all(integrator: Integrator) -> Model {
    let mut scene = everything(integrator, SolverKind::Coloured);
    scene.newton = Some(2);
    scene.preconditioner = Preconditioner::Multigrid;
    scene.conjugate_gradients.iterations = 2;
    Model::new(&scene).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_pass_of_newtons_method_matches_its_twin() {
    for integrator in [Integrator::Bdf2, Integrator::Static] {
        let solver = Solver::new(&all(integrator)).unwrap();
        let mut device = GpuExecutor::new(&gpu(), &solver.buffers, &solver.passes).unwrap();
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let largest =
            compare_runs(&solver.buffers, &solver.passes, 1, [&mut cpu, &mut device], TOLERANCE).unwrap();
        let largest = largest.unwrap_or_else(|difference| panic!("{integrator:?}: {difference}"));
        println!("{integrator:?}: largest difference {largest:.1e}");
    }
}

/// The energies of a step at each particle's corners, and what the forces at its start do along it.
fn work(model: &Model, size: f64) -> Vec<(f64, f64)> {
    let solver = Solver::new(model).unwrap();
    let mut executor = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
    let list = &solver.passes.list;
    let find = |name: &str, from: usize| {
        from + list[from..].iter().position(|pass| pass.kernel.name == name).unwrap()
    };
    let buffer = |name: &str| solver.buffers.find(name).unwrap();
    let again = find("newton_start", find("search_decide", 0));
    executor.execute(&[Run { passes: 0..find("inertia", again), times: 1 }]).unwrap();
    let vectors = |data: &Data| data.reals().chunks_exact(4).map(DVec3::from_slice).collect::<Vec<_>>();
    let corners = vectors(&executor.read(buffer("corner_forces")).unwrap());
    let step: Vec<DVec3> = noise(model.particle_count(), 1.3).into_iter().map(|d| d * size).collect();
    let values = step.iter().flat_map(|d| [d.x, d.y, d.z, 1.0]).collect();
    executor.write(buffer("search_steps"), &Data::Reals(values)).unwrap();
    let first = find("inertia", again)
        + list[find("inertia", again)..]
            .iter()
            .position(|pass| pass.kernel.name.ends_with("_energy"))
            .unwrap();
    executor.execute(&[Run { passes: first..find("search_merit", first), times: 1 }]).unwrap();
    let energies = executor.read(buffer("corner_energies")).unwrap();
    let (starts, slots) =
        (executor.read(buffer("corner_starts")).unwrap(), executor.read(buffer("corner_slots")).unwrap());
    let (starts, slots) = (starts.uints(), slots.uints());
    // By body.
    let body = |range: &std::ops::Range<u32>| {
        let mut sums = (0.0, 0.0);
        for i in range.clone().map(|i| i as usize) {
            for &slot in &slots[starts[i] as usize..starts[i + 1] as usize] {
                sums.0 += energies.reals()[slot as usize];
                sums.1 += corners[slot as usize].dot(step[i]);
            }
        }
        sums
    };
    model.bodies.iter().map(|b| body(&b.particles)).collect()
}

/// Central differences in f64, with Rayleigh's damping and loads.
#[test]
fn forces_of_solids_are_the_slope_of_the_energy_that_a_search_sees() {
    let model = all(Integrator::Bdf2);
    let mut compared = 0;
    for ((ahead, behind), body) in work(&model, 1e-7)
        .into_iter()
        .zip(work(&model, -1e-7))
        .zip(&model.bodies)
        .take(SolidModel::NAMES.len() + 1)
    {
        if ahead.1 == 0.0 {
            continue;
        }
        let slope = 0.5 * (ahead.0 - behind.0);
        println!("{}: {slope:e} by energies, {:e} by forces", body.name, -ahead.1);
        assert!((slope + ahead.1).abs() < 1e-5 * ahead.1.abs(), "{}: {slope:e}, {:e}", body.name, -ahead.1);
        compared += 1;
    }
    assert!(compared >= 4, "only {compared} bodies");
}
