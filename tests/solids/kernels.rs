//! The kernels of solids: gradients, twins, and the order of calls.

use super::{Random, cuboid};
use glam::{DMat3, DQuat, DVec3};
use sinew::Simulation;
use sinew::compute::{AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Order, Run, compare_runs};
use sinew::math::{Mat3, Vec3, Width};
use sinew::model::Model;
use sinew::model::elements::Tet;
use sinew::model::solids::SolidLaw;
use sinew::scene::{
    Integrator, Inversion, Load, Pin, Scene, Selector, Solid, SolidDamping, SolidMaterial, SolidModel,
    SolidStart, SolverKind, SpringPenalty,
};
use sinew::solids::elasticity::{Frame, NeoHookean, Rest, neo_hookean_moduli};
use sinew::solids::measure::rotation_of;
use sinew::solids::springs::Springs;
use sinew::solver::Solver;

/// Blocks of every model, pinned, loaded and damped, by how they are deformed. Forces in blocks of several times their size are
/// thousands of times those in others, so where backends are compared each kind is by itself: otherwise one of them would
/// set the scale for all.
fn blocks() -> [(&'static str, f64, Vec<Solid>); 4] {
    let solid = |model: SolidModel, stretch: [f64; 3], twist: f64| Solid {
        shape: cuboid([0.5, 0.3, 0.3], [5, 3, 3]),
        rotation: DVec3::new(10.0, 20.0, 30.0),
        model,
        start: SolidStart { stretch: DVec3::from(stretch), twist, scatter: false },
        damping: SolidDamping { mass: 0.3, stiffness: 0.002, ..SolidDamping::default() },
        pin: vec![Pin { selector: Selector::Indices(vec![0, 1]), ..Pin::default() }],
        load: vec![Load { selector: Selector::Indices(vec![50, 51]), force: DVec3::new(0.1, 0.2, 0.3) }],
        ..Solid::default()
    };
    let every = |stretch: [f64; 3], twist: f64| -> Vec<Solid> {
        SolidModel::NAMES.into_iter().map(|(_, model)| solid(model, stretch, twist)).collect()
    };
    let mut twisted = every([1.2, 0.8, 1.1], 40.0);
    let penalty = SpringPenalty { area: 2e4, volume: Some(3e4) };
    twisted.push(Solid { penalty, ..solid(SolidModel::Springs, [1.2, 0.8, 1.1], 40.0) });
    // What lengths do not see.
    let mut folded = every([1.1, 0.9, -0.8], 0.0);
    folded.extend(Inversion::NAMES.into_iter().map(|(_, inversion)| {
        let folded = solid(SolidModel::Corotational, [0.9, -0.8, 1.1], 0.0);
        Solid { inversion, ..folded }
    }));
    [
        ("twisted", TOLERANCE, twisted),
        ("folded", TOLERANCE, folded),
        // What explicit steps do not bear.
        ("stretched", TOLERANCE, every([4.0, 3.0, 5.0], 0.0)),
        // Next to nothing, where laws of F alone need a direction.
        ("crushed", CRUSHED, every([0.003, 0.002, 0.004], 0.0)),
    ]
}

/// Blocks side by side.
fn scene_of(blocks: Vec<Solid>, integrator: Integrator, solver: SolverKind) -> Scene {
    let place = |(k, solid)| Solid { position: DVec3::new(0.0, 0.2, 0.5 * k as f64), ..solid };
    let solid = blocks.into_iter().enumerate().map(place).collect();
    Scene { solid, substeps: 20, iterations: 2, integrator, solver, ..Scene::default() }
}

/// All of them in one scene.
pub fn everything(integrator: Integrator, solver: SolverKind) -> Scene {
    scene_of(blocks().into_iter().flat_map(|(.., blocks)| blocks).collect(), integrator, solver)
}

pub fn gpu() -> Gpu {
    Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// f32 rounding after one pass. Rotations magnify it by the range of the stretches, forces by that of the strains, and the
/// seven projections of `tet_strain` each work on the rounding of those before.
pub const TOLERANCE: f64 = 5e-5;

/// The same for blocks whose edges are a third of a millimetre: positions of half a metre are rounded to a ten-thousandth of
/// that, and the directions of edges with them.
const CRUSHED: f64 = 3e-4;

#[test]
fn every_pass_of_a_scene_with_solids_matches_its_twin() {
    let gpu = gpu();
    for (integrator, solver) in [
        (Integrator::Symplectic, SolverKind::Coloured),
        (Integrator::Implicit, SolverKind::Jacobi),
        (Integrator::Midpoint, SolverKind::Coloured),
        (Integrator::Static, SolverKind::Coloured),
        (Integrator::Explicit, SolverKind::Coloured),
    ] {
        for (kind, tolerance, blocks) in blocks() {
            let mut scene = scene_of(blocks, integrator, solver);
            scene.conjugate_gradients.iterations = 4;
            // Searches are compared in `newton`.
            scene.newton = Some(1);
            let solver = Solver::new(&Model::new(&scene).unwrap_or_else(|e| panic!("{e}"))).unwrap();
            let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
            let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
            let both: [&mut dyn Executor; 2] = [&mut cpu, &mut device];
            let largest = compare_runs(&solver.buffers, &solver.passes, 2, both, tolerance).unwrap();
            let largest = largest.unwrap_or_else(|difference| panic!("{integrator:?}, {kind}: {difference}"));
            println!("{integrator:?}, {kind}: largest difference {largest:.1e}");
        }
    }
}

#[test]
fn solids_do_not_depend_on_the_order_of_calls() {
    for solver in [SolverKind::Coloured, SolverKind::Jacobi] {
        let solver = Solver::new(&Model::new(&everything(Integrator::Implicit, solver)).unwrap()).unwrap();
        let contents = |order: Order| {
            let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes).with_order(order);
            cpu.execute(&[Run { passes: solver.substep(), times: 4 }]).unwrap();
            solver.buffers.state().map(|id| cpu.read(id).unwrap()).collect::<Vec<_>>()
        };
        let forward = contents(Order::Forward);
        assert_eq!(forward, contents(Order::Backward));
        assert_eq!(forward, contents(Order::Parallel));
    }
}

pub const REST: [DVec3; 4] = [
    DVec3::new(0.1, 0.0, 0.0),
    DVec3::new(1.0, 0.1, 0.0),
    DVec3::new(0.0, 0.8, 0.1),
    DVec3::new(0.2, 0.1, 0.9),
];

pub fn law(model: SolidModel) -> SolidLaw {
    let material = SolidMaterial { youngs_modulus: 1e3, poisson_ratio: 0.35, density: 1.0 };
    let penalty = SpringPenalty { area: 200.0, volume: None };
    SolidLaw { material, model, inversion: Inversion::Travel, penalty, rayleigh: [0.0; 2] }
}

pub fn mat(m: DMat3) -> Mat3<f64> {
    let [x, y, z] = m.to_cols_array_2d().map(Vec3::of);
    Mat3::new(x, y, z)
}

fn rest(tet: &Tet) -> Rest<f64> {
    tet.rest_shape()
}

/// V P g of the twins' own law.
fn pulls(law: &SolidLaw, tet: &Tet, corners: [DVec3; 4]) -> [Vec3<f64>; 4] {
    let f = tet.deformation(corners);
    let [lambda, mu] = law.material.lame();
    let p = match law.model {
        SolidModel::NeoHookean => {
            let [l, m, alpha] = neo_hookean_moduli([lambda, mu]);
            NeoHookean::new(mat(f), l, m, alpha).stress()
        }
        SolidModel::Springs => Springs::new(&rest(tet), mat(f), law.springs(), true).stress(),
        model => {
            let r = if model == SolidModel::Linear { DMat3::IDENTITY } else { rotation_of(f) };
            Frame { rotation: mat(r), lambda, mu }.stress(mat(f))
        }
    };
    rest(tet).corners(p)
}

fn deformed(random: &mut Random, size: f64) -> [DVec3; 4] {
    REST.map(|x| DQuat::from_euler(glam::EulerRot::XYZ, 0.5, 0.9, -0.4) * (x + size * random.vector()))
}

#[test]
fn forces_are_the_slopes_of_the_energy() {
    const STEP: f64 = 1e-6;
    let tet = Tet::new([0, 1, 2, 3], REST, 0);
    let mut random = Random::new(11);
    for model in [SolidModel::Linear, SolidModel::Corotational, SolidModel::NeoHookean, SolidModel::Springs] {
        let law = law(model);
        for _ in 0..20 {
            let x = deformed(&mut random, 0.2);
            let pulls = pulls(&law, &tet, x);
            let scale = pulls.iter().map(|p| p.length()).fold(0.0, f64::max);
            for (corner, pull) in pulls.iter().enumerate() {
                for axis in 0..3 {
                    let energy = |size: f64| {
                        let mut x = x;
                        x[corner][axis] += size;
                        tet.state(&law, x).energy
                    };
                    let slope = (energy(STEP) - energy(-STEP)) / (2.0 * STEP);
                    let component = [pull.x, pull.y, pull.z][axis];
                    assert!((slope - component).abs() < 1e-6 * scale, "{model:?}: {slope} {component}");
                }
            }
        }
    }
}

/// Forces of a tetrahedron sum to nothing and have no torque, in f64 and as the rounding of f32 allows. Infinitesimal strain has
/// torques once it is turned.
#[test]
fn forces_have_no_sum_and_no_torque() {
    let tet = Tet::new([0, 1, 2, 3], REST, 0);
    let mut random = Random::new(12);
    for model in [SolidModel::Corotational, SolidModel::NeoHookean, SolidModel::Springs] {
        let law = law(model);
        for _ in 0..50 {
            let x = deformed(&mut random, 0.2);
            let pulls = pulls(&law, &tet, x).map(|p| DVec3::new(p.x, p.y, p.z));
            let size: f64 = pulls.iter().map(|p| p.length()).sum();
            let torque: DVec3 = (0..4).map(|c| x[c].cross(pulls[c])).sum();
            assert!(pulls.iter().sum::<DVec3>().length() < 1e-12 * size, "{model:?}");
            assert!(torque.length() < 1e-12 * size, "{model:?}: {torque}");
        }
    }
}

/// The same for a whole body in one substep on every backend: a deformed block that is let go neither flies off nor starts to spin.
#[test]
fn a_deformed_block_gains_no_momentum() {
    for (name, options) in super::backends() {
        let tolerance = if name == "cpu f64" { 1e-12 } else { 1e-5 };
        for model in [SolidModel::Corotational, SolidModel::NeoHookean, SolidModel::Springs] {
            let solid = Solid { shape: cuboid([0.5; 3], [3; 3]), model, ..Solid::default() };
            let scene = super::explicit(solid);
            let mut model_of = Model::new(&scene).unwrap();
            let mut random = Random::new(6);
            model_of.particles.positions.iter_mut().for_each(|x| *x += 0.03 * random.vector());
            let (x, m) = (model_of.particles.positions.clone(), model_of.particles.masses.clone());
            let mut simulation = Simulation::from_model(model_of, &options).unwrap();
            simulation.advance(1).unwrap();
            let v = simulation.model_velocities().unwrap();
            let size: f64 = v.iter().zip(&m).map(|(v, m)| m * v.length()).sum();
            let momentum: DVec3 = v.iter().zip(&m).map(|(v, m)| *m * *v).sum();
            let angular: DVec3 = (0..x.len()).map(|i| m[i] * x[i].cross(v[i])).sum();
            println!("{name} {model:?}: {:.1e}, {:.1e}", momentum.length() / size, angular.length() / size);
            assert!(momentum.length() < tolerance * size && angular.length() < tolerance * size);
        }
    }
}

#[test]
fn the_change_of_the_neo_hookean_stress_is_its_derivative() {
    let mut random = Random::new(5);
    for _ in 0..50 {
        let matrix = |random: &mut Random, size: f64| {
            DMat3::from_cols(random.vector(), random.vector(), random.vector()) * size
        };
        let f = DMat3::IDENTITY + matrix(&mut random, 0.7);
        let d = matrix(&mut random, 1.0);
        let stress = |t: f64| NeoHookean::new(mat(f + d * t), 5.0, 3.0, 1.45).stress();
        let exact = NeoHookean::new(mat(f), 5.0, 3.0, 1.45).change(mat(d));
        let slope = (stress(1e-5) - stress(-1e-5)).scale(0.5e5);
        let off = (slope - exact).dot(slope - exact).sqrt();
        assert!(off < 1e-7 * exact.dot(exact).sqrt(), "{off}");
    }
}

/// The bearable stiffness of the neo-Hookean law never pushes back: dF : dP ≥ 0.
#[test]
fn the_bearable_stiffness_is_not_negative() {
    let mut random = Random::new(9);
    let mut worst: f64 = 0.0;
    for k in 0..20_000 {
        let matrix =
            |random: &mut Random| DMat3::from_cols(random.vector(), random.vector(), random.vector());
        let f = DMat3::IDENTITY * f64::from(k % 3) + matrix(&mut random) * 1.5;
        let d = matrix(&mut random);
        let [l, m, alpha] = neo_hookean_moduli([1.5, 1.0]);
        let here = NeoHookean::new(mat(f), l, m, alpha).bearable();
        let curvature = here.change(mat(d)).dot(mat(d)) / mat(d).dot(mat(d));
        worst = worst.min(curvature);
    }
    println!("smallest curvature {worst:.3} of μ = 1");
    assert!(worst > -0.05, "{worst}");
}

/// Eigenvalues of a symmetric matrix, by Jacobi rotations.
fn eigenvalues<const N: usize>(mut a: [[f64; N]; N]) -> [f64; N] {
    for _ in 0..30 {
        for p in 0..N {
            for q in p + 1..N {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (first, second) = (a[p], a[q]);
                a[p] = std::array::from_fn(|k| c * first[k] - s * second[k]);
                a[q] = std::array::from_fn(|k| s * first[k] + c * second[k]);
            }
        }
    }
    let mut values = std::array::from_fn(|k| a[k][k]);
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// The stiffness as f32 computes it.
fn single_stiffness(tet: &Tet, lambda: f32, mu: f32) -> [[f64; 12]; 12] {
    let rest = Rest { g: tet.gradients.map(|g| Vec3::of(g.to_array())), volume: tet.rest_volume as f32 };
    let frame = Frame { rotation: Mat3::IDENTITY, lambda, mu };
    let mut k = [[0.0; 12]; 12];
    for column in 0..12 {
        let g = rest.gradients()[column / 3];
        let mut way = [0.0; 3];
        way[column % 3] = 1.0;
        let way = Vec3::of(way);
        let gradient = Mat3::new(way * g.x, way * g.y, way * g.z);
        for (corner, pull) in rest.corners(frame.change(gradient)).into_iter().enumerate() {
            for (axis, x) in [pull.x, pull.y, pull.z].into_iter().enumerate() {
                k[3 * corner + axis][column] = f64::from(x);
            }
        }
    }
    k
}

/// V Ãᵀ C Ã of Schmedding 2012, with its strains in the order x, y, z, xy, xz, yz.
fn stiffness_matrix(tet: &Tet, poisson_ratio: f64) -> [[f64; 12]; 12] {
    let strains: [[f64; 6]; 12] = std::array::from_fn(|column| {
        let [a, b, c] = tet.all_gradients()[column / 3].to_array();
        [[a, 0.0, 0.0, b, c, 0.0], [0.0, b, 0.0, a, 0.0, c], [0.0, 0.0, c, 0.0, a, b]][column % 3]
    });
    let law = |i: usize, j: usize| match (i < 3, j < 3) {
        (true, true) if i == j => 1.0 - poisson_ratio,
        (true, true) => poisson_ratio,
        (false, false) if i == j => 0.5 - poisson_ratio,
        _ => 0.0,
    };
    let scale = tet.rest_volume / ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio));
    std::array::from_fn(|p| {
        std::array::from_fn(|q| {
            let terms = (0..36).map(|k| strains[p][k / 6] * law(k / 6, k % 6) * strains[q][k % 6]);
            scale * terms.sum::<f64>()
        })
    })
}

