//! What internal constraints may not change: momentum, angular momentum, and energy upwards.

use crate::common::*;
use glam::DVec3;
use sinew::measure::measure;
use sinew::model::Model;
use sinew::model::elements::{Elements, Hinge, IsometricHinge};
use sinew::scene::{
    Bending, Cloth, ClothShape, Edge, Masses, Pin, Points, PointsShape, Scene, Selector, SolverKind,
    motion as movement,
};

/// The families of internal constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    Distance,
    Dihedral,
    Isometric,
    Area,
    Volume,
    All,
}

const FAMILIES: [Family; 6] =
    [Family::Distance, Family::Dihedral, Family::Isometric, Family::Area, Family::Volume, Family::All];

fn settings(solver: SolverKind, substeps: u32, iterations: u32) -> Scene {
    Scene { gravity: DVec3::ZERO, solver, substeps, iterations, ..Default::default() }
}

/// A sheet of 4 × 4 cells with one bending law.
fn sheet(bending: Bending) -> Cloth {
    Cloth {
        shape: ClothShape::Grid { size: [0.4, 0.4], cells: [4, 4] },
        position: DVec3::new(0.2, 0.1, -0.3),
        rotation: DVec3::new(20.0, 30.0, 40.0),
        bending,
        bending_stiffness: 0.01,
        area_stiffness: 300.0,
        ..Default::default()
    }
}

/// A cube of 0.3 m cut into five tetrahedra.
fn cube() -> Points {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 0.3;
    Points {
        shape: PointsShape::List {
            points: (0..8).map(corner).collect(),
            masses: Masses::List((0..8).map(|i| 0.01 + 0.003 * f64::from(i)).collect()),
            links: vec![[0, 7], [1, 6], [2, 5], [3, 4]],
            triangles: vec![],
            tetrahedra: vec![[0, 3, 5, 6], [0, 1, 3, 5], [0, 3, 2, 6], [0, 5, 6, 4], [3, 5, 6, 7]],
        },
        compliance: 1e-3,
        volume_compliance: 1e-7,
        ..Default::default()
    }
}

/// Bodies that float freely, with random velocities up to 1 m/s and only one family of constraints.
fn floating(family: Family, scene: Scene) -> Model {
    let mut scene = scene;
    if family != Family::Volume {
        scene.cloth.push(sheet(Bending::Dihedral));
    }
    if matches!(family, Family::Volume | Family::All) {
        scene.points.push(cube());
    }
    let mut model = Model::new(&scene).unwrap();
    if matches!(family, Family::Isometric | Family::All) {
        // The same sheet with the other law, particle by particle.
        let other =
            Model::new(&Scene { cloth: vec![sheet(Bending::Isometric)], ..Scene::default() }).unwrap();
        model.elements[0].isometric = other.elements[0].isometric.clone();
    }
    for elements in &mut model.elements {
        keep_only(family, elements);
    }
    let mut random = Random::new(7);
    model.particles.velocities.iter_mut().for_each(|v| *v = random.vector());
    model
}

fn keep_only(family: Family, elements: &mut Elements) {
    let all = std::mem::take(elements);
    match family {
        Family::Distance => elements.links = all.links,
        Family::Dihedral => elements.hinges = all.hinges,
        Family::Isometric => elements.isometric = all.isometric,
        Family::Area => elements.areas = all.areas,
        Family::Volume => elements.volumes = all.volumes,
        Family::All => *elements = all,
    }
}

/// Momentum over Σ m|v| and angular momentum over Σ m|x||v|, about the origin.
struct Motion {
    momentum: DVec3,
    angular_momentum: DVec3,
    momentum_scale: f64,
    angular_scale: f64,
}

fn motion(model: &Model, x: &[DVec3], v: &[DVec3]) -> Motion {
    let measures = measure(model, x, v, &model.particles.inverse_masses);
    let each = || x.iter().zip(v).zip(&model.particles.masses);
    Motion {
        momentum: measures.momentum,
        angular_momentum: measures.angular_momentum,
        momentum_scale: each().map(|((_, v), m)| m * v.length()).sum(),
        angular_scale: each().map(|((x, v), m)| m * x.length() * v.length()).sum(),
    }
}

/// The changes of momentum and angular momentum since the start, relative to their scales then, at `times` moments
/// that are `steps` apart.
fn drifts(backend: &TestBackend, model: Model, times: u32, steps: u32) -> Vec<(DVec3, DVec3)> {
    // The start as the model has it: a backend's positions begin without what f32 cannot hold.
    let before = motion(&model, &model.particles.positions, &model.particles.velocities);
    let mut simulation = backend.simulate_model(model);
    (0..times)
        .map(|_| {
            simulation.advance(steps).unwrap();
            let (x, v) = (simulation.positions().unwrap(), simulation.velocities().unwrap());
            let model = simulation.model();
            let after = motion(model, &model.order.apply(&x), &model.order.apply(&v));
            (
                (after.momentum - before.momentum) / before.momentum_scale,
                (after.angular_momentum - before.angular_momentum) / before.angular_scale,
            )
        })
        .collect()
}

