//! Damping operators: what they keep, what they take, how far they carry.

use super::{Random, assert_close, backends, cuboid, scene, simulate};
use glam::DVec3;
use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Element, Executor, Gpu, GpuExecutor, Launch, Passes, Role, Run, Tables,
    compare_runs,
};
use sinew::model::Model;
use sinew::particles::World;
use sinew::scene::{
    ClusterDamping, Integrator, Load, Pin, Scene, Selector, Solid, SolidDamping, SolidMaterial,
    SpringDamping, Torque,
};
use sinew::solids::damping::{damp_apply, damp_edges};
use sinew::solver::Solver;
use sinew::{Options, Simulation};

const DT: f64 = 1e-3;

/// The rate whose share of a substep is γ.
fn rate(gamma: f64) -> f64 {
    -(1.0 - gamma).ln() / DT
}

fn cluster(gamma: f64, torque: Torque) -> Option<ClusterDamping> {
    Some(ClusterDamping { rate: rate(gamma), torque })
}

/// Momentum, angular momentum about the origin, kinetic energy.
struct Motion {
    momentum: DVec3,
    angular: DVec3,
    energy: f64,
    mass: f64,
}

impl Motion {
    /// Kinetic energy without that of the centre [J].
    fn inner_energy(&self) -> f64 {
        self.energy - 0.5 * self.momentum.length_squared() / self.mass
    }
}

fn motion(model: &Model, velocities: &[DVec3]) -> Motion {
    let particles = model.particles.positions.iter().zip(&model.particles.masses).zip(velocities);
    let mut sum = Motion { momentum: DVec3::ZERO, angular: DVec3::ZERO, energy: 0.0, mass: 0.0 };
    for ((x, m), v) in particles {
        sum.momentum += *m * *v;
        sum.angular += *m * x.cross(*v);
        sum.energy += 0.5 * m * v.length_squared();
        sum.mass += m;
    }
    sum
}

fn vectors(data: &Data) -> Vec<DVec3> {
    data.reals().chunks(4).map(|v| DVec3::new(v[0], v[1], v[2])).collect()
}

/// The velocities after one substep of a block that is as good as without stiffness.
fn damped(damping: SolidDamping, start: impl Fn(&Model) -> Vec<DVec3>, backend: usize) -> (Motion, Motion) {
    let solid = Solid {
        shape: cuboid([1.0, 0.8, 0.6], [4; 3]),
        rotation: DVec3::new(20.0, 30.0, 40.0),
        position: DVec3::new(0.3, 0.2, 0.1),
        material: SolidMaterial { youngs_modulus: 1e-9, ..SolidMaterial::default() },
        damping,
        ..Solid::default()
    };
    let scene = Scene {
        gravity: DVec3::ZERO,
        time_step: DT,
        substeps: 1,
        integrator: Integrator::Symplectic,
        ..scene(solid)
    };
    let model = Model::new(&scene).unwrap();
    let solver = Solver::new(&model).unwrap();
    let mut executor: Box<dyn Executor> = match backend {
        0 => Box::new(CpuExecutor::<f64>::new(&solver.buffers, &solver.passes)),
        1 => Box::new(CpuExecutor::<f32>::new(&solver.buffers, &solver.passes)),
        _ => {
            let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
            Box::new(GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap())
        }
    };
    let before = start(&model);
    let data = before.iter().flat_map(|v| [v.x, v.y, v.z, 0.0]).collect();
    executor.write(solver.velocities, &Data::Reals(data)).unwrap();
    executor.execute(&[Run { passes: solver.substep(), times: 1 }]).unwrap();
    let after = vectors(&executor.read(solver.velocities).unwrap());
    (motion(&model, &before), motion(&model, &after))
}

pub fn random_field(model: &Model) -> Vec<DVec3> {
    let mut random = Random::new(21);
    model.particles.positions.iter().map(|_| random.vector() + DVec3::new(0.5, 0.2, -0.3)).collect()
}

