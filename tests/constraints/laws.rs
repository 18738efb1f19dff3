//! The laws of the constraints: gradients, momentum, and where repeated projection leads.

use crate::fixture::{
    Choice, DT, ELEMENTS, FIRST, KINDS, Kind, MODES, Mode, Random, Setup, run, twin, value_and_gradients,
};
use sinew::compute::{CpuExecutor, Executor, Passes, Run};
use sinew::constraints::{dihedral, volume};
use sinew::math::Vec3;

const SCALARS: [Kind; 3] = [Kind::Dihedral, Kind::Area, Kind::Volume];

/// Elements at rest in space, all free to move, with compliance scaled by a factor.
fn calm(mode: Mode, compliance: f64) -> Choice {
    Choice { mode, spoiled: false, busy: false, compliance, relaxation: 1.0 }
}

fn elements() -> std::ops::Range<usize> {
    FIRST as usize..(FIRST + ELEMENTS) as usize
}

#[test]
fn gradients_are_the_finite_differences_of_their_constraints() {
    /// Balances truncation, h², against rounding, ε/h.
    const STEP: f64 = 1e-6;
    const TOLERANCE: f64 = 1e-8;
    for kind in SCALARS {
        let setup = Setup::new(kind, calm(Mode::Coloured, 1.0), 10);
        let mut worst = 0.0f64;
        for e in elements() {
            let x = setup.corners(e, &setup.points);
            let (_, gradients) = value_and_gradients(kind, &x);
            let size = gradients.iter().map(|g| g.length()).fold(0.0, f64::max);
            for (c, gradient) in gradients.iter().enumerate() {
                for axis in [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)] {
                    let value = |step: f64| {
                        let mut moved = x.clone();
                        moved[c] += axis * step;
                        value_and_gradients(kind, &moved).0
                    };
                    let change = value(STEP) - value(-STEP);
                    let change = if kind == Kind::Dihedral { dihedral::wrap(change) } else { change };
                    worst = worst.max((change / (2.0 * STEP) - gradient.dot(axis)).abs() / size);
                }
            }
        }
        eprintln!("{kind:?}: {worst:.1e}");
        assert!(worst < TOLERANCE, "{kind:?}: {worst:e}");
    }
}

/// θ as it is defined, with unit normals.
#[test]
fn the_hinge_angle_is_that_between_the_unit_normals() {
    let mut random = Random(11);
    for _ in 0..1000 {
        let [x1, x2, x3, x4] = [(); 4].map(|()| Vec3::<f64>::of(random.point(1.0)));
        let n1 = (x1 - x3).cross(x1 - x4);
        let n2 = (x2 - x4).cross(x2 - x3);
        let (n1, n2, e) = (n1 / n1.length(), n2 / n2.length(), x4 - x3);
        let expected = (n1.cross(n2).dot(e) / e.length()).atan2(n1.dot(n2));
        let (theta, _) = dihedral::fold(e, x1 - x3, x2 - x3);
        assert!(dihedral::wrap(theta - expected).abs() < 1e-9, "{theta} and {expected}");
    }
}

/// Σ m Δx and Σ m (x − x₁) × Δx, each relative to the sum of its terms' sizes; the largest of all elements.
fn momentum_errors(setup: &Setup, executor: &mut dyn Executor) -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for (corrections, e) in setup.corrections(executor).iter().zip(elements()) {
        let x = setup.corners(e, &setup.points);
        let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
        let mut sizes = [0.0; 2];
        for (c, &i) in setup.particles[e].iter().enumerate() {
            let push = corrections[c] / setup.weights[i as usize];
            let arm = x[c] - x[0];
            linear += push;
            angular += arm.cross(push);
            sizes[0] += push.length();
            sizes[1] += arm.length() * push.length();
        }
        worst[0] = worst[0].max(linear.length() / sizes[0]);
        worst[1] = worst[1].max(angular.length() / sizes[1]);
    }
    worst
}

