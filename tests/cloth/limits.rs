//! Strain limits of finite-element sheets: limits that hold, momenta that stay, and both backends.

use crate::sheet::{PLACES, Place, parity, pin, scene};
use glam::DVec3;
use sinew::cloth::sheets::{largest_violation, strains};
use sinew::model::Model;
use sinew::scene::{Fabric, Limiter, Scene, SolverKind, StrainLimiting, StrainLimits};
use sinew::{Options, Precision, Simulation};

pub const LIMITS: StrainLimits = StrainLimits { weft: [-0.3, 0.1], warp: [-0.3, 0.1], shear: 0.2 };

/// Numbers in −1 … 1 that look random.
pub fn noise(k: u32) -> f64 {
    let x = f64::from(k) * 12.9898 + 4.1414;
    2.0 * (43758.5453 * x.sin()).rem_euclid(1.0) - 1.0
}

/// A free sheet stretched by a share of its size, with noise, in a substep of its own.
fn overstretched(settings: StrainLimiting, solver: SolverKind, cells: u32, by: f64) -> Model {
    let fabric = Fabric { limits: LIMITS, ..Fabric::default() };
    let mut scene = scene([0.4, 0.4], [cells, cells], fabric, 2e-4);
    scene.solver = solver;
    scene.strain_limiting = settings;
    let mut model = Model::new(&scene).unwrap();
    for (k, x) in model.particles.positions.iter_mut().enumerate() {
        let k = k as u32;
        *x = (1.0 + by) * *x + 0.01 * by * DVec3::new(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2));
    }
    model
}

/// Every way to enforce limits on triangles.
fn methods() -> Vec<(Limiter, SolverKind, bool)> {
    vec![
        (Limiter::Filter, SolverKind::Coloured, false),
        (Limiter::Filter, SolverKind::Coloured, true),
        (Limiter::Filter, SolverKind::Jacobi, false),
        (Limiter::Impulses, SolverKind::Coloured, false),
        (Limiter::Impulses, SolverKind::Jacobi, false),
    ]
}

#[test]
fn an_overstretched_sheet_is_brought_back_and_keeps_its_momenta() {
    // Everything beyond by a tenth, and what noise has put beyond.
    let cases: [(f64, f64); 2] = [(0.2, 1e-3), (0.1005, 1e-5)];
    for (((method, solver, active_set), (by, tolerance)), place) in methods()
        .into_iter()
        .flat_map(|method| cases.map(|case| (method, case)))
        .flat_map(|case| PLACES.map(|place| (case, place)))
    {
        // In f32 the impulses of neighbours come to rest some 6e-5 of strain from their limits.
        let coarse = method == Limiter::Impulses && place != Place::F64;
        let tolerance = if coarse { tolerance.max(1e-4) } else { tolerance };
        let settings =
            StrainLimiting { method, iterations: 2000, tolerance, active_set, ..StrainLimiting::default() };
        let model = overstretched(settings, solver, 8, by);
        let beyond = largest_violation(&model, &model.particles.positions);
        assert!(beyond > by - 0.1);
        let mut simulation = Simulation::from_model(model, &place.options()).unwrap();
        simulation.advance(1).unwrap();
        let x = simulation.model_positions().unwrap();
        let violation = largest_violation(simulation.model(), &x);
        let counts = simulation.limit_iterations().unwrap().unwrap();
        let m = simulation.measure().unwrap();
        let masses = &simulation.model().particles.masses.clone();
        let v = simulation.model_velocities().unwrap();
        let size: f64 = v.iter().zip(masses).map(|(v, m)| m * v.length()).sum();
        println!(
            "{place:?} {method:?} {solver:?} {active_set}: violation {violation:.2e} after {counts:?}, momentum {:.1e}, angular {:.1e}",
            m.momentum.length() / size,
            m.angular_momentum.length() / (0.2 * size)
        );
        assert!(violation < 1.01 * tolerance, "{violation}");
        assert_eq!(counts.unfinished, 0);
        assert!(m.momentum.length() < place.within(1e-12, 1e-6) * size);
        // Each correction keeps the moment about where it began, which differs from the end by the correction itself.
        assert!(m.angular_momentum.length() < 0.1 * beyond * 0.2 * size);
    }
}

/// About where particles are before a pass, it changes neither momentum; over a whole substep they have moved meanwhile.
#[test]
fn no_pass_of_the_limits_changes_the_momentum_or_its_moment() {
    const ITERATIONS: u32 = 3;
    for ((method, solver, active_set), place) in
        methods().into_iter().flat_map(|method| PLACES.map(|place| (method, place)))
    {
        let settings =
            StrainLimiting { method, iterations: ITERATIONS, active_set, ..StrainLimiting::default() };
        let model = overstretched(settings, solver, 5, 0.2);
        let masses = model.particles.masses.clone();
        let mut simulation = Simulation::from_model(model, &place.options()).unwrap();
        let names: Vec<&str> = simulation.solver().passes.list.iter().map(|pass| pass.kernel.name).collect();
        let finish = names.iter().position(|name| *name == "finish").unwrap();
        let first =
            names.iter().position(|name| name.starts_with("limit_") || *name == "strain_limit").unwrap();
        (0..first).for_each(|pass| simulation.run_pass(pass).unwrap());
        let mut before = simulation.positions_after(first - 1).unwrap();
        let (mut moved, mut total, mut worst) = (0, 0.0, 0.0f64);
        for pass in first..finish {
            simulation.run_pass(pass).unwrap();
            let after = simulation.positions_after(pass).unwrap();
            let (mut momentum, mut moment, mut size) = (DVec3::ZERO, DVec3::ZERO, 0.0);
            for ((x, y), m) in before.iter().zip(&after).zip(&masses) {
                momentum += *m * (*y - *x);
                moment += *m * x.cross(*y - *x);
                size += m * x.distance(*y);
            }
            moved += usize::from(size > 0.0);
            total += size;
            worst = worst.max(momentum.length()).max(moment.length() / 0.2);
            before = after;
        }
        // Late passes move so little that rounding of the whole way is much of it.
        let worst = worst / total;
        println!("{place:?} {method:?} {solver:?} {active_set}: {worst:.1e} in {moved} passes");
        assert!(moved >= ITERATIONS as usize && worst < place.within(1e-12, 1e-6), "{place:?}: {worst}");
    }
}

