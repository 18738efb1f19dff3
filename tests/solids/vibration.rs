//! Frequencies known on paper.

use super::{assert_close, backends, cuboid, scene, simulate};
use glam::DVec3;
use sinew::model::Model;
use sinew::scene::{Integrator, Load, Pin, Scene, Selector, Solid, SolidMaterial, SolidModel, SolidStart};
use sinew::solids::measure::stable_substep;
use sinew::{Options, Simulation};

/// The period of a bar, held at one end and stretched, which is 4 L √(ρ/E) for every shape of cross-section.
#[test]
fn a_stretched_bar_swings_with_its_period() {
    let (length, strain) = (1.0, 1e-3);
    for (name, options) in backends() {
        for integrator in [Integrator::Symplectic, Integrator::Midpoint] {
            // Three hundred steps of conjugate gradients one by one are slow on a software device.
            if name == "gpu" && integrator == Integrator::Midpoint {
                continue;
            }
            let end = Selector::Box {
                min: DVec3::NEG_INFINITY,
                max: DVec3::new(1e-6, f64::INFINITY, f64::INFINITY),
            };
            let solid = Solid {
                shape: cuboid([length, 0.05, 0.05], [20, 1, 1]),
                position: DVec3::new(0.5 * length, 0.0, 0.0),
                material: SolidMaterial { poisson_ratio: 0.0, ..SolidMaterial::default() },
                model: SolidModel::Corotational,
                start: SolidStart { stretch: DVec3::new(1.0 + strain, 1.0, 1.0), ..SolidStart::default() },
                pin: vec![Pin { selector: end, ..Pin::default() }],
                ..Solid::default()
            };
            let dt = 1e-3;
            let scene =
                Scene { gravity: DVec3::ZERO, time_step: dt, substeps: 1, integrator, ..scene(solid) };
            let mut simulation = simulate(&scene, &options);
            // The tip, from where it would be unstretched.
            let tip =
                simulation.positions().unwrap().iter().map(|x| x.x).fold(0.0, f64::max) - length * strain;
            let mut crossings = Vec::new();
            let mut before = length * strain;
            for step in 1..330 {
                simulation.advance(1).unwrap();
                let now = simulation.positions().unwrap().iter().map(|x| x.x).fold(0.0, f64::max) - tip;
                if (now > 0.0) != (before > 0.0) {
                    crossings.push(dt * (f64::from(step) - now / (now - before)));
                }
                before = now;
            }
            let period = 2.0 * (crossings[1] - crossings[0]);
            let expected = 4.0 * length * (1000.0f64 / 1e5).sqrt();
            assert_close(&format!("{name} {integrator:?}: period"), period, expected, 0.01);
        }
    }
}

/// Length over height of the beam that bends.
const SLENDER: f64 = 6.0;

/// The angular frequency of a mode of a Timoshenko cantilever of length 1 and square section, ν = 0 [1/s]: no bending moment and no
/// shear force at the free end, by shooting from the clamp.
fn timoshenko(mode: usize) -> f64 {
    let (young, density, height) = (1e5, 1000.0, 1.0 / SLENDER);
    let (area, second) = (height * height, f64::powi(height, 4) / 12.0);
    // Shear modulus E/2 and shear factor 5/6.
    let shear = 5.0 / 6.0 * 0.5 * young * area;
    let end = |omega: f64, start: [f64; 4]| {
        let slope = |[w, turn, moment, force]: [f64; 4]| {
            let inertia = density * omega * omega;
            [
                turn + force / shear,
                moment / (young * second),
                -force - inertia * second * turn,
                -inertia * area * w,
            ]
        };
        let steps = 400;
        let h = 1.0 / f64::from(steps);
        let along = |y: [f64; 4], k: [f64; 4], t: f64| std::array::from_fn(|i| y[i] + t * k[i]);
        (0..steps).fold(start, |y, _| {
            let a = slope(y);
            let b = slope(along(y, a, 0.5 * h));
            let c = slope(along(y, b, 0.5 * h));
            let d = slope(along(y, c, h));
            std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
        })
    };
    let miss = |omega: f64| {
        let (a, b) = (end(omega, [0.0, 0.0, 1.0, 0.0]), end(omega, [0.0, 0.0, 0.0, 1.0]));
        a[2] * b[3] - a[3] * b[2]
    };
    let (mut low, mut found) = (0.05, 0);
    loop {
        let high = 1.02 * low;
        if miss(low).signum() != miss(high).signum() {
            found += 1;
            if found == mode {
                let (mut low, mut high) = (low, high);
                for _ in 0..50 {
                    let middle = 0.5 * (low + high);
                    if miss(low).signum() == miss(middle).signum() { low = middle } else { high = middle }
                }
                return low;
            }
        }
        low = high;
    }
}