#[test]
fn corrections_have_no_momentum_and_no_angular_momentum() {
    /// A dozen roundings.
    const SINGLE: f64 = 1e-6;
    const DOUBLE: f64 = 1e-13;
    for kind in [Kind::Dihedral, Kind::Isometric, Kind::Area, Kind::Volume] {
        for mode in MODES {
            let setup = Setup::new(kind, calm(mode, 1.0), 12);
            let passes = setup.pass(setup.launch(0, 1.0));
            let mut single = twin(&setup, &passes);
            run(&mut single, &passes);
            let errors = momentum_errors(&setup, &mut single);
            eprintln!("{kind:?} {mode:?}: {errors:?}");
            assert!(errors[0].max(errors[1]) < SINGLE, "{kind:?} {mode:?} in f32: {errors:?}");

            let mut double = CpuExecutor::<f64>::new(&setup.buffers, &passes);
            run(&mut double, &passes);
            let errors = momentum_errors(&setup, &mut double);
            assert!(errors[0].max(errors[1]) < DOUBLE, "{kind:?} {mode:?} in f64: {errors:?}");
        }
    }
}

/// A multiplier that is not parallel to c gives the quadratic hinge the angular momentum c × Δλ.
#[test]
fn isometric_turns_only_while_its_multiplier_is_not_parallel_to_its_curvature() {
    let turning = |compliance: f64| {
        let setup = Setup::new(Kind::Isometric, calm(Mode::Jacobi, compliance), 13);
        let passes = setup.pass(setup.launch(1, 1.0));
        let mut double = CpuExecutor::<f64>::new(&setup.buffers, &passes);
        let before = setup.read(&mut double, "isometric_lambdas");
        let offsets = setup.read(&mut double, "offsets");
        run(&mut double, &passes);
        let mut worst = 0.0f64;
        for (corrections, e) in setup.corrections(&mut double).iter().zip(elements()) {
            let x = setup.corners(e, &setup.points);
            let c = setup.constraint(e, &setup.points);
            let lambda = Vec3::new(before[8 * e], before[8 * e + 1], before[8 * e + 2]);
            let square: f64 = setup.particles[e]
                .iter()
                .zip(setup.bending[e])
                .map(|(&i, k)| offsets[4 * i as usize + 3] * k * k)
                .sum();
            let tilde = setup.rest[e][1] / (DT * DT);
            let expected = -(c.cross(lambda) * (tilde / (square + tilde)));
            let mut angular = Vec3::ZERO;
            for (k, &i) in setup.particles[e].iter().enumerate() {
                angular += (x[k] - x[0]).cross(corrections[k] / setup.weights[i as usize]);
            }
            assert!((angular - expected).length() < 1e-6 * c.length() * lambda.length().max(1e-5));
            worst = worst.max(angular.length() / (c.length() * lambda.length()));
        }
        worst
    };
    assert!(turning(1.0) > 0.1);
    assert!(turning(0.0) < 1e-6);
}

/// Projects every element of a setup again and again in f64; positions and offsets added, and the multipliers.
fn settle(setup: &Setup, iterations: u32) -> (Vec<[f64; 3]>, Vec<f64>) {
    let mut passes = Passes::with_dt(DT);
    passes.run(&setup.buffers, setup.kind.kernel(), setup.launch(0, 1.0)).unwrap();
    passes.run(&setup.buffers, setup.kind.kernel(), setup.launch(1, 1.0)).unwrap();
    let mut double = CpuExecutor::<f64>::new(&setup.buffers, &passes);
    let runs = [Run { passes: 0..1, times: 1 }, Run { passes: 1..2, times: iterations }];
    double.execute(&runs).unwrap();
    let offsets = setup.read(&mut double, "offsets");
    let moved = setup.points.iter().zip(offsets.chunks_exact(4));
    let moved = moved.map(|(p, o)| [p[0] + o[0], p[1] + o[1], p[2] + o[2]]).collect();
    (moved, setup.read(&mut double, setup.kind.lambdas()))
}

