//! One element beyond its limits: the solution on paper against the dense system.

use crate::limits::noise;
use crate::sheet::{PLACES, run_to_last, scene, vectors};
use glam::{DVec2, DVec3};
use sinew::cloth::stretch::{correction, polar};
use sinew::math::{Vec3, Vec4};
use sinew::model::Model;
use sinew::scene::{ClothShape, Fabric, Limiter, StrainLimiting, StrainLimits, TriangleMesh};
use sinew::solver::Solver;

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

/// ε = B u of the displacements u = Rᵀx − X in the element's own axes is U − 1.
#[test]
fn the_strain_of_co_rotated_displacements_is_the_stretch_less_one() {
    for k in 0..100 {
        let e = Element::random(k);
        let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, noise(k), 2.0 * noise(k + 7), noise(k + 9));
        let x = e.corners.map(|corner| turn * (e.stretch() * corner).extend(0.0));
        let inverse =
            glam::DMat2::from_cols(e.corners[1] - e.corners[0], e.corners[2] - e.corners[0]).inverse();
        let [[a, b], [c, d]] = inverse.to_cols_array_2d();
        let edges = [x[1] - x[0], x[2] - x[0]];
        let f = [edges[0] * a + edges[1] * b, edges[0] * c + edges[1] * d];
        let (u, r) = polar(f.map(|f| Vec3::<f32>::of(f.to_array()))).unwrap();
        let axis = |r: Vec3<f32>| DVec3::new(f64::from(r.x), f64::from(r.y), f64::from(r.z));
        let shift = [0, 1, 2].map(|c| {
            let along = DVec2::new(axis(r[0]).dot(x[c]), axis(r[1]).dot(x[c])) - e.corners[c];
            along.to_array()
        });
        for (found, u) in e.strain(shift).into_iter().zip([u[0] - 1.0, u[1] - 1.0, u[2]]) {
            assert!((found - f64::from(u)).abs() < 1e-5, "element {k}: {found} and {u}");
        }
    }
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
        self.corners.map(|x| self.stretch() * (x - mean))
    }

    fn stretch(&self) -> glam::DMat2 {
        glam::DMat2::from_cols(DVec2::new(self.u[0], self.u[2]), DVec2::new(self.u[2], self.u[1]))
    }

    /// The displacements that make the strain d and keep both momenta, from the system of six equations.
    fn dense(&self, d: [f64; 3]) -> [f64; 6] {
        let (n, arms) = (self.gradients(), self.arms());
        let mut a = [[0.0; 6]; 6];
        for c in 0..3 {
            a[0][2 * c] = n[c][0];
            a[1][2 * c + 1] = n[c][1];
            a[2][2 * c] = 0.5 * n[c][1];
            a[2][2 * c + 1] = 0.5 * n[c][0];
            a[3][2 * c] = self.masses[c];
            a[4][2 * c + 1] = self.masses[c];
            a[5][2 * c] = -self.masses[c] * arms[c].y;
            a[5][2 * c + 1] = self.masses[c] * arms[c].x;
        }
        solve(a, [d[0], d[1], d[2], 0.0, 0.0, 0.0])
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
        for (found, dense) in e.correction([false; 3]).into_iter().flatten().zip(e.dense(e.d)) {
            assert!((found - dense).abs() < 1e-12, "element {k}");
        }
    }
}

/// Separate triangles, each stretched and sheared beyond its limits and turned somewhere, in one pass of the filter.
#[test]
fn the_pass_of_the_filter_solves_the_six_by_six_system_everywhere() {
    const COUNT: u32 = 60;
    let elements: Vec<Element> = (0..COUNT).map(Element::random).collect();
    let fabric = Fabric {
        limits: StrainLimits { weft: [-0.05, 0.05], warp: [-0.05, 0.05], shear: 0.05 },
        ..Fabric::default()
    };
    let mut scene = scene([1.0, 1.0], [1, 1], fabric, 1e-8);
    scene.strain_limiting = StrainLimiting { method: Limiter::Filter, iterations: 1, ..Default::default() };
    let corners = elements.iter().flat_map(|e| e.corners).map(|x| x.extend(0.0));
    scene.cloth[0].shape = ClothShape::Triangles(TriangleMesh {
        positions: corners.collect(),
        triangles: (0..COUNT).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect(),
        texture_coordinates: None,
    });
    let mut model = Model::new(&scene).unwrap();
    let number = model.order.new_of_old.clone();
    let turn = |k: u32| {
        glam::DQuat::from_euler(glam::EulerRot::XYZ, 2.0 * noise(k), noise(k + 500), 3.0 * noise(k + 900))
    };
    for (k, e) in (0..).zip(&elements) {
        for c in 0..3 {
            let p = number[3 * k as usize + c] as usize;
            model.particles.positions[p] = turn(k) * (e.stretch() * e.corners[c]).extend(0.0);
            model.particles.masses[p] = e.masses[c];
            model.particles.inverse_masses[p] = 1.0 / e.masses[c];
        }
    }
    let solver = Solver::new(&model).unwrap();
    // The filter goes beyond the limit by the factor that all of its corrections have.
    let relaxation = solver.buffers.initial(solver.buffers.find("strain_limits").unwrap()).reals()[3];
    for place in PLACES {
        let mut executor = place.executor(&solver);
        run_to_last(&solver, executor.as_mut(), &["kick"]);
        let before = vectors(&solver, executor.as_mut(), "offsets");
        let mut executor = place.executor(&solver);
        run_to_last(&solver, executor.as_mut(), &["strain_limit"]);
        let after = vectors(&solver, executor.as_mut(), "offsets");
        let mut worst = 0.0f64;
        for (k, e) in (0..).zip(&elements) {
            let strain = [e.u[0] - 1.0, e.u[1] - 1.0, e.u[2]];
            let d = strain.map(|x: f64| relaxation * (x.clamp(-0.05, 0.05) - x));
            let dense = e.dense(d);
            let (mut momentum, mut moment) = (DVec3::ZERO, DVec3::ZERO);
            for c in 0..3 {
                let p = number[3 * k as usize + c] as usize;
                let change = after[p] - before[p];
                let expected = turn(k) * DVec3::new(dense[2 * c], dense[2 * c + 1], 0.0);
                worst = worst.max(change.distance(expected));
                momentum += e.masses[c] * change;
                moment += e.masses[c] * model.particles.positions[p].cross(change);
            }
            assert!(momentum.length() < place.within(1e-12, 1e-6), "{place:?}, {k}: {momentum}");
            assert!(moment.length() < place.within(1e-12, 1e-6), "{place:?}, {k}: {moment}");
        }
        println!("{place:?}: {worst:.1e} from the dense solution");
        assert!(worst < place.within(1e-10, 1e-5), "{place:?}: {worst}");
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
