//! What the ways to enforce strain limits have over each other: remembered impulses, the active set, edges, rates.

use crate::limits::{noise, swing};
use crate::sheet::{PLACES, Place, scene};
use glam::DVec3;
use sinew::cloth::sheets::{largest_violation, strains};
use sinew::cloth::stretch::{impulses, mode_gradients, polar};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::scene::{
    ClothShape, Collider, ColliderShape, Fabric, Limiter, SolverKind, StrainLimiting, StrainLimits,
};
use sinew::{Options, Precision, Simulation};

/// 10 % along the threads.
const TENTH: StrainLimits = StrainLimits { weft: [-0.9, 0.1], warp: [-0.9, 0.1], shear: 0.4 };

#[test]
fn the_gradients_of_the_modes_are_differences_of_the_stretch() {
    for k in 0..50 {
        let n = |c: u32| noise(20 * k + c);
        let corners = [0, 1, 2].map(|c| Vec3::<f64>::of([n(3 * c), n(3 * c + 1), 0.3 * n(3 * c + 2)]));
        // A right triangle of side 1, somewhere else in space.
        let corner = |c: usize| corners[c] * 0.2 + Vec3::of([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][c]);
        let shapes = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
        let stretch = |x: [Vec3<f64>; 3]| polar([x[1] - x[0], x[2] - x[0]]).unwrap();
        let x = [0, 1, 2].map(corner);
        let (u, r) = stretch(x);
        const STEP: f64 = 1e-6;
        for c in 0..3 {
            let gradients = mode_gradients(u, shapes[c]);
            for (axis, direction) in
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().enumerate()
            {
                let moved = |h: f64| {
                    let mut y = x;
                    y[c] += Vec3::of(direction) * h;
                    stretch(y).0
                };
                let (plus, minus) = (moved(STEP), moved(-STEP));
                for mode in 0..3 {
                    let found = r[0] * gradients[mode][0] + r[1] * gradients[mode][1];
                    let difference = (plus[mode] - minus[mode]) / (2.0 * STEP);
                    let along = [found.x, found.y, found.z][axis];
                    assert!((along - difference).abs() < 1e-8, "{k}: {along} and {difference}");
                }
            }
        }
    }
}

/// An impulse pulls only at the highest strain, pushes only at the lowest, and is given back inside.
#[test]
fn impulses_act_at_their_limits_only() {
    let shapes = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
    let (low, high) = (Vec3::of([-0.1; 3]), Vec3::of([0.1; 3]));
    let solve = |u: [f64; 3], before: [f64; 3]| {
        let gradients = shapes.map(|n| mode_gradients(u, n));
        impulses(&gradients, [1.0, 2.0, 3.0], u, [low, high], before, 1.0).0
    };
    assert_eq!(solve([1.05, 0.95, 0.05], [0.0; 3]), [0.0; 3]);
    let pulled = solve([1.2, 1.0, 0.0], [0.0; 3]);
    assert!(pulled[0] > 0.0 && pulled[1] == 0.0);
    assert!(solve([0.8, 1.0, 0.0], [0.0; 3])[0] < 0.0);
    assert_eq!(solve([1.0, 1.0, 0.0], [1e-3, 0.0, 0.0])[0], 0.0, "a load that has gone");
}

/// A sheet whose limits differ by thread is the same as one with turned threads and swapped limits. Of the filter, which corrects
/// a triangle's modes at once; impulses take weft before warp, and what they find differs until they have converged.
#[test]
fn turning_the_threads_and_swapping_their_limits_changes_nothing() {
    let run = |place: Place, solver: SolverKind, turned: bool| {
        let [tight, loose] = [[-0.2, 0.02], [-0.2, 0.1]];
        let [weft, warp] = if turned { [loose, tight] } else { [tight, loose] };
        let fabric = Fabric { limits: StrainLimits { weft, warp, shear: 0.1 }, ..Fabric::default() };
        let mut scene = scene([0.4, 0.4], [6, 6], fabric, 2e-4);
        scene.solver = solver;
        scene.strain_limiting =
            StrainLimiting { method: Limiter::Filter, iterations: 20, ..StrainLimiting::default() };
        let mut mesh = sinew::meshing::generate::grid([0.4, 0.4], [6, 6]);
        let texture = |x: &DVec3| if turned { [x.y, -x.x] } else { [x.x, x.y] };
        let corners = mesh.triangles.iter().map(|t| t.map(|v| texture(&mesh.positions[v as usize])));
        mesh.texture_coordinates = Some(corners.collect());
        scene.cloth[0].shape = ClothShape::Triangles(mesh);
        let mut model = Model::new(&scene).unwrap();
        for (k, x) in (0..).zip(&mut model.particles.positions) {
            *x = 1.15 * *x + 2e-3 * DVec3::new(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2));
        }
        let mut simulation = Simulation::from_model(model, &place.options()).unwrap();
        simulation.advance(1).unwrap();
        simulation.positions().unwrap()
    };
    let solvers = [SolverKind::Coloured, SolverKind::Jacobi];
    for (place, solver) in PLACES.into_iter().flat_map(|place| solvers.map(|solver| (place, solver))) {
        let (plain, other) = (run(place, solver, false), run(place, solver, true));
        let apart = plain.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{place:?} {solver:?}: {apart:.1e} m apart");
        assert!(apart < place.within(1e-9, 1e-5), "{place:?} {solver:?}: {apart} m apart");
    }
}