pub fn spinning(model: &Model) -> Vec<DVec3> {
    model.particles.positions.iter().map(|x| DVec3::new(0.3, 1.0, 0.7).cross(*x)).collect()
}

/// Every way of sparing the spin keeps momentum and angular momentum, never adds energy, and leaves a spinning body alone.
#[test]
fn sparing_the_spin_keeps_both_momenta_and_adds_no_energy() {
    let schemes = |gamma: f64| {
        let spring = SpringDamping { coefficient: 20.0 * gamma, sweeps: 2, projected: true };
        [
            ("M1", SolidDamping { global: cluster(gamma, Torque::Edges), ..SolidDamping::default() }),
            ("M2", SolidDamping { global: cluster(gamma, Torque::Centre), ..SolidDamping::default() }),
            ("M3", SolidDamping { global: cluster(gamma, Torque::Couples), ..SolidDamping::default() }),
            ("M4", SolidDamping { global: cluster(gamma, Torque::Rigid), ..SolidDamping::default() }),
            ("local M2", SolidDamping { local: cluster(gamma, Torque::Centre), ..SolidDamping::default() }),
            ("local M3", SolidDamping { local: cluster(gamma, Torque::Couples), ..SolidDamping::default() }),
            ("local M4", SolidDamping { local: cluster(gamma, Torque::Rigid), ..SolidDamping::default() }),
            ("spring", SolidDamping { spring: Some(spring), ..SolidDamping::default() }),
        ]
    };
    for (backend, tolerance) in [(0, 1e-12), (1, 1e-5), (2, 1e-5)] {
        // Shaders take their time to build: one γ is enough for the device.
        let shares: &[f64] = if backend == 2 { &[0.5] } else { &[0.1, 0.5, 1.0] };
        for &gamma in shares {
            for (name, damping) in schemes(gamma) {
                let what = format!("backend {backend}, γ = {gamma}, {name}");
                let (before, after) = damped(damping, random_field, backend);
                let momentum = (after.momentum - before.momentum).length() / before.momentum.length();
                let angular = (after.angular - before.angular).length() / before.angular.length();
                assert!(momentum < tolerance, "{what}: momentum {momentum:e}");
                assert!(angular < tolerance, "{what}: angular momentum {angular:e}");
                assert!(after.energy < before.energy, "{what}: {} J from {}", after.energy, before.energy);
                let (before, after) = damped(damping, spinning, backend);
                let energy = (after.energy - before.energy).abs() / before.energy;
                assert!(energy < 2.0 * tolerance, "{what}: the energy of a spin changed by {energy:e}");
            }
        }
    }
}

/// Every scheme on the device and on the CPU, pass by pass.
#[test]
fn every_damping_pass_matches_its_twin() {
    let spring = SpringDamping { coefficient: 20.0, sweeps: 2, projected: true };
    let mut solid = Vec::new();
    for (k, (_, torque)) in Torque::NAMES.into_iter().enumerate() {
        let local = if torque == Torque::Edges { Torque::Rigid } else { torque };
        solid.push(Solid {
            shape: cuboid([0.5, 0.4, 0.3], [5, 4, 3]),
            rotation: DVec3::new(20.0, 30.0, 40.0),
            position: DVec3::new(0.0, 0.0, k as f64),
            damping: SolidDamping {
                point: 1.0,
                spring: Some(spring),
                global: cluster(0.3, torque),
                local: cluster(0.3, local),
                ..SolidDamping::default()
            },
            pin: vec![Pin { selector: Selector::Indices(vec![0]), ..Pin::default() }],
            ..Solid::default()
        });
    }
    let scene =
        Scene { solid, time_step: DT, substeps: 1, integrator: Integrator::Symplectic, ..Scene::default() };
    let mut model = Model::new(&scene).unwrap();
    let mut random = Random::new(31);
    // In a lattice as it is, two couples may be equally good.
    model.particles.positions.iter_mut().for_each(|x| *x += 0.01 * random.vector());
    let solver = Solver::new(&model).unwrap();
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    let velocities = random_field(&model).iter().flat_map(|v| [v.x, v.y, v.z, 0.0]).collect::<Vec<_>>();
    for executor in [&mut cpu as &mut dyn Executor, &mut device] {
        executor.write(solver.velocities, &Data::Reals(velocities.clone())).unwrap();
    }
    let largest = compare_runs(&solver.buffers, &solver.passes, 2, [&mut cpu, &mut device], 5e-5).unwrap();
    println!("largest difference {:.1e}", largest.unwrap_or_else(|difference| panic!("{difference}")));
}

