//! Strain limits of finite-element sheets: the elemental solution against the dense system, limits that hold, momenta
//! that stay, and both backends.

use crate::sheet::{parity, pin, scene};
use glam::{DVec2, DVec3};
use sinew::cloth::stretch::{correction, polar};
use sinew::math::{Vec3, Vec4};
use sinew::model::Model;
use sinew::model::sheets::{largest_violation, strains};
use sinew::scene::{Fabric, Limiter, Scene, SolverKind, StrainLimiting, StrainLimits};
use sinew::{Options, Precision, Simulation};

pub const LIMITS: StrainLimits = StrainLimits { weft: [-0.3, 0.1], warp: [-0.3, 0.1], shear: 0.2 };

/// Numbers in −1 … 1 that look random.
pub fn noise(k: u32) -> f64 {
    let x = f64::from(k) * 12.9898 + 4.1414;
    2.0 * (43758.5453 * x.sin()).rem_euclid(1.0) - 1.0
}

#[test]
fn the_polar_decomposition_is_one_in_both_precisions() {
    for k in 0..200 {
        let n = |c: u32| noise(6 * k + c);
        let f64s = [[1.0 + 0.5 * n(0), 0.5 * n(1), n(2)], [0.4 * n(3), 1.0 + 0.5 * n(4), n(5)]];
        let (u, r) = polar(f64s.map(Vec3::<f64>::of)).unwrap();
        let back = [r[0] * u[0] + r[1] * u[2], r[0] * u[2] + r[1] * u[1]];
        for c in 0..2 {
            assert!((back[c] - Vec3::of(f64s[c])).length() < 1e-13);
            assert!((r[c].length() - 1.0).abs() < 1e-13);
        }
        assert!(r[0].dot(r[1]).abs() < 1e-13);
        let (u32s, r32s) = polar(f64s.map(Vec3::<f32>::of)).unwrap();
        for c in 0..3 {
            assert!((f64::from(u32s[c]) - u[c]).abs() < 1e-5);
        }
        assert!((r32s[0].length() - 1.0).abs() < 1e-5 && r32s[0].dot(r32s[1]).abs() < 1e-5);
    }
    assert!(polar([Vec3::of([1.0, 0.0, 0.0]), Vec3::<f64>::of([2.0, 0.0, 0.0])]).is_none());
}

