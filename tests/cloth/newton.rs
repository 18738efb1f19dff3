//! `integrator = "bdf2"`, Newton's method and the search along its steps.

use crate::blocks::noise;
use crate::sheet::{PLACES, Place, crumple, deform, lively, parity, pin, scene, vectors};
use glam::DVec3;
use sinew::compute::{Data, Executor, Run};
use sinew::model::Model;
use sinew::scene::{ClothModel, ConjugateGradients, Fabric, Integrator, Preconditioner, Scene};
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

/// A sheet of 1 m held by two corners, one step a frame.
fn hung(cells: u32, iterations: u32) -> Scene {
    let fabric = Fabric {
        weft_modulus: 2000.0,
        warp_modulus: 2000.0,
        shear_modulus: 500.0,
        poisson_ratio: 0.0,
        ..Fabric::default()
    };
    let mut scene = scene([1.0, 1.0], [cells, cells], fabric, 1.0 / 60.0);
    scene.gravity = DVec3::new(0.0, 0.0, -9.81);
    scene.integrator = Integrator::Bdf2;
    scene.preconditioner = Preconditioner::Multigrid;
    scene.conjugate_gradients = ConjugateGradients { iterations, tolerance: 1e-2 };
    scene.cloth[0].density = 0.2;
    scene.cloth[0].bending_stiffness = 1e-5;
    scene.cloth[0].pin = vec![pin(vec![0, cells])];
    scene
}

/// A crumpled sheet in which every term acts, with a pinned particle.
fn crumpled(model: ClothModel, integrator: Integrator, newton: u32) -> Model {
    let fabric =
        Fabric { shear_viscosity: 0.02, dilation_viscosity: 0.01, bending_damping: 1e-3, ..lively() };
    let mut scene = scene([0.4, 0.3], [8, 6], fabric, 2e-3);
    scene.integrator = integrator;
    scene.newton = Some(newton);
    scene.preconditioner = Preconditioner::Multigrid;
    scene.conjugate_gradients.iterations = 3;
    scene.cloth[0].model = model;
    scene.cloth[0].bending_stiffness = 1e-3;
    scene.cloth[0].pin = vec![pin(vec![35])];
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, crumple);
    let x = &model.particles.positions;
    model.particles.velocities = x.iter().map(|x| DVec3::new(2.0, -1.0, 3.0).cross(*x)).collect();
    model
}

#[test]
fn both_backends_agree_after_every_pass_of_newtons_method() {
    for integrator in [Integrator::Bdf2, Integrator::Implicit, Integrator::Static] {
        let largest = parity(&crumpled(ClothModel::Green, integrator, 2), 2, 2e-5);
        println!("{integrator:?}: largest relative difference {largest:.1e}");
    }
}

/// The sum of what the elements say of a step, and what the forces at its start do along it.
fn work(model: &Model, size: f64) -> (f64, f64) {
    let solver = Solver::new(model).unwrap();
    let mut executor = Place::F64.executor(&solver);
    let list = &solver.passes.list;
    let find = |name: &str, from: usize| {
        from + list[from..].iter().position(|pass| pass.kernel.name == name).unwrap()
    };
    let write = |executor: &mut dyn Executor, name: &str, values: Vec<f64>| {
        executor.write(solver.buffers.find(name).unwrap(), &Data::Reals(values)).unwrap();
    };
    let again = find("newton_start", find("search_decide", 0));
    executor.execute(&[Run { passes: 0..again, times: 1 }]).unwrap();
    let starts = vectors(&solver, executor.as_mut(), "offsets");
    let elements = again + 1..find("inertia", again);
    executor.execute(&[Run { passes: again..elements.end, times: 1 }]).unwrap();
    let step: Vec<DVec3> = noise(starts.len(), 1.3).into_iter().map(|d| d * size).collect();
    let corners = vectors(&solver, executor.as_mut(), "corner_forces");
    let lists = |name: &str, executor: &mut dyn Executor| {
        executor.read(solver.buffers.find(name).unwrap()).unwrap().uints().to_vec()
    };
    let (begins, slots) =
        (lists("corner_starts", executor.as_mut()), lists("corner_slots", executor.as_mut()));
    let mut forces = 0.0;
    for (i, step) in step.iter().enumerate() {
        for &slot in &slots[begins[i] as usize..begins[i + 1] as usize] {
            forces += corners[slot as usize].dot(*step);
        }
    }
    write(executor.as_mut(), "search_steps", step.iter().flat_map(|d| [d.x, d.y, d.z, 1.0]).collect());
    let energies = find("membrane_energy", again);
    let merit = find("search_merit", energies);
    executor.execute(&[Run { passes: energies..merit, times: 1 }]).unwrap();
    let found = executor.read(solver.buffers.find("corner_energies").unwrap()).unwrap();
    (found.reals().iter().sum(), forces)
}