/// Without a way of sparing it, the spin goes with the rest: L and the relative velocities fall by 1 − γ, their energy by its square.
#[test]
fn undirected_global_damping_takes_its_share_of_everything_but_momentum() {
    for (backend, tolerance) in [(0, 1e-12), (1, 1e-5), (2, 1e-5)] {
        let gamma = 0.3;
        let damping = SolidDamping { global: cluster(gamma, Torque::Lost), ..SolidDamping::default() };
        let (before, after) = damped(damping, spinning, backend);
        let centre = DVec3::new(0.3, 0.2, 0.1);
        let about = |m: &Motion| m.angular - centre.cross(m.momentum);
        let left = about(&after).length() / about(&before).length();
        assert!((left - (1.0 - gamma)).abs() < 10.0 * tolerance, "{left}");
        let energy = after.inner_energy() / before.inner_energy();
        assert!((energy - (1.0 - gamma).powi(2)).abs() < 20.0 * tolerance, "{energy}");
        assert!((after.momentum - before.momentum).length() < tolerance * before.momentum.length());
    }
}

/// A chain of n equal masses whose last one is pushed; gives the ways across after every sweep of a quarter.
fn chain<E: Executor>(n: u32, sweeps: usize, make: impl Fn(&Tables, &Passes) -> E) -> Vec<Vec<f64>> {
    let mut buffers = Tables::new();
    let world = World { keep: 1.0, relaxation: 1.0, ..World::default() };
    buffers.add("world", Element::Real, Role::Uniform, Data::Reals(world.values())).unwrap();
    let neighbours: Vec<Vec<u32>> = (0..n)
        .map(|i| [i.checked_sub(1), (i + 1 < n).then_some(i + 1)].into_iter().flatten().collect())
        .collect();
    let mut starts = vec![0];
    neighbours.iter().for_each(|list| starts.push(starts[starts.len() - 1] + list.len() as u32));
    buffers.uints("damp_edge_starts", Role::Model, starts).unwrap();
    buffers.uints("damp_neighbours", Role::Model, neighbours.concat()).unwrap();
    buffers.reals("damp_masses", Role::Model, vec![1.0; n as usize]).unwrap();
    let positions = (0..n).map(|i| [f64::from(i), 0.0, 0.0, 1.0]).collect();
    buffers.real4s("positions", Role::State, positions).unwrap();
    buffers.real4s("residuals", Role::State, vec![[0.0; 4]; n as usize]).unwrap();
    let mut offsets = vec![[0.0, 0.0, 0.0, 1.0]; n as usize];
    offsets[n as usize - 1][1] = 1.0;
    let way = buffers.real4s("offsets", Role::State, offsets).unwrap();
    buffers.real4s("damp_changes", Role::Scratch, vec![[0.0; 4]; n as usize]).unwrap();
    let mut passes = Passes::with_dt(1.0);
    passes.run(&buffers, &damp_edges::KERNEL, Launch { weight: 0.25, ..Launch::over(n) }).unwrap();
    passes.run(&buffers, &damp_apply::KERNEL, Launch::over(n)).unwrap();
    let mut executor = make(&buffers, &passes);
    (0..sweeps)
        .map(|_| {
            executor.execute(&[Run { passes: 0..2, times: 1 }]).unwrap();
            vectors(&executor.read(way).unwrap()).iter().map(|v| v.y).collect()
        })
        .collect()
}