/// Iterations of a substep, iterations that ran out, and the worst violation in any frame of a swing.
fn swung(settings: StrainLimiting, solver: SolverKind) -> (f64, u32, f64) {
    let mut scene = swing(TENTH, solver);
    scene.strain_limiting = settings;
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
    let mut worst = 0.0f64;
    for _ in 0..60 {
        simulation.advance(1).unwrap();
        let x = simulation.model_positions().unwrap();
        worst = worst.max(largest_violation(simulation.model(), &x));
    }
    let counts = simulation.limit_iterations().unwrap().unwrap();
    (f64::from(counts.total) / f64::from(60 * scene.substeps), counts.unfinished, worst)
}

/// Thomaszewski's (2010) filter carries the load of a hanging sheet from triangle to triangle anew in every substep.
#[test]
fn remembered_impulses_need_fewer_iterations_and_hold_as_well() {
    let settings = |method| StrainLimiting { method, iterations: 300, ..StrainLimiting::default() };
    let (filter, ..) = swung(settings(Limiter::Filter), SolverKind::Coloured);
    let (impulses, unfinished, worst) = swung(settings(Limiter::Impulses), SolverKind::Coloured);
    println!(
        "filter {filter:.2} iterations a substep, impulses {impulses:.2}; largest violation {worst:.1e}"
    );
    assert!(impulses < 0.7 * filter, "{impulses} and {filter}");
    assert!(unfinished == 0 && worst < 2e-3, "{unfinished}, {worst}");
}

/// With limits of 2 % that all of the sheet hangs in, thirty iterations are far too few for the filter.
#[test]
fn remembered_impulses_hold_tight_limits_where_the_filter_fails() {
    let tight = StrainLimits { weft: [-0.9, 0.02], warp: [-0.9, 0.02], shear: 0.4 };
    let worst = |method| {
        let mut scene = swing(tight, SolverKind::Coloured);
        scene.substeps = 16;
        scene.strain_limiting = StrainLimiting { method, iterations: 30, ..StrainLimiting::default() };
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..40 {
            simulation.advance(1).unwrap();
            let x = simulation.model_positions().unwrap();
            worst = worst.max(largest_violation(simulation.model(), &x));
        }
        (worst, simulation.limit_iterations().unwrap().unwrap())
    };
    let (filter, impulses) = (worst(Limiter::Filter), worst(Limiter::Impulses));
    println!("largest violation: filter {filter:?}, impulses {impulses:?}");
    assert!(impulses.0 < 0.01, "{impulses:?}");
    assert!(impulses.0 < 0.2 * filter.0 && impulses.1.total < filter.1.total, "{filter:?} {impulses:?}");
}

#[test]
fn the_active_set_finds_the_same_and_visits_far_fewer_triangles() {
    let run = |active_set: bool| {
        let mut scene = swing(TENTH, SolverKind::Coloured);
        scene.strain_limiting = StrainLimiting {
            method: Limiter::Filter,
            iterations: 300,
            active_set,
            ..StrainLimiting::default()
        };
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
        simulation.advance(20).unwrap();
        let x = simulation.model_positions().unwrap();
        let violation = largest_violation(simulation.model(), &x);
        (x, simulation.limit_iterations().unwrap().unwrap(), simulation.limit_visits().unwrap(), violation)
    };
    let (all, counts, every_visit, _) = run(false);
    let (some, listed, visits, violation) = run(true);
    let apart = all.iter().zip(&some).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    println!("visits {every_visit} and {visits}; {counts:?}, {listed:?}; {apart:.1e} m apart");
    assert!(violation < 1.01e-3);
    assert!(apart < 1e-3, "{apart} m apart");
    assert!((visits as f64) < 0.6 * every_visit as f64, "{visits} of {every_visit}");
}

#[test]
fn edges_keep_edges_within_their_limit_whatever_the_threads_do() {
    let settings = StrainLimiting { method: Limiter::Edges, iterations: 300, ..StrainLimiting::default() };
    let mut scene = swing(TENTH, SolverKind::Coloured);
    scene.strain_limiting = settings;
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
    simulation.advance(30).unwrap();
    let x = simulation.model_positions().unwrap();
    let longest = simulation
        .model()
        .elements
        .iter()
        .flat_map(|e| &e.membranes)
        .flat_map(|m| {
            let rest = m.inverse_rest.inverse();
            let [a, b, c] = m.particles.map(|p| x[p as usize]);
            let lengths = [rest.x_axis, rest.y_axis, rest.y_axis - rest.x_axis].map(|edge| edge.length());
            [
                a.distance(b) / lengths[0] - 1.0,
                a.distance(c) / lengths[1] - 1.0,
                b.distance(c) / lengths[2] - 1.0,
            ]
        })
        .fold(0.0, f64::max);
    assert!(longest > 0.05 && longest < 0.1 + 1.01e-3, "{longest}");
}

