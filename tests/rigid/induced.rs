//! Iron, superconductors and whatever else fields magnetise, against tables and closed forms.

use crate::{assert_close, backends, scene, simulate};
use glam::{DQuat, DVec3};
use sinew::compute::{CpuExecutor, Executor, Run};
use sinew::magnets::induction::{Surroundings, solve};
use sinew::magnets::{field, sources};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::scene::{Field, FieldKind, MagneticField, Rigid, RigidShape, Scene};
use sinew::solver::{Cores, Families, Solver};
use sinew::{Options, Precision};
use std::f64::consts::PI;

/// μ₀ [T m/A].
const VACUUM: f64 = 4e-7 * PI;

fn iron(susceptibility: f64, cells: u32) -> Rigid {
    Rigid {
        shape: RigidShape::Box { size: DVec3::splat(0.01) },
        susceptibility: Some(susceptibility),
        cells: Some(cells),
        ..Rigid::default()
    }
}

fn ball(susceptibility: f64) -> Rigid {
    Rigid {
        shape: RigidShape::Sphere { radius: 0.005 },
        susceptibility: Some(susceptibility),
        ..Rigid::default()
    }
}

fn uniform(field: DVec3) -> Option<MagneticField> {
    Some(MagneticField { uniform: field, ..MagneticField::default() })
}

/// Magnetisations [A/m] and counts of iterations after substeps of the kernels on the CPU.
fn magnetised<E: Executor>(
    scene: &Scene,
    substeps: u32,
    make: impl Fn(&Solver) -> E,
) -> (Vec<DVec3>, Vec<u32>) {
    let model = Model::new(scene).unwrap_or_else(|error| panic!("{error}"));
    let solver = Solver::interactive(&model, &Families::standard(), Cores::Few).unwrap();
    let mut executor = make(&solver);
    executor.execute(&[Run { passes: solver.substep(), times: substeps }]).unwrap();
    let mut read = |name: &str| executor.read(solver.buffers.find(name).unwrap()).unwrap();
    let found = read("magnetisations");
    let found = found.reals().chunks_exact(4).map(DVec3::from_slice).collect();
    (found, read("induced_counts").uints().to_vec())
}

fn f64s(solver: &Solver) -> CpuExecutor<f64> {
    CpuExecutor::new(&solver.buffers, &solver.passes)
}

fn f32s(solver: &Solver) -> CpuExecutor<f32> {
    CpuExecutor::new(&solver.buffers, &solver.passes)
}

/// The mean magnetisation of a cube over the field far away. It tends to 3.644 for infinite χ.
#[test]
fn cubes_are_magnetised_as_the_table_says() {
    let table: [(f64, [f64; 4]); 3] = [
        (700.0, [3.3185, 3.4702, 3.5298, 3.5591]),
        (1e6, [3.3356, 3.4896, 3.5501, 3.5800]),
        (-1.0, [-1.5705, -1.6029, -1.6162, -1.6229]),
    ];
    let strength = 1e4;
    for (susceptibility, row) in table {
        for (cells, expected) in [3, 5, 7, 9].into_iter().zip(row) {
            let scene = Scene {
                gravity: DVec3::ZERO,
                magnetic_field: uniform(DVec3::Y * strength * VACUUM),
                ..scene(vec![iron(susceptibility, cells)])
            };
            for (name, (found, counts)) in
                [("f64", magnetised(&scene, 1, f64s)), ("f32", magnetised(&scene, 1, f32s))]
            {
                let mean = found.iter().sum::<DVec3>() / (found.len() as f64 * strength);
                println!("χ = {susceptibility}, {cells}³, {name}: {:.4}, {} iterations", mean.y, counts[3]);
                assert_eq!(found.len(), cells.pow(3) as usize);
                assert_close(&format!("χ = {susceptibility}, {cells}³, {name}"), mean.y, expected, 1e-3);
                assert!(mean.x.abs() + mean.z.abs() < 1e-3, "{mean}");
                assert!(counts[3] <= 30 && counts[4] == 0, "{counts:?}");
            }
        }
    }
}