/// The numbers of Schmedding's (2012) figure 8.7: one edge a sweep, then all alike, the slowest mode falling by
/// 1 − a (2 − 2 cos(π/n)) a sweep.
#[test]
fn dampers_carry_a_push_by_one_edge_a_sweep() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let device = |buffers: &Tables, passes: &Passes| GpuExecutor::new(&gpu, buffers, passes).unwrap();
    for (sweeps, tolerance) in [
        (chain(6, 400, CpuExecutor::<f64>::new), 1e-12),
        (chain(6, 400, CpuExecutor::<f32>::new), 1e-6),
        (chain(6, 400, device), 1e-6),
    ] {
        let close = |found: &[f64], expected: &[f64]| {
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < tolerance)
        };
        assert!(close(&sweeps[0][4..], &[0.25, 0.75]));
        assert!(close(&sweeps[1][3..], &[0.0625, 0.3125, 0.625]));
        assert_eq!(sweeps[3][0], 0.0);
        assert!(close(&sweeps[4][..1], &[9.765625e-4]));
        assert!(close(&sweeps[399], &[1.0 / 6.0; 6]), "{:?}", sweeps[399]);
        for sweep in &sweeps {
            assert!((sweep.iter().sum::<f64>() - 1.0).abs() < 100.0 * tolerance);
        }
    }
    for (n, at, known) in [(6, 60, 0.9330127), (20, 700, 0.9938442)] {
        let sweeps = chain(n, at + 1, CpuExecutor::<f64>::new);
        let off = |k: usize| sweeps[k][0] - 1.0 / f64::from(n);
        assert_close("key eigenvalue", off(at) / off(at - 1), known, 1e-6);
    }
}

/// Damping of deformation lets a body fall as it would without.
#[test]
fn a_damped_body_falls_freely() {
    for (name, options) in backends() {
        // Conjugate gradients are slow on a software device.
        let frames = if name == "gpu" { 6 } else { 30 };
        let expected = -9.81 / 60.0 * f64::from(frames);
        let damping = SolidDamping {
            global: Some(ClusterDamping { rate: 5.0, torque: Torque::Edges }),
            local: Some(ClusterDamping { rate: 20.0, torque: Torque::Rigid }),
            ..SolidDamping::default()
        };
        let falling = scene(Solid { damping, ..Solid::default() });
        let mut simulation = simulate(&falling, &options);
        simulation.advance(frames).unwrap();
        let speed = simulation.measure().unwrap().momentum.y / 1000.0;
        assert_close(&format!("{name}: fall"), speed, expected, if name == "cpu f64" { 1e-12 } else { 1e-5 });
        let damping = SolidDamping { point: 10.0, ..SolidDamping::default() };
        let mut simulation = simulate(&scene(Solid { damping, ..Solid::default() }), &options);
        simulation.advance(frames).unwrap();
        let slowed = simulation.measure().unwrap().momentum.y / 1000.0;
        // 125 vertices of 10 kg/s on 1,000 kg; the light ones lag a little behind the heavy ones.
        let drag = 1.25 * f64::from(frames) / 60.0;
        assert_close(
            &format!("{name}: with friction"),
            slowed,
            expected * (1.0 - (-drag).exp()) / drag,
            0.02,
        );
    }
}