/// The stiffness of the right tetrahedron with E = 1 is Schmedding's (2012) matrix, has rank 6 and eigenvalues known in closed form; in
/// f32 to its rounding.
#[test]
fn the_stiffness_of_the_right_tetrahedron_has_its_eigenvalues() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let tet = Tet::new([0, 1, 2, 3], corners, 0);
    let root = 24.0f64.sqrt();
    for (poisson_ratio, expected) in [
        (0.0, [2.0 / 3.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0]),
        (0.25, [(8.0 + root) / 15.0, 1.0 / 3.0, 1.0 / 3.0, (8.0 - root) / 15.0, 2.0 / 15.0, 2.0 / 15.0]),
    ] {
        let material = SolidMaterial { youngs_modulus: 1.0, poisson_ratio, density: 1.0 };
        let [lambda, mu] = material.lame();
        let frame = Frame { rotation: Mat3::IDENTITY, lambda, mu };
        let mut k = [[0.0; 12]; 12];
        for column in 0..12 {
            let mut d = [DVec3::ZERO; 4];
            d[column / 3][column % 3] = 1.0;
            let gradient = mat(tet.deformation(d));
            for (corner, pull) in rest(&tet).corners(frame.change(gradient)).into_iter().enumerate() {
                for (axis, x) in [pull.x, pull.y, pull.z].into_iter().enumerate() {
                    k[3 * corner + axis][column] = x;
                }
            }
        }
        for (i, row) in k.iter().enumerate() {
            assert!(row.iter().enumerate().all(|(j, x)| (x - k[j][i]).abs() < 1e-15));
        }
        let found = eigenvalues(k);
        for (value, known) in found.into_iter().zip(expected.into_iter().chain([0.0; 6])) {
            assert!((value - known).abs() < 1e-10, "{found:?}");
        }
        let matrix = stiffness_matrix(&tet, poisson_ratio);
        let single = single_stiffness(&tet, lambda as f32, mu as f32);
        for (place, known) in matrix.concat().into_iter().enumerate() {
            let (row, column) = (place / 12, place % 12);
            assert!((k[row][column] - known).abs() < 1e-12, "K[{row}][{column}]");
            assert!((single[row][column] - known).abs() < 1e-5, "K[{row}][{column}] in f32");
        }
        let found = eigenvalues(single);
        for (value, known) in found.into_iter().zip(expected.into_iter().chain([0.0; 6])) {
            assert!((value - known).abs() < 1e-5, "f32: {found:?}");
        }
    }
}

#[test]
fn solids_in_lanes_have_the_bits_of_their_twins() {
    for integrator in [Integrator::Implicit, Integrator::Symplectic] {
        let scene = everything(integrator, SolverKind::Coloured);
        let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
        let contents = |width: Width| {
            let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes).with_width(width);
            cpu.execute(&[Run { passes: solver.substep(), times: 3 }]).unwrap();
            solver.buffers.ids().map(|id| cpu.read(id).unwrap()).collect::<Vec<_>>()
        };
        let scalar = contents(Width::One);
        for width in [Width::Four, Width::Eight] {
            for (id, (a, b)) in solver.buffers.ids().zip(scalar.iter().zip(contents(width))) {
                assert!(*a == b, "{width:?}: `{}` differs", solver.buffers.name(id));
            }
        }
    }
}