/// Central differences in f64, with viscous forces: half of what steps to both sides differ by.
#[test]
fn forces_are_the_slope_of_the_energy_that_a_search_sees() {
    for kind in [ClothModel::Green, ClothModel::Corotational] {
        let mut model = crumpled(kind, Integrator::Bdf2, 2);
        // An orthotropic co-rotational law takes its rotation as known and is not quite a gradient.
        if kind == ClothModel::Corotational {
            for fabric in &mut model.fabrics {
                (fabric.warp_modulus, fabric.poisson_ratio) = (fabric.weft_modulus, 0.0);
                fabric.shear_modulus = 0.5 * fabric.weft_modulus;
            }
        }
        let (ahead, force) = work(&model, 1e-6);
        let (behind, _) = work(&model, -1e-6);
        let slope = 0.5 * (ahead - behind);
        println!("{kind:?}: {slope:e} by energies, {:e} by forces", -force);
        assert!((slope + force).abs() < 1e-6 * force.abs(), "{kind:?}: {slope:e}, {force:e}");
    }
}

/// Mean strain of the threads, and the lowest point.
fn strain_and_depth(simulation: &mut Simulation, cells: usize) -> (f64, f64) {
    let model = Model::new(&hung(cells as u32, 1)).unwrap();
    let rest = &model.particles.positions;
    let x = simulation.model_positions().unwrap();
    let edge = 1.0 / cells as f64;
    let (mut sum, mut count) = (0.0, 0);
    for membrane in model.elements.iter().flat_map(|e| &e.membranes) {
        let p = membrane.particles.map(|p| p as usize);
        for [i, j] in [[p[0], p[1]], [p[1], p[2]], [p[2], p[0]]] {
            if rest[i].distance(rest[j]) < 1.2 * edge {
                sum += (x[i].distance(x[j]) / rest[i].distance(rest[j]) - 1.0).abs();
                count += 1;
            }
        }
    }
    (sum / f64::from(count), x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min))
}

/// What is left after a second: mean strain then and in the worst frame, lowest point, and kinetic and potential energy with what they gained at
/// most [J]; all energy there is to swing with is 0.98 J.
fn swing(scene: &Scene, cells: usize) -> [f64; 5] {
    let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32)).unwrap();
    let (mut worst, mut gained) = (0.0f64, 0.0f64);
    let first = simulation.measure().unwrap();
    let mut last = [0.0; 3];
    for _ in 0..60 {
        simulation.advance(1).unwrap();
        let (strain, depth) = strain_and_depth(&mut simulation, cells);
        let energy = simulation.measure().unwrap().energy() - first.energy();
        (worst, gained) = (worst.max(strain), gained.max(energy));
        last = [strain, depth, energy];
    }
    [last[0], worst, last[1], last[2], gained]
}

#[test]
fn a_hung_sheet_swings_in_one_step_a_frame() {
    let cells = 32;
    let [strain, worst, depth, energy, gained] = swing(&hung(cells, 4), cells as usize);
    println!(
        "strain {:.3} % (worst {:.3} %), lowest {depth:.3} m, energy {energy:.3} J, gained {gained:.3} J",
        100.0 * strain,
        100.0 * worst
    );
    assert!(strain < 1e-3 && worst < 1e-2, "{strain}, {worst}");
    // Many small steps end at −0.16 m; backward Euler at one step a frame at −0.66 m, and loses 0.68 J.
    assert!((depth + 0.16).abs() < 0.06, "{depth}");
    assert!(energy > -0.25 * 0.98 && gained < 0.03 * 0.98, "{energy}, {gained}");
}

/// A stiff square that swings about one of its edges: how far it has turned after a third of a second, by substeps of a frame.
fn angle(substeps: u32) -> f64 {
    let fabric = Fabric { weft_modulus: 1e3, warp_modulus: 1e3, shear_modulus: 400.0, ..Fabric::default() };
    let mut scene = scene([0.5, 0.5], [1, 1], fabric, 1.0 / 60.0);
    scene.gravity = DVec3::new(0.0, 0.0, -9.81);
    scene.integrator = Integrator::Bdf2;
    scene.substeps = substeps;
    scene.newton = Some(4);
    scene.conjugate_gradients = ConjugateGradients { iterations: 3, tolerance: 1e-10 };
    scene.cloth[0].density = 0.2;
    scene.cloth[0].bending_stiffness = 0.1;
    scene.cloth[0].pin = vec![pin(vec![0, 1])];
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
    let middle = |x: &[DVec3]| 0.5 * (x[2] + x[3]);
    let start = simulation.positions().unwrap();
    let (hinge, across) = (0.5 * (start[0] + start[1]), middle(&start) - 0.5 * (start[0] + start[1]));
    simulation.advance(20).unwrap();
    let arm = middle(&simulation.positions().unwrap()) - hinge;
    (-arm.z).atan2(arm.dot(across.normalize()))
}