/// 3χ/(3 + χ), and the force (c V/2μ₀) ∇B² in a field with a gradient.
#[test]
fn a_ball_is_magnetised_and_pulled_as_the_closed_form_says() {
    for susceptibility in [-1.0, -1e-5, 0.1, 700.0, 1e6] {
        let factor = 3.0 * susceptibility / (3.0 + susceptibility);
        let volume = 4.0 / 3.0 * PI * 0.005f64.powi(3);
        let slopes = DVec3::new(1.0, -3.0, 2.0);
        let at = DVec3::new(0.1, 0.2, -0.05);
        let scene = Scene {
            gravity: DVec3::ZERO,
            magnetic_field: Some(MagneticField {
                uniform: at - slopes * DVec3::new(0.3, 0.2, 0.1),
                gradient: slopes,
                ..MagneticField::default()
            }),
            time_step: 1e-3,
            substeps: 1,
            ..scene(vec![Rigid {
                position: DVec3::new(0.3, 0.2, 0.1),
                mass: Some(1.0),
                inertia: Some(DVec3::ONE),
                ..ball(susceptibility)
            }])
        };
        let force = factor * volume / VACUUM * at * slopes;
        for (name, options) in backends() {
            let mut simulation = simulate(&scene, &options);
            let energy = -0.5 * factor * volume / VACUUM * at.length_squared();
            let found = simulation.measure().unwrap().magnetic_energy;
            assert_close(&format!("χ = {susceptibility}, {name}: energy"), found, energy, 1e-5);
            simulation.advance(1).unwrap();
            let found = simulation.velocities().unwrap()[0] / 1e-3;
            let error = (found - force).length() / force.length();
            assert!(error < 1e-3, "χ = {susceptibility}, {name}: {found} N instead of {force} N");
        }
    }
}

fn bar() -> Field {
    let kind = FieldKind::Bar { size: DVec3::splat(0.01), remanence: DVec3::Y };
    Field { kind, ..Field::default() }
}

/// The pull of a 1 cm cube of 1 T on an iron one of 5³ cells above it.
#[test]
fn an_iron_cube_is_pulled_as_the_table_says() {
    for (gap, expected) in [(1.0, 9.391), (2.0, 5.196), (5.0, 1.1521), (10.0, 0.1600)] {
        let cube = Rigid {
            position: DVec3::Y * (0.01 + 1e-3 * gap),
            mass: Some(1.0),
            inertia: Some(DVec3::ONE),
            ..iron(700.0, 5)
        };
        let scene = Scene {
            gravity: DVec3::ZERO,
            field: vec![bar()],
            time_step: 1e-3,
            substeps: 1,
            ..scene(vec![cube])
        };
        for (name, options) in backends() {
            if gap > 1.5 && name == "gpu" {
                continue;
            }
            let mut simulation = simulate(&scene, &options);
            simulation.advance(1).unwrap();
            let found = -simulation.velocities().unwrap()[0].y / 1e-3;
            println!("{gap} mm, {name}: {found:.4} N");
            assert_close(&format!("{gap} mm, {name}"), found, expected, 1e-3);
        }
    }
}

/// F = −dW/dy, of the solve in f64.
#[test]
fn the_pull_is_the_slope_of_the_energy() {
    let scene = Scene { field: vec![bar()], ..scene(vec![iron(700.0, 4)]) };
    let model = Model::new(&scene).unwrap();
    let fields = sources::at(&model, 0.0);
    let (axes, sideways) = (DQuat::from_rotation_x(0.3), DVec3::new(0.002, 0.0, -0.001));
    let state = |y: f64| {
        let centre = sideways + DVec3::Y * y;
        let places = model.magnets[0].cells.iter().map(|cell| centre + axes * cell.arm);
        let places: Vec<DVec3> = places.collect();
        let at: Vec<DVec3> = places.iter().map(|&x| sources::field(&fields, x)).collect();
        let h = at.iter().map(|b| *b / VACUUM).collect();
        let moments = solve(&model.magnets, &[Surroundings { centre, axes, fields: h }]);
        let energy = -0.5 * moments.iter().zip(&at).map(|(m, b)| m.dot(*b)).sum::<f64>();
        let pull = moments.iter().zip(&places).map(|(m, x)| {
            let [x, m] = [x, m].map(|v| Vec3::of(v.to_array()));
            field::act(fields[0], x, m)[1].y
        });
        (energy, pull.sum::<f64>())
    };
    for y in [0.012, 0.015, 0.03] {
        let step = 1e-5;
        let slope = -(state(y + step).0 - state(y - step).0) / (2.0 * step);
        assert_close(&format!("at {y} m"), state(y).1, slope, 1e-5);
    }
}

