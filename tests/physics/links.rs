//! Chains and weights on links: stiffness is physical, whatever the solver spends on it.

use crate::common::*;
use glam::DVec3;
use sinew::scene::{Scene, SolverKind};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A weight on one link and how stiff the link is.
const WEIGHT_MASS: f64 = 0.5;
const WEIGHT_COMPLIANCE: f64 = 1e-4;

#[test]
fn sag_follows_compliance_not_iterations_or_substeps() {
    /// The link is solved exactly by one iteration; what is left is rounding, of which v = Δx/dt at 9,600 substeps a
    /// second would be the worst: one ulp of a position of 1 m is then 60 % of gravity's share of a substep.
    const TOLERANCE: f64 = 0.01;
    let expected = WEIGHT_COMPLIANCE * WEIGHT_MASS * G;
    // Critical damping, ω = √(1/αm) = 141/s: 0.1 s are 14 time constants.
    let omega = (1.0 / (WEIGHT_COMPLIANCE * WEIGHT_MASS)).sqrt();
    for (backend, solver, name) in backends_and_solvers() {
        for substeps in [4, 160] {
            for iterations in [1, 5, 40] {
                let mut body = linked(
                    vec![DVec3::Y, DVec3::Y * 0.5],
                    WEIGHT_MASS,
                    WEIGHT_COMPLIANCE,
                    vec![[0, 1]],
                    vec![0],
                );
                body.position = DVec3::new(0.3, 0.2, -0.7);
                let scene = Scene {
                    substeps,
                    iterations,
                    solver,
                    damping: 2.0 * omega,
                    points: vec![body],
                    ..Default::default()
                };
                let mut simulation = backend.simulate(&scene);
                simulation.advance(6).unwrap();
                let x = simulation.positions().unwrap();
                let name = format!("{name}, {} substeps/s, {iterations} iterations", substeps * 60);
                assert_close(x[0].distance(x[1]) - 0.5, expected, TOLERANCE, &name);
            }
        }
    }
}

/// The end of a chain of n links that hangs by its own weight comes down by α m g Σ k over the links.
#[test]
fn a_compliant_chain_stretches_by_the_weight_below_each_link() {
    /// What is not converged: the steady state of a substep with few iterations is off by about w/α̃ per iteration,
    /// with w = 1/m and α̃ = α/dt², here below 0.5 %.
    const TOLERANCE: f64 = 0.01;
    let (links, mass, compliance) = (10u32, 0.02, 1e-4);
    let expected = compliance * mass * G * f64::from(links * (links + 1) / 2);
    // The chain's slowest mode, a quarter wave: ω = π/(2 n √(α m)).
    let omega = FRAC_PI_2 / (f64::from(links) * (compliance * mass).sqrt());
    for (backend, solver, name) in backends_and_solvers() {
        for (substeps, iterations) in [(10, 40), (40, 10), (160, 4)] {
            let points = (0..=links).map(|i| DVec3::new(0.0, 1.0 - 0.1 * f64::from(i), 0.0)).collect();
            let scene = Scene {
                substeps,
                iterations,
                solver,
                damping: 2.0 * omega,
                points: vec![linked(points, mass, compliance, chain_links(links + 1), vec![0])],
                ..Default::default()
            };
            let mut simulation = backend.simulate(&scene);
            simulation.advance(8).unwrap();
            let end = simulation.positions().unwrap()[links as usize];
            let name = format!("{name}, {substeps} substeps of {iterations} iterations");
            assert_close(-end.y, expected, TOLERANCE, &name);
        }
    }
}

/// Where the nodes of a chain of equal rigid links hang between two pins at one height: the horizontal pull is the
/// same everywhere and link k carries (k − (n−1)/2) weights, so its slope is known once the span is met.
fn discrete_catenary(links: u32, length: f64, span: f64) -> Vec<DVec3> {
    let angles =
        |pull: f64| (0..links).map(move |k| ((f64::from(k) - 0.5 * f64::from(links - 1)) / pull).atan());
    let width = |pull: f64| angles(pull).map(|a| length * a.cos()).sum::<f64>();
    let (mut low, mut high) = (1e-3, 1e6);
    for _ in 0..200 {
        let middle = f64::sqrt(low * high);
        if width(middle) < span { low = middle } else { high = middle }
    }
    let mut x = DVec3::new(-0.5 * span, 0.0, 0.0);
    let mut nodes = vec![x];
    for angle in angles(low) {
        x += length * DVec3::new(angle.cos(), angle.sin(), 0.0);
        nodes.push(x);
    }
    nodes
}