#[test]
fn halving_the_step_quarters_the_error_of_a_swing() {
    let [coarse, fine, finer, last, finest] = [2, 4, 8, 16, 32].map(angle);
    // What is left of the error of second order is taken out.
    let exact = finest + (finest - last) / 3.0;
    let [coarse, fine, finer] = [coarse, fine, finer].map(|angle| angle - exact);
    let [first, second] = [coarse / fine, fine / finer];
    println!("{exact:.6} rad; errors {coarse:.2e}, {fine:.2e}, {finer:.2e}: ratios {first:.2}, {second:.2}");
    for ratio in [first, second] {
        assert!((3.5..4.5).contains(&ratio), "{ratio}");
    }
}

/// One iteration is far from the solution, and rounding does not move the whole either.
#[test]
fn a_free_sheet_keeps_its_momentum_however_early_the_solver_stops() {
    for (integrator, newton) in [(Integrator::Implicit, 1), (Integrator::Implicit, 2), (Integrator::Bdf2, 2)]
    {
        for place in PLACES {
            let mut model = crumpled(ClothModel::Green, integrator, newton);
            model.settings.gravity = DVec3::ZERO;
            model.settings.conjugate_gradients.iterations = 1;
            model.particles.inverse_masses = model.particles.masses.iter().map(|m| 1.0 / m).collect();
            model.pins.clear();
            model.particles.velocities.iter_mut().for_each(|v| *v += DVec3::new(1.0, 2.0, -1.0));
            let mut simulation = Simulation::from_model(model, &place.options()).unwrap();
            let before = simulation.measure().unwrap().momentum;
            simulation.advance(20).unwrap();
            let change = (simulation.measure().unwrap().momentum - before).length() / before.length();
            println!("{integrator:?}, {newton} steps, {place:?}: momentum changes by {change:.1e}");
            assert!(change < place.within(1e-12, 1e-6), "{integrator:?}, {place:?}: {change}");
        }
    }
}

#[test]
fn a_far_body_changes_no_bit_of_a_search() {
    let alone = hung(12, 4);
    let state = |scene: &Scene, body: usize| {
        let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32)).unwrap();
        simulation.advance(15).unwrap();
        let model = Model::new(scene).unwrap();
        let range = model.bodies[body].particles.clone();
        simulation.model_positions().unwrap()[range.start as usize..range.end as usize].to_vec()
    };
    let expected = state(&alone, 0);
    for first in [false, true] {
        let mut other = alone.clone();
        let mut far = hung(5, 4).cloth.remove(0);
        far.name = "far".into();
        far.position = DVec3::new(1000.0, 0.0, 0.0);
        // Its own search halves steps that the other one's does not.
        far.fabric.weft_modulus = 1e5;
        far.velocity = DVec3::new(30.0, 0.0, 20.0);
        other.cloth.insert(usize::from(!first), far);
        assert_eq!(state(&other, usize::from(first)), expected, "added first: {first}");
    }
}

/// The past of two-step differentiation is state.
#[test]
fn a_saved_swing_goes_on_as_if_it_had_not_been_saved() {
    let start = || Simulation::new(&hung(6, 4), &Options::cpu(Precision::F32)).unwrap();
    let (mut whole, mut first, mut second) = (start(), start(), start());
    whole.advance(12).unwrap();
    first.advance(7).unwrap();
    let state = first.state().unwrap().clone();
    second.restore(&state).unwrap();
    second.advance(5).unwrap();
    assert_eq!(whole.model_positions().unwrap(), second.model_positions().unwrap());
    assert_eq!(whole.model_velocities().unwrap(), second.model_velocities().unwrap());
}

#[test]
fn bad_keys_of_newtons_method_are_refused_with_a_cure() {
    let sheet = "[[cloth]]\nmodel = \"green\"\ngrid = { size = [1, 1], cells = [2, 2] }\n";
    for (line, said) in [
        ("newton = 0", "`newton` is 0; it must be from 1 to 10"),
        ("newton = 11", "`newton` is 11; it must be from 1 to 10"),
        ("integrator = \"midpoint\"\nnewton = 2", "goes with `integrator = \"implicit\"`"),
        ("integrator = \"bdf2\"\n[[cloth]]\ngrid = { size = [1, 1], cells = [2, 2] }", "no body has forces"),
    ] {
        let text = format!("format = 1\n{line}\n{}", if line.contains("[[") { "" } else { sheet });
        let error = Scene::parse(&text, "test.toml", "").unwrap_err().to_string();
        assert!(error.contains(said), "{line}: {error}");
    }
}