/// Iron beside a superconductor and a paramagnet, all but touching, in any field: the matrix has both signs then.
#[test]
fn no_mixture_of_susceptibilities_fails() {
    let given = [-1.0, -0.5, -1e-5, 1e-5, 0.3, 10.0, 700.0, 1e6];
    let mut most = 0;
    for (k, &susceptibility) in given.iter().enumerate() {
        for &other in &given[k..] {
            let beside = Rigid { position: DVec3::new(0.01, 0.002, 0.0), ..iron(other, 3) };
            let third = Rigid { position: DVec3::new(0.0, 0.0101, 0.0), ..ball(700.0) };
            let scene = Scene {
                gravity: DVec3::ZERO,
                magnetic_field: uniform(DVec3::new(0.3, 0.2, 0.1)),
                ..scene(vec![iron(susceptibility, 3), beside, third])
            };
            // What a substep leaves over the next one finishes.
            let substeps = if susceptibility > 0.0 && other > 0.0 { 1 } else { 4 };
            for (name, (found, counts)) in
                [("f64", magnetised(&scene, substeps, f64s)), ("f32", magnetised(&scene, substeps, f32s))]
            {
                assert!(found.iter().all(|m| m.is_finite()), "{susceptibility} and {other}, {name}");
                assert!(counts[0] == 1, "{susceptibility}, {other}, {name}: {counts:?}");
                most = most.max(counts[2]);
            }
        }
    }
    println!("{most} iterations at most");
}

/// A magnet, an iron cube and iron balls that fly past each other.
#[test]
fn induced_magnets_keep_momenta_and_energy() {
    let place = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) / 64.0;
    let magnet = Rigid {
        shape: RigidShape::Sphere { radius: 0.005 },
        remanence: Some(DVec3::new(0.3, 1.0, 0.2)),
        density: 7500.0,
        ..Rigid::default()
    };
    let bodies = vec![
        magnet,
        Rigid {
            position: place(1.0, 0.25, 0.0),
            rotation: DVec3::new(20.0, 30.0, 40.0),
            density: 7800.0,
            ..iron(700.0, 3)
        },
        Rigid { position: place(0.0, 1.0, 0.5), density: 7800.0, ..ball(700.0) },
        Rigid { position: place(-1.0, 0.25, 0.0), density: 7800.0, ..ball(-1.0) },
    ];
    let scene = Scene { gravity: DVec3::ZERO, time_step: 1e-3, substeps: 40, ..scene(bodies) };
    for ((name, options), tolerance) in backends().into_iter().zip([1e-12, 1e-5, 1e-5]) {
        let mut simulation = simulate(&scene, &options);
        let start = simulation.measure().unwrap();
        simulation.advance(4).unwrap();
        let end = simulation.measure().unwrap();
        let iterations = simulation.induction_iterations().unwrap().unwrap();
        let mass = 1e-2;
        let speed = (end.kinetic_energy / mass).sqrt();
        println!(
            "{name}: {:.2e} J, {:.1e}, {:.1e}, energy {:+.1e}, {:.1} iterations a substep",
            end.kinetic_energy,
            end.momentum.length() / (mass * speed),
            end.spin.length() / (mass * speed * 0.02),
            (end.energy() - start.energy()) / end.kinetic_energy,
            f64::from(iterations.total) / 160.0
        );
        assert!(end.kinetic_energy > 1e-7, "{name}: they must move");
        assert!(end.momentum.length() < tolerance * mass * speed, "{name}: {}", end.momentum);
        assert!(end.spin.length() < tolerance * mass * speed * 0.05, "{name}: {}", end.spin);
        assert!((end.energy() - start.energy()).abs() < 0.01 * end.kinetic_energy, "{name}: energy");
        assert!(f64::from(iterations.total) < 6.0 * 160.0, "{name}: {iterations:?}");
    }
}