/// The largest |C + α̃ λ| of all elements, relative to the largest |C| before.
fn residual(setup: &Setup, iterations: u32) -> f64 {
    let (moved, lambdas) = settle(setup, iterations);
    let before = elements().map(|e| setup.constraint(e, &setup.points).length()).fold(0.0, f64::max);
    elements()
        .map(|e| {
            let tilde = setup.rest[e][1] / (DT * DT);
            let lambda = match setup.kind {
                Kind::Isometric | Kind::Attachment => {
                    Vec3::new(lambdas[8 * e], lambdas[8 * e + 1], lambdas[8 * e + 2])
                }
                _ => Vec3::new(lambdas[2 * e], 0.0, 0.0),
            };
            (setup.constraint(e, &moved) + lambda * tilde).length() / before
        })
        .fold(0.0, f64::max)
}

#[test]
fn a_rigid_element_projected_again_and_again_satisfies_its_constraint() {
    for kind in KINDS {
        let residual = residual(&Setup::new(kind, calm(Mode::Coloured, 0.0), 14), 60);
        eprintln!("{kind:?}: {residual:.1e}");
        assert!(residual < 1e-9, "{kind:?}: {residual:e}");
    }
}

#[test]
fn a_compliant_element_projected_again_and_again_balances_its_multiplier() {
    for kind in KINDS {
        let setup = Setup::new(kind, calm(Mode::Coloured, 1.0), 15);
        let residual = residual(&setup, 60);
        eprintln!("{kind:?}: {residual:.1e}");
        assert!(residual < 1e-9, "{kind:?}: {residual:e}");
    }
}

/// The way back leads through flat tetrahedra, where an unsigned volume would have no slope.
#[test]
fn an_inverted_tetrahedron_turns_right_side_out() {
    let mut setup = Setup::new(Kind::Volume, calm(Mode::Coloured, 0.0), 16);
    for e in elements() {
        let particles = &setup.particles[e];
        setup.points.swap(particles[0] as usize, particles[1] as usize);
    }
    let inverted = elements().filter(|&e| setup.value(e, &setup.points) < 0.0).count();
    assert!(inverted > ELEMENTS as usize * 9 / 10, "{inverted} of {ELEMENTS} are inverted");
    let positions = setup.buffers.find("positions").unwrap();
    let contents: Vec<f64> =
        setup.points.iter().zip(&setup.weights).flat_map(|(p, &w)| [p[0], p[1], p[2], w]).collect();
    let passes = setup.pass(setup.launch(0, 1.0));
    let mut double = CpuExecutor::<f64>::new(&setup.buffers, &passes);
    double.write(positions, &sinew::compute::Data::Reals(contents)).unwrap();
    double.execute(&[Run { passes: 0..1, times: 60 }]).unwrap();
    let offsets = setup.read(&mut double, "offsets");
    let moved: Vec<[f64; 3]> = setup
        .points
        .iter()
        .zip(offsets.chunks_exact(4))
        .map(|(p, o)| [p[0] + o[0], p[1] + o[1], p[2] + o[2]])
        .collect();
    for e in elements() {
        let (volume, rest) = (setup.value(e, &moved), setup.rest[e][0]);
        assert!((volume - rest).abs() < 1e-9 * rest, "element {e}: {volume:e}, at rest {rest:e}");
    }
}

#[test]
fn an_element_without_shape_is_left_alone() {
    let [zero, x] = [Vec3::<f32>::ZERO, Vec3::new(0.1, 0.0, 0.0)];
    let (_, hinge) = dihedral::fold(zero, x, -x);
    let (_, flat_hinge) = dihedral::fold(x, x * 2.0, -x);
    let (_, line) = volume::volume_of(x, x * 2.0, x * 3.0);
    let (_, triangle) = sinew::constraints::area::area_of(x, x * 2.0);
    for gradient in hinge.iter().chain(&flat_hinge).chain(&line).chain(&triangle) {
        assert_eq!(*gradient, Vec3::ZERO);
    }
}