#[test]
fn both_backends_agree_after_every_pass_of_the_strain_limits() {
    let edges = (Limiter::Edges, SolverKind::Coloured, false);
    for (method, solver, active_set) in methods().into_iter().chain([edges]) {
        let settings =
            StrainLimiting { method, iterations: 4, active_set, rate: 0.01, ..StrainLimiting::default() };
        let mut model = overstretched(settings, solver, 6, 0.2);
        // Held corners, one and two to a triangle.
        for particle in [0, 5, 6, 20, 21] {
            model.particles.inverse_masses[particle] = 0.0;
        }
        let largest = parity(&model, 2, 1e-5);
        println!("{method:?} {solver:?} {active_set}: largest relative difference {largest:.1e}");
    }
}

/// A weak sheet that swings from two corners.
pub fn swing(limits: StrainLimits, solver: SolverKind) -> Scene {
    let fabric = Fabric {
        weft_modulus: 100.0,
        warp_modulus: 100.0,
        shear_modulus: 30.0,
        shear_viscosity: 0.05,
        limits,
        ..Fabric::default()
    };
    let mut scene = scene([1.0, 1.0], [16, 16], fabric, 1.0 / 60.0);
    scene.substeps = 8;
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    scene.integrator = sinew::scene::Integrator::Implicit;
    scene.solver = solver;
    scene.cloth[0].rotation = DVec3::new(-90.0, 0.0, 0.0);
    scene.cloth[0].pin = vec![pin(vec![0, 16])];
    scene
}

#[test]
fn limits_hold_in_every_frame_of_a_swing_to_one_per_cent_of_strain() {
    let limits = StrainLimits { weft: [-0.9, 0.1], warp: [-0.9, 0.1], shear: 0.4 };
    let mut without =
        Simulation::new(&swing(StrainLimits::NONE, SolverKind::Coloured), &Options::cpu(Precision::F32))
            .unwrap();
    without.advance(40).unwrap();
    let x = without.model_positions().unwrap();
    let free = strains(without.model(), &x).map(|(_, [weft, warp, _])| weft.max(warp)).fold(0.0, f64::max);
    let mut simulation =
        Simulation::new(&swing(limits, SolverKind::Coloured), &Options::cpu(Precision::F32)).unwrap();
    let mut worst = 0.0f64;
    for _ in 0..60 {
        simulation.advance(1).unwrap();
        let x = simulation.model_positions().unwrap();
        worst = worst.max(largest_violation(simulation.model(), &x));
    }
    let counts = simulation.limit_iterations().unwrap().unwrap();
    println!("largest strain without limits {free:.3}, largest violation with them {worst:.2e}, {counts:?}");
    assert!(free > 0.12, "the sheet of this test needs limits: {free}");
    assert!(worst < 0.01, "{worst}");
}

#[test]
fn limits_that_cannot_be_are_refused() {
    for (text, words) in [
        ("limits = { weft = [0.1, 0.05] }", "`weft`"),
        ("limits = { warp = [-1.5, 0.05] }", "`warp`"),
        ("limits = { shear = -0.1 }", "`shear`"),
        ("limits = { weft = 0.1 }", "an array of 2 numbers"),
    ] {
        let whole = format!(
            "format = 1\n[[cloth]]\ngrid = {{ size = [1, 1], cells = [4, 4] }}\nmodel = \"green\"\nfabric = {{ {text} }}\n"
        );
        let error = Scene::parse(&whole, "test.toml", "").expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// Whatever limits a sheet, what a sheet a kilometre away still has to correct is not its affair.
#[test]
fn a_far_sheet_changes_no_bit_of_one_within_its_limits() {
    let sheet = |far: bool| {
        let fabric = Fabric { weft_modulus: 20.0, warp_modulus: 20.0, limits: LIMITS, ..Fabric::default() };
        let mut cloth = scene([1.0, 1.0], [8, 8], fabric, 1.0).cloth.remove(0);
        cloth.name = if far { "far".into() } else { "near".into() };
        // The far one has more to hold, and is never done first.
        cloth.density = if far { 2.0 } else { 0.2 };
        cloth.position = if far { DVec3::X * 1000.0 } else { DVec3::ZERO };
        cloth.pin = vec![pin(if far { vec![0] } else { (0..9).collect() })];
        cloth
    };
    for method in [Limiter::Impulses, Limiter::Filter, Limiter::Edges] {
        for solver in [SolverKind::Coloured, SolverKind::Jacobi] {
            let state = |cloth: Vec<sinew::scene::Cloth>| {
                let mut scene = scene([1.0, 1.0], [1, 1], Fabric::default(), 2e-3);
                scene.gravity = DVec3::new(0.0, -9.81, 0.0);
                scene.solver = solver;
                scene.strain_limiting = StrainLimiting { method, ..StrainLimiting::default() };
                scene.cloth = cloth;
                let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
                simulation.advance(60).unwrap();
                simulation.positions().unwrap()
            };
            let alone = state(vec![sheet(false)]);
            let both = state(vec![sheet(false), sheet(true)]);
            assert_eq!(alone, both[..alone.len()], "{method:?}, {solver:?}");
        }
    }
}