#[test]
fn every_family_conserves_momentum_to_rounding() {
    /// Each substep rounds each particle's velocity a handful of times in either direction. Over 500 substeps and the
    /// particles of a body these walk at random: √500 · a few, and with a margin 100 roundings of Σ m|v|.
    const ROUNDINGS: f64 = 100.0;
    for (backend, solver, name) in backends_and_solvers() {
        for family in FAMILIES {
            let model = floating(family, settings(solver, 5, 2));
            let (momentum, _) = drifts(&backend, model, 1, 100)[0];
            assert_below(
                momentum.length(),
                ROUNDINGS * backend.rounding,
                &format!("{name}, {family:?}: momentum"),
            );
        }
    }
}

/// An implicit step conserves angular momentum only in the limit: the forces have no torque about the positions at
/// the end of the substep, while v = Δx/dt belongs to the whole of it, which leaves dt² Σ v × F a substep. So what is
/// lost is in proportion to the substep, and the same in every arithmetic.
#[test]
fn angular_momentum_is_lost_in_proportion_to_the_substep_and_not_to_rounding() {
    /// A quarter of the substep leaves a quarter of the loss, a third with what is left of higher orders.
    const SHARE: f64 = 1.0 / 3.0;
    /// What 0.1 ms lose in 20 ms of tumbling at 1 m/s, of Σ m|x||v|.
    const LOSS: f64 = 1e-4;
    /// f32 against f64, in roundings of Σ m|x||v|: 200 substeps, grown by the deformation.
    const ROUNDINGS: f64 = 200.0;
    for solver in SOLVERS {
        for family in FAMILIES {
            // The stiffest mode has ω = 2/h √(Y/σ) = 1,400/s: substeps short enough to resolve it.
            let run = |backend: &TestBackend, substeps: u32| -> Vec<DVec3> {
                let model = floating(family, Scene { time_step: 1e-4, ..settings(solver, substeps, 2) });
                drifts(backend, model, 10, 20).into_iter().map(|(_, angular)| angular).collect()
            };
            let name = format!("{solver:?}, {family:?}");
            let largest = |drifts: &[DVec3]| drifts.iter().map(|d| d.length()).fold(0.0, f64::max);
            let [whole, coarse, fine] = [1, 16, 64].map(|substeps| run(&truth(), substeps));
            assert_below(largest(&whole), LOSS, &format!("{name}: loss at 100 µs"));
            // Below the rounding of f64 there is nothing left to lose.
            let limit = (SHARE * largest(&coarse)).max(1000.0 * truth().rounding);
            assert_below(largest(&fine), limit, &format!("{name}: loss at 1.6 µs against 6 µs"));
            let [f32_cpu, _, gpu] = backends();
            for backend in [f32_cpu, gpu] {
                let error = largest_distance(&run(&backend, 1), &whole);
                assert_below(
                    error,
                    ROUNDINGS * F32_ROUNDING,
                    &format!("{name}: {} against f64", backend.name),
                );
            }
        }
    }
}

/// The torque of one substep's corrections about the places where the constraints were evaluated, over its parts. One
/// iteration of Jacobi evaluates all of them where the velocities lead, x + dt v; the coloured solver does so for
/// bodies of one element.
fn torque(backend: &TestBackend, model: Model) -> f64 {
    let dt = model.settings.time_step;
    let x = model.order.undo(&model.particles.positions);
    let mut simulation = backend.simulate_model(model);
    let v = simulation.velocities().unwrap();
    let masses = simulation.model().order.undo(&simulation.model().particles.masses);
    simulation.step().unwrap();
    // Impulses from velocities: positions would lose their digits.
    let after = simulation.velocities().unwrap();
    let (mut sum, mut parts) = (DVec3::ZERO, 0.0);
    for i in 0..x.len() {
        let impulse = masses[i] * (after[i] - v[i]);
        let torque = (x[i] + dt * v[i]).cross(impulse);
        sum += torque;
        parts += torque.length();
    }
    assert!(parts > 0.0, "the constraints act");
    sum.length() / parts
}

/// Keeps the first element of the family only.
fn first_element(elements: &mut Elements) {
    elements.links.truncate(1);
    elements.hinges.truncate(1);
    elements.isometric.truncate(1);
    elements.areas.truncate(1);
    elements.volumes.truncate(1);
}

#[test]
fn corrections_have_no_torque_about_the_places_where_they_were_found() {
    /// A correction is a share of Δx, so that its own rounding is that of v over the share: velocities of 1 m/s
    /// change by some per cent of themselves here, so that a rounding counts up to a hundredfold.
    const ROUNDINGS: f64 = 200.0;
    for (backend, solver, name) in backends_and_solvers() {
        for family in FAMILIES {
            let single = solver == SolverKind::Coloured;
            if single && family == Family::All {
                continue;
            }
            let mut model = floating(family, Scene { time_step: 2e-3, ..settings(solver, 1, 1) });
            if single {
                model.elements.iter_mut().for_each(first_element);
            }
            // Soft constraints of a flat sheet have nothing to do yet: bend it.
            let mut random = Random::new(3);
            model.particles.positions.iter_mut().for_each(|x| *x += 0.02 * random.vector());
            let torque = torque(&backend, model);
            assert_below(torque, ROUNDINGS * backend.rounding, &format!("{name}, {family:?}: torque"));
        }
    }
}