/// A body without magnetism far away changes no bit, and neither does a checkpoint in between.
#[test]
fn induction_goes_on_from_a_checkpoint_to_the_bit() {
    let magnet =
        Rigid { shape: RigidShape::Sphere { radius: 0.005 }, remanence: Some(DVec3::Y), ..Rigid::default() };
    let cube = Rigid { position: DVec3::new(0.016, 0.004, 0.0), ..iron(700.0, 3) };
    let scene = Scene { gravity: DVec3::ZERO, ..scene(vec![magnet, cube]) };
    let options = Options::cpu(Precision::F32);
    let mut whole = simulate(&scene, &options);
    whole.advance(2).unwrap();
    let mut half = simulate(&scene, &options);
    half.advance(1).unwrap();
    let saved = half.state().unwrap().clone();
    let mut rest = simulate(&scene, &options);
    rest.restore(&saved).unwrap();
    rest.advance(1).unwrap();
    assert_eq!(whole.positions().unwrap(), rest.positions().unwrap());
    assert_eq!(whole.velocities().unwrap(), rest.velocities().unwrap());
}

/// A small ball of a superconductor with M = −B/μ₀ hangs below the null of a ring's field, the deeper the denser.
#[test]
fn a_superconductor_floats_below_the_null_of_a_ring() {
    let null = 0.010_124_4;
    for (density, depth) in [(1000.0, 0.131e-3), (4000.0, 0.466e-3), (6300.0, 0.683e-3), (8000.0, 0.827e-3)] {
        let speed = |share: f64| {
            let ring = FieldKind::Cylinder { radius: 0.02, hole: 0.01, length: 0.005, remanence: 1.2 };
            // 3χ/(3 + χ) = −1.
            let body = Rigid {
                shape: RigidShape::Sphere { radius: 1e-4 },
                position: DVec3::Y * (null - share * depth),
                density,
                ..ball(-0.75)
            };
            let scene = Scene {
                field: vec![Field { kind: ring, ..Field::default() }],
                time_step: 1e-4,
                substeps: 1,
                ..scene(vec![body])
            };
            let mut simulation = simulate(&scene, &Options::cpu(Precision::F64));
            simulation.advance(1).unwrap();
            simulation.velocities().unwrap()[0].y
        };
        let [above, below] = [0.95, 1.05].map(speed);
        println!("{density} kg/m³: {above:.1e} and {below:.1e} m/s");
        assert!(above < 0.0 && below > 0.0, "{density} kg/m³: {above} and {below} m/s");
    }
}

/// A keeper above a magnet, with what must come of it and what does not.
#[test]
fn expectations_of_fields_forces_and_turns_are_told() {
    let text = |expect: &str| {
        format!(
            r#"
format = 1
gravity = [0, 0, 0]
time_step = 1e-3
duration = 1e-3
substeps = 1
rigid = [
    {{ name = "magnet", sphere = {{ radius = 0.005 }}, remanence = [0, 1, 0] }},
    {{ name = "keeper", sphere = {{ radius = 0.005 }}, position = [0, 0.012, 0], spin = [0, 0, 31.416], susceptibility = 1e6 }},
]
[[expect.rigid]]
body = "keeper"
{expect}
"#
        )
    };
    let run = |text: &str| {
        let scene = Scene::parse(text, "scene.toml", "").unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = simulate(&scene, &Options::cpu(Precision::F64));
        simulation.advance(1).unwrap();
        simulation.unmet().unwrap()
    };
    // 0.417 A m² make 0.0482 T at 12 mm, which makes 0.0603 A m².
    let met = "turned = { min = 1.7, max = 1.9 }\nforce = { min = 0.7, max = 0.76 }\ntorque = { max = 1e-9 }\n[[expect.field]]\nat = [0, -0.03, 0]\nmin = [-1e-9, 1e-3, -1]\nmax = [1e-9, 5e-3, 1]";
    assert_eq!(run(&text(met)), Vec::<String>::new());
    let unmet = run(&text(
        "turned = { min = 5 }\nforce = { max = 0.1 }\n[[expect.field]]\nat = [0, -0.03, 0]\nmin = [0, 1, 0]",
    ));
    println!("{unmet:#?}");
    assert_eq!(unmet.len(), 3);
    for (sentence, words) in unmet.iter().zip(["turn of `keeper`", "magnetic force of `keeper`", "field at"])
    {
        assert!(sentence.contains(words), "{sentence}");
    }
    let error = Scene::parse(&text("").replace("body = \"keeper\"", "body = \"keper\""), "scene.toml", "");
    let error = error.unwrap_err().to_string();
    assert!(error.contains("keper") && error.contains("keeper"), "{error}");
}