/// Solves a dense system by elimination with pivots.
fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for k in 0..N {
        let pivot = (k..N).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..N {
            let factor = a[i][k] / a[k][k];
            let row = a[k];
            a[i].iter_mut().zip(row).skip(k).for_each(|(x, above)| *x -= factor * above);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..N).rev() {
        b[k] = (b[k] - (k + 1..N).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    b
}

/// A random element: rest corners, D⁻¹ by rows, U, d, masses.
struct Element {
    corners: [DVec2; 3],
    rest: Vec4<f64>,
    u: [f64; 3],
    d: [f64; 3],
    masses: [f64; 3],
}

impl Element {
    fn random(k: u32) -> Self {
        let n = |c: u32| noise(20 * k + c);
        let corners = [
            DVec2::new(0.2 * n(0), 0.2 * n(1)),
            DVec2::new(1.0 + 0.3 * n(2), 0.3 * n(3)),
            DVec2::new(0.3 * n(4), 0.9 + 0.3 * n(5)),
        ];
        Self::new(
            corners,
            [1.0 + 0.3 * n(6), 1.0 + 0.3 * n(7), 0.2 * n(8)],
            [0.1 * n(9), 0.1 * n(10), 0.1 * n(11)],
            [1.5 + n(12), 1.5 + n(13), 1.5 + n(14)],
        )
    }

    fn new(corners: [DVec2; 3], u: [f64; 3], d: [f64; 3], masses: [f64; 3]) -> Self {
        let inverse = glam::DMat2::from_cols(corners[1] - corners[0], corners[2] - corners[0]).inverse();
        let [[a, c], [b, e]] = inverse.to_cols_array_2d();
        Self { corners, rest: Vec4::new(a, b, c, e), u, d, masses }
    }

    /// ∇N of the corners.
    fn gradients(&self) -> [[f64; 2]; 3] {
        let r = self.rest;
        [[-(r.x + r.z), -(r.y + r.w)], [r.x, r.y], [r.z, r.w]]
    }

    /// The strain that displacements in the element's axes make.
    fn strain(&self, x: [[f64; 2]; 3]) -> [f64; 3] {
        let mut strain = [0.0; 3];
        for ([nx, ny], [ux, uy]) in self.gradients().into_iter().zip(x) {
            strain[0] += nx * ux;
            strain[1] += ny * uy;
            strain[2] += 0.5 * (ny * ux + nx * uy);
        }
        strain
    }

    /// Current lever arms about the centre of mass, in the element's axes.
    fn arms(&self) -> [DVec2; 3] {
        let total: f64 = self.masses.iter().sum();
        let mean: DVec2 = self.masses.iter().zip(self.corners).map(|(m, x)| *m * x).sum::<DVec2>() / total;
        let u = glam::DMat2::from_cols(DVec2::new(self.u[0], self.u[2]), DVec2::new(self.u[2], self.u[1]));
        self.corners.map(|x| u * (x - mean))
    }

    fn correction(&self, held: [bool; 3]) -> [[f64; 2]; 3] {
        let weights = [0, 1, 2].map(|c| if held[c] { 0.0 } else { 1.0 / self.masses[c] });
        correction(self.rest, self.u, self.d, weights)
    }
}

#[test]
fn the_elemental_correction_solves_the_six_by_six_system() {
    for k in 0..200 {
        let e = Element::random(k);
        let (n, arms) = (e.gradients(), e.arms());
        let mut a = [[0.0; 6]; 6];
        for c in 0..3 {
            a[0][2 * c] = n[c][0];
            a[1][2 * c + 1] = n[c][1];
            a[2][2 * c] = 0.5 * n[c][1];
            a[2][2 * c + 1] = 0.5 * n[c][0];
            a[3][2 * c] = e.masses[c];
            a[4][2 * c + 1] = e.masses[c];
            a[5][2 * c] = -e.masses[c] * arms[c].y;
            a[5][2 * c + 1] = e.masses[c] * arms[c].x;
        }
        let dense = solve(a, [e.d[0], e.d[1], e.d[2], 0.0, 0.0, 0.0]);
        for (c, [x, y]) in e.correction([false; 3]).into_iter().enumerate() {
            assert!((x - dense[2 * c]).abs() < 1e-12 && (y - dense[2 * c + 1]).abs() < 1e-12, "element {k}");
        }
    }
}

#[test]
fn the_worked_example_turns_as_on_paper() {
    let corners = [DVec2::ZERO, DVec2::X, DVec2::Y];
    let e = Element::new(corners, [1.2, 1.0, 0.0], [-0.1, 0.0, 0.0], [1.0; 3]);
    let x = e.correction([false; 3]);
    // g = [[−0.1, −w], [w, 0]] with w = 0.022727; edges change by its columns.
    assert!((x[1][0] - x[0][0] + 0.1).abs() < 1e-12);
    assert!((x[1][1] - x[0][1] - 1.0 / 44.0).abs() < 1e-12);
    assert!((x[2][0] - x[0][0] + 1.0 / 44.0).abs() < 1e-12);
}

#[test]
fn with_one_corner_held_the_strain_is_met_with_the_least_energy() {
    for k in 0..100 {
        let e = Element::random(k);
        for held in 0..3 {
            let mut mask = [false; 3];
            mask[held] = true;
            let x = e.correction(mask);
            assert_eq!(x[held], [0.0; 2]);
            let found = e.strain(x);
            assert!((0..3).all(|c| (found[c] - e.d[c]).abs() < 1e-12), "element {k}: {found:?}");
            // Any turn about the held corner meets the strain too, but costs more.
            let energy = |turn: f64| -> f64 {
                (0..3)
                    .map(|c| {
                        let arm = e.corners[c] - e.corners[held];
                        e.masses[c] * (DVec2::from(x[c]) + turn * DVec2::new(-arm.y, arm.x)).length_squared()
                    })
                    .sum()
            };
            assert!(energy(0.0) < energy(1e-3) && energy(0.0) < energy(-1e-3), "element {k}");
        }
    }
}

#[test]
fn with_two_corners_held_the_third_takes_the_least_squares() {
    for k in 0..100 {
        let e = Element::random(k);
        for free in 0..3 {
            let mut mask = [true; 3];
            mask[free] = false;
            let x = e.correction(mask);
            let miss = |dx: f64, dy: f64| -> f64 {
                let mut moved = x;
                moved[free] = [x[free][0] + dx, x[free][1] + dy];
                let found = e.strain(moved);
                (0..3).map(|c| (found[c] - e.d[c]).powi(2)).sum()
            };
            for (dx, dy) in [(1e-4, 0.0), (-1e-4, 0.0), (0.0, 1e-4), (0.0, -1e-4)] {
                assert!(miss(0.0, 0.0) <= miss(dx, dy), "element {k}");
            }
        }
        assert_eq!(e.correction([true; 3]), [[0.0; 2]; 3]);
    }
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
    let cases = [(0.2, 1e-3), (0.1005, 1e-5)];
    for ((method, solver, active_set), (by, tolerance)) in
        methods().into_iter().flat_map(|method| cases.map(|case| (method, case)))
    {
        let settings =
            StrainLimiting { method, iterations: 2000, tolerance, active_set, ..StrainLimiting::default() };
        let model = overstretched(settings, solver, 8, by);
        let beyond = largest_violation(&model, &model.particles.positions);
        assert!(beyond > by - 0.1);
        let mut simulation = Simulation::from_model(model, &Options::cpu(Precision::F64)).unwrap();
        simulation.advance(1).unwrap();
        let x = simulation.model_positions().unwrap();
        let violation = largest_violation(simulation.model(), &x);
        let counts = simulation.limit_iterations().unwrap().unwrap();
        let m = simulation.measure().unwrap();
        let masses = &simulation.model().particles.masses.clone();
        let v = simulation.model_velocities().unwrap();
        let size: f64 = v.iter().zip(masses).map(|(v, m)| m * v.length()).sum();
        println!(
            "{method:?} {solver:?} {active_set}: violation {violation:.2e} after {counts:?}, momentum {:.1e}, angular {:.1e}",
            m.momentum.length() / size,
            m.angular_momentum.length() / (0.2 * size)
        );
        assert!(violation < 1.01 * tolerance, "{violation}");
        assert_eq!(counts.unfinished, 0);
        assert!(m.momentum.length() < 1e-12 * size);
        // Each correction keeps the moment about where it began, which differs from the end by the correction itself.
        assert!(m.angular_momentum.length() < 0.1 * beyond * 0.2 * size);
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