/// The angular frequency at which a beam of so many cells across swings in one of its modes, set going with the shape of
/// Euler and Bernoulli's [1/s].
fn bending(cells: u32, mode: usize, options: &Options) -> f64 {
    let height = 1.0 / SLENDER;
    let clamp =
        Selector::Box { min: DVec3::NEG_INFINITY, max: DVec3::new(1e-6, f64::INFINITY, f64::INFINITY) };
    let solid = Solid {
        shape: cuboid([1.0, height, height], [6 * cells, cells, cells]),
        position: DVec3::X * 0.5,
        material: SolidMaterial { poisson_ratio: 0.0, ..SolidMaterial::default() },
        pin: vec![Pin { selector: clamp, ..Pin::default() }],
        ..Solid::default()
    };
    let scene = super::explicit(solid);
    let mut model = Model::new(&scene).unwrap();
    let dt = 0.5 * stable_substep(&model, 0).unwrap();
    model.settings.time_step = dt;
    let beta: f64 = [1.875_104_07, 4.694_091_13][mode - 1];
    let ratio = (beta.sinh() - beta.sin()) / (beta.cosh() + beta.cos());
    let shape = |x: f64| {
        let z = beta * x;
        (z.cosh() - z.cos()) - ratio * (z.sinh() - z.sin())
    };
    let (rest, masses) = (model.particles.positions.clone(), model.particles.masses.clone());
    for (v, x) in model.particles.velocities.iter_mut().zip(&rest) {
        *v = DVec3::Y * (1e-3 * shape(x.x));
    }
    let mut simulation = Simulation::from_model(model, options).unwrap();
    let mut before = 0.0;
    // Ten steps are a small part of a period; the way is a sine, nearly straight where it ends.
    for step in (10..).step_by(10) {
        simulation.advance(10).unwrap();
        let x = simulation.model_positions().unwrap();
        let now: f64 = (0..x.len()).map(|i| masses[i] * shape(rest[i].x) * (x[i].y - rest[i].y)).sum();
        if now < 0.0 {
            let half = dt * (f64::from(step) - 10.0 * now / (now - before));
            return std::f64::consts::PI / half;
        }
        before = now;
    }
    unreachable!()
}

/// Linear tetrahedra are too stiff in bending; with refinement the frequencies come down to Timoshenko's with the square of the cell.
#[test]
fn a_bending_beam_swings_with_its_frequencies() {
    for mode in [1, 2] {
        let expected = timoshenko(mode);
        let ratios = [2, 4, 6].map(|cells| bending(cells, mode, &backends()[0].1) / expected);
        let order = ((ratios[0] - 1.0) / (ratios[1] - 1.0)).log2();
        let limit = (36.0 * ratios[2] - 16.0 * ratios[1]) / 20.0;
        println!(
            "mode {mode}: {expected:.4} 1/s, over it {ratios:?}, order {order:.2}, extrapolated {limit:.4}"
        );
        assert!(ratios[0] > ratios[1] && ratios[1] > ratios[2] && ratios[2] > 1.0, "{ratios:?}");
        assert!(ratios[2] < 1.05 && order > 1.6, "{ratios:?}, order {order}");
        assert_close(&format!("mode {mode}, cells of no size"), limit, 1.0, 0.01);
    }
    let exact = bending(2, 1, &backends()[0].1);
    for (name, options) in &backends()[1..] {
        assert_close(name, bending(2, 1, options), exact, 1e-3);
    }
}

/// What a constant pull has done is in the motion and the strain of a bar, and nowhere else.
#[test]
fn the_work_of_a_load_is_what_the_bar_holds() {
    let end =
        Selector::Box { min: DVec3::new(0.499, f64::NEG_INFINITY, f64::NEG_INFINITY), max: DVec3::INFINITY };
    for (_, model) in SolidModel::NAMES.into_iter().filter(|(_, model)| model.has_forces()) {
        let solid = Solid {
            shape: cuboid([1.0, 0.2, 0.2], [5, 1, 1]),
            model,
            load: vec![Load { selector: end.clone(), force: DVec3::X * 100.0 }],
            ..Solid::default()
        };
        for (name, options) in backends() {
            let mut simulation = simulate(&super::explicit(solid.clone()), &options);
            simulation.advance(500).unwrap();
            let m = simulation.measure().unwrap();
            assert!(m.elastic_energy > 0.2 * m.kinetic_energy, "{m:?}");
            let what = format!("{name}, {model:?}: energy");
            assert_close(&what, m.kinetic_energy + m.elastic_energy, -m.load_energy, 0.01);
        }
    }
}