/// Sag of the continuous catenary of a length over a span.
fn catenary_sag(length: f64, span: f64) -> f64 {
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..200 {
        let a = f64::sqrt(low * high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length { low = a } else { high = a }
    }
    low * ((span / (2.0 * low)).cosh() - 1.0)
}

#[test]
fn a_hanging_chain_of_rigid_links_is_a_catenary() {
    /// Rigid links at few iterations give a little: about dt² w per link as compliance, 0.2 % of the length here.
    const TOLERANCE: f64 = 0.01;
    let (links, span) = (32u32, 0.6);
    let length = 1.0 / f64::from(links);
    // Starts as a V, whose links have their length too.
    let slope = f64::sqrt(1.0 - span * span);
    let start: Vec<DVec3> = (0..=links)
        .map(|i| {
            let along = f64::from(i) * length - 0.5;
            DVec3::new(along * span, (along.abs() - 0.5) * slope, 0.0)
        })
        .collect();
    let expected = discrete_catenary(links, length, span);
    let sag = -expected[links as usize / 2].y;
    // A polygon of 32 links is close to the curve: the answer is the catenary, not only its discrete sister.
    assert_close(sag, catenary_sag(1.0, span), 0.005, "sag of the polygon and the curve");
    for (backend, solver, name) in backends_and_solvers() {
        let scene = Scene {
            substeps: 40,
            iterations: if solver == SolverKind::Jacobi { 8 } else { 4 },
            solver,
            damping: 12.0,
            points: vec![linked(start.clone(), 0.01, 0.0, chain_links(links + 1), vec![0, links])],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(90).unwrap();
        let error = largest_distance(&simulation.positions().unwrap(), &expected) / sag;
        assert_below(error, TOLERANCE, &format!("{name}: distance from the catenary over the sag"));
    }
}

/// K(k), the complete elliptic integral of the first kind, by the arithmetic-geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / a
}

/// Times at which a pendulum passed its lowest point [s], and the energy it kept.
struct Swing {
    crossings: Vec<f64>,
    /// Energy over the lowest point at the end, over that at the start.
    energy_kept: f64,
}

/// Samples per small-amplitude period.
const FRAMES: u32 = 40;
/// √(g/L) of a pendulum of 1 m [rad/s].
fn swing_frequency() -> f64 {
    G.sqrt()
}

/// Lets go a pendulum of 1 m and watches it for some small-amplitude periods of `FRAMES * substeps` substeps.
fn swing(backend: &TestBackend, solver: SolverKind, angle: f64, substeps: u32, periods: u32) -> Swing {
    let bob = DVec3::new(angle.sin(), -angle.cos(), 0.0);
    let scene = Scene {
        time_step: TAU / swing_frequency() / f64::from(FRAMES),
        substeps,
        solver,
        points: vec![linked(vec![DVec3::ZERO, bob], 0.3, 0.0, vec![[0, 1]], vec![0])],
        ..Default::default()
    };
    let mut simulation = backend.simulate(&scene);
    let energy = |x: DVec3, v: DVec3| G * (x.y + 1.0) + 0.5 * v.length_squared();
    let mut crossings = Vec::new();
    let mut before = bob.x;
    for _ in 0..periods * FRAMES {
        simulation.step().unwrap();
        let x = simulation.positions().unwrap()[1].x;
        if before * x < 0.0 {
            // A pendulum passes its lowest point with constant speed to third order.
            crossings.push(simulation.time() - scene.time_step * x / (x - before));
        }
        before = x;
    }
    let [x, v] = [simulation.positions().unwrap()[1], simulation.velocities().unwrap()[1]];
    Swing { crossings, energy_kept: energy(x, v) / energy(bob, DVec3::ZERO) }
}

#[test]
fn a_small_swing_keeps_its_period_and_loses_energy_as_an_implicit_step_does() {
    /// Of the period: −(ω dt)²/3 from the step (8e-5), A²/16 from the amplitude (6e-5), and the interpolation.
    const PERIOD_TOLERANCE: f64 = 3e-4;
    /// Of the energy lost; the rate below is its first order in ω dt = 0.016.
    const LOSS_TOLERANCE: f64 = 0.01;
    let (angle, substeps, periods) = (0.03, 10, 10);
    let period = TAU / swing_frequency();
    for (backend, solver, name) in backends_and_solvers() {
        let Swing { crossings, energy_kept } = swing(&backend, solver, angle, substeps, periods);
        let last = crossings.len() - 1;
        let measured = 2.0 * (crossings[last] - crossings[0]) / last as f64;
        assert_close(measured, period, PERIOD_TOLERANCE, &format!("{name}: period"));
        // The constraint pulls along the direction it has at the end of the step: an implicit Euler step, which
        // shrinks a mode by (1 + ω² dt²)^−½, so that energy decays by ω² dt a second.
        let dt = period / f64::from(FRAMES * substeps);
        let expected = 1.0 - (-swing_frequency().powi(2) * dt * f64::from(periods) * period).exp();
        assert_close(
            1.0 - energy_kept,
            expected,
            LOSS_TOLERANCE,
            &format!("{name}: energy lost in {periods} periods"),
        );
    }
}

#[test]
fn a_swing_of_90_degrees_takes_as_long_as_the_elliptic_integral_says() {
    /// A swing loses energy in proportion to the step and a smaller swing is quicker: 0.5 % with 2,000 substeps.
    const STEP_TOLERANCE: f64 = 0.006;
    /// What is left of that when half the step says how much it was: second order.
    const LIMIT_TOLERANCE: f64 = 3e-4;
    let expected = 4.0 / swing_frequency() * elliptic(std::f64::consts::FRAC_1_SQRT_2);
    for (backend, solver, name) in backends_and_solvers() {
        let [coarse, fine] = [50, 100].map(|substeps| {
            let c = swing(&backend, solver, FRAC_PI_2, substeps, 1).crossings;
            2.0 * (c[1] - c[0])
        });
        assert_close(coarse, expected, STEP_TOLERANCE, &format!("{name}: period"));
        assert_close(
            2.0 * fine - coarse,
            expected,
            LIMIT_TOLERANCE,
            &format!("{name}: in the limit of small steps"),
        );
    }
}