/// With several iterations c × Δλ of quadratic bending vanishes only as λ turns parallel to c. The doc of `isometric`
/// says so; this measures what is left.
#[test]
fn isometric_bending_loses_its_torque_as_iterations_converge() {
    for solver in SOLVERS {
        let left = [2, 8, 64, 512].map(|iterations| {
            let mut model =
                floating(Family::Isometric, Scene { time_step: 2e-3, ..settings(solver, 1, iterations) });
            let mut random = Random::new(3);
            model.particles.positions.iter_mut().for_each(|x| *x += 0.02 * random.vector());
            torque_at_end(&truth(), model)
        });
        println!("{solver:?}: torque about the end over its parts, 2, 8, 64, 512 iterations: {left:?}");
        assert_below(left[3], 1e-9, &format!("{solver:?}: converged"));
    }
}

/// As [`torque`] about the places at the end of the step, where a converged constraint is evaluated.
fn torque_at_end(backend: &TestBackend, model: Model) -> f64 {
    let mut simulation = backend.simulate_model(model);
    let v = simulation.velocities().unwrap();
    let masses = simulation.model().order.undo(&simulation.model().particles.masses);
    simulation.step().unwrap();
    let (x, after) = (simulation.positions().unwrap(), simulation.velocities().unwrap());
    let torques = (0..x.len()).map(|i| x[i].cross(masses[i] * (after[i] - v[i])));
    let (sum, parts) = torques.fold((DVec3::ZERO, 0.0), |(sum, parts), t| (sum + t, parts + t.length()));
    sum.length() / parts
}

/// An element of each bending law stores what its formula says, so that the energies below mean something.
#[test]
fn the_two_bending_laws_store_the_same_energy_at_small_angles() {
    let models = [Bending::Dihedral, Bending::Isometric].map(|bending| {
        let mut model = Model::new(&Scene { cloth: vec![sheet(bending)], ..Scene::default() }).unwrap();
        model.elements[0].links.clear();
        model.elements[0].areas.clear();
        model
    });
    let [hinges, quadratic] = &models;
    let pairs = hinges.elements[0].hinges.iter().zip(&quadratic.elements[0].isometric);
    assert!(pairs.clone().count() > 0);
    for (Hinge { particles: a, .. }, IsometricHinge { particles: b, .. }) in pairs {
        assert_eq!(a, b);
    }
    let mut random = Random::new(11);
    let normal = movement::rotation(sheet(Bending::None).rotation) * DVec3::Z;
    let x: Vec<DVec3> =
        hinges.particles.positions.iter().map(|x| *x + 1e-4 * random.signed() * normal).collect();
    let v = vec![DVec3::ZERO; x.len()];
    let [a, b] =
        models.each_ref().map(|model| measure(model, &x, &v, &model.particles.inverse_masses).elastic_energy);
    assert_close(a, b, 1e-4, "dihedral and isometric energy [J]");
}

#[test]
fn an_undamped_net_never_gains_energy() {
    /// Rounding may lift the energy by about one rounding of it per substep in which nothing else happens; 6,000
    /// substeps in the worst case.
    const ROUNDINGS: f64 = 6000.0;
    // Implicit steps of 1/600 s damp the stiff modes out (ω² dt a second, ω up to 2/h √(Y/ρ) = 450/s) and leave the slow
    // swing of about ω = 4/s, which loses 2.6 % a second on its own and more by exciting the stiff ones. That is the
    // property of a converged step: two iterations of Jacobi are not enough here and gain 0.1 % now and then.
    for (backend, solver, name) in backends_and_solvers() {
        let scene = Scene {
            solver,
            iterations: 4,
            cloth: vec![Cloth {
                shape: ClothShape::Grid { size: [0.6, 0.6], cells: [6, 6] },
                rotation: DVec3::new(60.0, 0.0, 0.0),
                stretch_stiffness: 100.0,
                shear_stiffness: 50.0,
                bending: Bending::None,
                pin: vec![Pin { selector: Selector::Edge(Edge::Top), ..Default::default() }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        // Weight times height: what the swing turns over.
        let scale = scene.cloth[0].density * 0.36 * G * 0.6;
        let start = simulation.measure().unwrap().energy();
        let mut energies = vec![start];
        for _ in 0..40 {
            simulation.advance(15).unwrap();
            energies.push(simulation.measure().unwrap().energy());
        }
        let gain = energies.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::NEG_INFINITY, f64::max);
        println!(
            "{name}: energy {:.4} J at 0 s, {:.4} at 1 s, {:.4} at 10 s",
            start, energies[4], energies[40]
        );
        assert_below(
            gain,
            ROUNDINGS * backend.rounding * scale,
            &format!("{name}: largest gain in 0.25 s [J]"),
        );
    }
}