/// A thousand steps of any scheme leave the fall of a turning body, its momentum and its angular momentum as they were.
#[test]
fn no_scheme_changes_the_flight_of_a_body() {
    let flight = |torque: Torque, gravity: DVec3, options: &Options| {
        let local = if torque == Torque::Edges { Torque::Rigid } else { torque };
        let damping = SolidDamping {
            global: cluster(0.02, torque),
            local: cluster(0.05, local),
            ..SolidDamping::default()
        };
        let solid = Solid { shape: cuboid([0.5, 0.375, 0.25], [2; 3]), damping, ..Solid::default() };
        let integrator = Integrator::Symplectic;
        let mut model =
            Model::new(&Scene { gravity, time_step: DT, substeps: 1, integrator, ..scene(solid) }).unwrap();
        let mass: f64 = model.particles.masses.iter().sum();
        for (v, x) in model.particles.velocities.iter_mut().zip(&model.particles.positions) {
            // In f32 without rounding, so that the centre falls straight down.
            *v = DVec3::new(0.25, 1.0, 0.75).cross(*x);
        }
        let mut simulation = Simulation::from_model(model, options).unwrap();
        let before = simulation.measure().unwrap();
        simulation.advance(1000).unwrap();
        let after = simulation.measure().unwrap();
        let fallen = before.momentum + gravity * mass;
        [
            (after.momentum - fallen).length() / (9.81 * mass),
            (after.spin - before.spin).length() / before.spin.length(),
        ]
    };
    for (_, torque) in Torque::NAMES.into_iter().filter(|(_, torque)| *torque != Torque::Lost) {
        for (name, options) in backends() {
            let [pushed, mut turned] = flight(torque, DVec3::NEG_Y * 9.81, &options);
            let mut limits = [1e-12, 1e-10];
            if name != "cpu f64" {
                // At 10 m/s the rounding of the fall is more than 1e-5 of so slow a spin: the spin is that of a flight without.
                turned = flight(torque, DVec3::ZERO, &options)[1];
                limits = [1e-5; 2];
            }
            println!("{name}, {torque:?}: momentum off by {pushed:.1e}, spin by {turned:.1e}");
            assert!(pushed < limits[0] && turned < limits[1], "{name}, {torque:?}: {pushed:e}, {turned:e}");
        }
    }
}

/// A bar of 20 × 2 × 2 cells pulled at one end: how many steps until the other end has half of the speed of a rigid bar.
#[test]
fn global_damping_carries_a_pull_through_the_body_at_once() {
    let [(cpu, f64), _, (device, f32)] = backends();
    for (name, options) in [(cpu, f64), (device, f32)] {
        propagate(name, &options);
    }
}

fn propagate(name: &str, options: &Options) {
    let steps = |damping: SolidDamping| {
        let end = |x: f64| Selector::Box {
            min: DVec3::new(x - 1e-6, f64::NEG_INFINITY, f64::NEG_INFINITY),
            max: DVec3::new(x + 1e-6, f64::INFINITY, f64::INFINITY),
        };
        let solid = Solid {
            shape: cuboid([2.0, 0.2, 0.2], [20, 2, 2]),
            damping,
            load: vec![Load { selector: end(1.0), force: DVec3::X * 10.0 }],
            ..Solid::default()
        };
        let scene = Scene {
            gravity: DVec3::ZERO,
            time_step: DT,
            substeps: 1,
            integrator: Integrator::Symplectic,
            ..scene(solid)
        };
        let mut simulation = simulate(&scene, options);
        let rest = simulation.positions().unwrap();
        let far: Vec<usize> = (0..rest.len()).filter(|&i| rest[i].x < -0.999).collect();
        (1..400)
            .find(|&step| {
                simulation.advance(1).unwrap();
                let v = simulation.velocities().unwrap();
                let mean = far.iter().map(|&i| v[i].x).sum::<f64>() / far.len() as f64;
                mean >= 0.5 * 10.0 * f64::from(step) * DT / 80.0
            })
            .unwrap_or(400)
    };
    let none = SolidDamping::default();
    let undirected = steps(SolidDamping { global: cluster(0.5, Torque::Lost), ..none });
    let at_once = ClusterDamping { rate: f64::INFINITY, torque: Torque::Lost };
    let whole = steps(SolidDamping { global: Some(at_once), ..none });
    let edges = steps(SolidDamping { global: cluster(0.5, Torque::Edges), ..none });
    let local = steps(SolidDamping { local: cluster(0.5, Torque::Lost), ..none });
    let spring = SpringDamping { coefficient: 5.0, ..SpringDamping::default() };
    let spring = steps(SolidDamping { spring: Some(spring), ..none });
    let undamped = steps(none);
    println!(
        "{name}, steps: all at once {whole}, global {undirected}, local {local}, M1 {edges}, spring {spring}, none {undamped}"
    );
    assert_eq!(whole, 1);
    assert!(undirected <= 3 && undirected < local && local <= edges && edges < spring && spring <= undamped);
}