/// A particle that was hit pulls at its triangles; they are slowed down to the rate of their limit, without a push.
#[test]
fn strains_change_no_faster_than_their_rate_allows() {
    let limits = StrainLimits { weft: [-0.9, 10.0], warp: [-0.9, 10.0], shear: 10.0 };
    let fabric =
        Fabric { limits, weft_modulus: 1.0, warp_modulus: 1.0, shear_modulus: 1.0, ..Fabric::default() };
    let dt = 1e-3;
    let mut scene = scene([0.4, 0.4], [4, 4], fabric, dt);
    const RATE: f64 = 0.02;
    scene.strain_limiting.rate = RATE;
    let mut model = Model::new(&scene).unwrap();
    model.particles.velocities[12] = DVec3::new(10.0, 4.0, 0.0);
    let given = model.particles.velocities[12] * model.particles.masses[12];
    let mut simulation = Simulation::from_model(model, &Options::cpu(Precision::F64)).unwrap();
    simulation.advance(1).unwrap();
    let before = simulation.model_positions().unwrap();
    let plain = Model::new(&scene).unwrap();
    let largest = |x: &[DVec3]| -> f64 { strains(&plain, x).map(|(_, [weft, ..])| weft).fold(0.0, f64::max) };
    let (x, v) = (before.clone(), simulation.model_velocities().unwrap());
    let after: Vec<DVec3> = x.iter().zip(&v).map(|(x, v)| *x + dt * *v).collect();
    let change = largest(&after) - largest(&before);
    println!("strain changes by {change:.4} in the next substep");
    assert!(change < 1.05 * RATE, "{change}");
    assert!((simulation.measure().unwrap().momentum - given).length() < 1e-9 * given.length());
}

/// Contacts that come after the limits of a substep have the last word: nothing is inside a ball that a sheet falls on. Limits that come last
/// are kept, and push what they pull together into it.
#[test]
fn limits_before_contacts_leave_nothing_inside_a_collider() {
    const RADIUS: f64 = 0.25;
    let limits = StrainLimits { weft: [-0.9, 0.01], warp: [-0.9, 0.01], shear: 0.05 };
    let run = |before_contacts: bool| {
        let mut scene = swing(limits, SolverKind::Coloured);
        scene.cloth[0].pin.clear();
        scene.cloth[0].position = DVec3::new(0.0, 0.3, 0.0);
        scene.collider =
            vec![Collider { shape: ColliderShape::Sphere { radius: RADIUS }, ..Collider::default() }];
        scene.strain_limiting = StrainLimiting { before_contacts, ..StrainLimiting::default() };
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
        let (mut depth, mut violation) = (0.0f64, 0.0f64);
        for _ in 0..60 {
            simulation.advance(1).unwrap();
            let x = simulation.model_positions().unwrap();
            depth = x.iter().map(|x| RADIUS - x.length()).fold(depth, f64::max);
            violation = violation.max(largest_violation(simulation.model(), &x));
        }
        println!("before contacts {before_contacts}: depth {depth:.1e} m, violation {violation:.1e}");
        [depth, violation]
    };
    let [depth, violation] = run(true);
    let [pushed, kept] = run(false);
    assert!(depth < 1e-6, "{depth} m inside");
    assert!(pushed > 10.0 * depth.max(1e-6), "limits that come last push {pushed} m into the ball");
    assert!(kept < 3e-3 && violation > kept, "{kept} and {violation}");
}

/// Colours in an order that is drawn for each iteration bring a sheet back as well as there and back.
#[test]
fn colours_may_come_in_any_order() {
    let run = |random_order: bool| {
        let mut scene =
            swing(StrainLimits { weft: [-0.9, 0.02], warp: [-0.9, 0.02], shear: 0.1 }, SolverKind::Coloured);
        scene.strain_limiting = StrainLimiting { random_order, ..StrainLimiting::default() };
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..30 {
            simulation.advance(1).unwrap();
            let x = simulation.model_positions().unwrap();
            worst = worst.max(largest_violation(simulation.model(), &x));
        }
        (worst, simulation.limit_iterations().unwrap().unwrap(), simulation.positions().unwrap())
    };
    let (there_and_back, turned, expected) = run(false);
    let (drawn, random, found) = run(true);
    println!("violation {there_and_back:.1e} in {turned:?}, drawn {drawn:.1e} in {random:?}");
    assert!(drawn < 3e-3 && there_and_back < 3e-3);
    assert!(found != expected, "the order is not another one");
}
