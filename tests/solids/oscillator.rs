//! One vertex on three that are held: an oscillator, by explicit Euler.
//!
//!   s̈ = −ω² s − γ ṡ        ω² = 4 (λ + 2 μ)/ρ h²
//!
//! A substep multiplies (s, v) by [[1, dt], [−dt ω², 1 − dt γ]]. Its eigenvalues are within 1 where dt ω² < γ < 2/dt + dt ω²/2
//! (Schmedding 2012, sec. 8.1.1), and √(1 + dt² ω²) without damping.

use super::{assert_close, backends};
use glam::DVec3;
use sinew::meshing::tet_mesh::TetMesh;
use sinew::model::Model;
use sinew::scene::{
    Integrator, Pin, Scene, Selector, Solid, SolidDamping, SolidMaterial, SolidModel, SolidShape,
};
use sinew::{Options, Simulation};

/// [1/s].
const OMEGA: f64 = 10.0;

/// The right tetrahedron with h = 1 m, held by all corners but one, of which a quarter of the mass hangs on E = ω² ρ/4.
fn oscillator(gamma: f64) -> Solid {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    Solid {
        shape: SolidShape::Tets(TetMesh { vertices, tets: vec![[0, 1, 2, 3]], ..TetMesh::default() }),
        model: SolidModel::Linear,
        material: SolidMaterial {
            youngs_modulus: OMEGA * OMEGA * 250.0,
            poisson_ratio: 0.0,
            density: 1000.0,
        },
        damping: SolidDamping { mass: gamma, ..SolidDamping::default() },
        pin: vec![Pin { selector: Selector::Indices(vec![0, 1, 2]), ..Pin::default() }],
        ..Solid::default()
    }
}

/// The amplitudes √(s² + v²/ω²) of oscillators after so many steps, over those they were let go with.
fn amplitudes(gammas: &[f64], dt: f64, steps: u32, options: &Options) -> Vec<f64> {
    const START: f64 = 0.125;
    let scene = Scene {
        gravity: DVec3::ZERO,
        // A step that every damping of the test bears at load; the true one follows.
        time_step: 1e-5,
        substeps: 1,
        integrator: Integrator::Explicit,
        solid: gammas.iter().map(|&gamma| oscillator(gamma.max(0.01))).collect(),
        ..Scene::default()
    };
    let mut model = Model::new(&scene).unwrap_or_else(|error| panic!("{error}"));
    model.settings.time_step = dt;
    for (k, &gamma) in gammas.iter().enumerate() {
        model.solid_materials[model.elements[k].tets[0].material as usize].rayleigh = [gamma, 0.0];
    }
    let tips = model.particles.positions.iter_mut().filter(|x| x.z > 0.5);
    tips.for_each(|x| x.z += START);
    let mut simulation = Simulation::from_model(model, options).unwrap();
    simulation.advance(steps).unwrap();
    let (x, v) = (simulation.positions().unwrap(), simulation.velocities().unwrap());
    let amplitude = |k: usize| (x[4 * k + 3].z - 1.0).hypot(v[4 * k + 3].z / OMEGA) / START;
    (0..gammas.len()).map(amplitude).collect()
}

/// At one per cent from either end of the window, an oscillator dies out inside and grows outside.
#[test]
fn explicit_euler_is_stable_within_its_window_of_damping() {
    for (name, options) in backends() {
        for (dt, window) in [(0.01, [1.0, 200.5]), (0.1, [10.0, 25.0])] {
            // Forty seconds for the slow growth at the lower end, some steps for that of the upper one.
            for (end, steps, inside) in [(window[0], (40.0 / dt) as u32, 1.01), (window[1], 200, 0.99)] {
                let gammas = [inside * end, (2.0 - inside) * end];
                let found = amplitudes(&gammas, dt, steps, &options);
                println!("{name}, dt = {dt} s, γ = {gammas:?} 1/s: {found:?} after {steps} steps");
                assert!(found[0] < 0.9 && found[1] > 1.1, "{name}, dt = {dt}, γ = {gammas:?}: {found:?}");
            }
        }
    }
}

/// Without damping an oscillation grows by √(1 + dt² ω²) a step: 1.6446 times in a second of steps of 10 ms, 1.0513 times of 1 ms.
#[test]
fn explicit_euler_feeds_what_is_not_damped() {
    for (name, options) in backends() {
        for (dt, steps, known) in [(0.01, 100, 1.6446), (0.001, 1000, 1.0513)] {
            let growth = (1.0 + (dt * OMEGA).powi(2)).powf(0.5 * f64::from(steps));
            assert!((growth - known).abs() < 5e-5);
            let found = amplitudes(&[0.0], dt, steps, &options)[0];
            assert_close(
                &format!("{name}, dt = {dt}"),
                found,
                growth,
                if name == "cpu f64" { 1e-9 } else { 1e-4 },
            );
        }
    }
}

/// A body in free fall: x = Σ dt v lags behind, v = g t does not.
#[test]
fn what_falls_explicitly_starts_a_step_late() {
    let damping = SolidDamping { stiffness: 0.005, ..SolidDamping::default() };
    let scene = Scene {
        time_step: 1e-3,
        substeps: 1,
        integrator: Integrator::Explicit,
        solid: vec![Solid { damping, ..Solid::default() }],
        ..Scene::default()
    };
    for (name, options) in backends() {
        let mut simulation = super::simulate(&scene, &options);
        simulation.advance(100).unwrap();
        let measures = simulation.measure().unwrap();
        let tolerance = if name == "cpu f64" { 1e-9 } else { 1e-4 };
        assert_close(&format!("{name}, speed"), measures.momentum.y / 1000.0, -0.981, tolerance);
        // Σ of dt² g k over k = 0 … 99.
        assert_close(&format!("{name}, way"), measures.centre.y, -9.81e-6 * 4950.0, tolerance);
    }
}

/// Too little damping is refused, with what would be enough.
#[test]
fn explicit_steps_without_damping_are_refused_with_a_cure() {
    let refused = |keys: &str, solid: &str| {
        let text = format!(
            "format = 1\nintegrator = \"explicit\"\n{keys}\n[[solid]]\nbox = {{ size = [1, 1, 1], cells = [4, 4, 4] }}\n{solid}\n"
        );
        let scene = Scene::parse(&text, "test.toml", "").unwrap_or_else(|error| panic!("{error}"));
        Model::new(&scene).map(drop).map_err(|error| error.to_string())
    };
    // dt ω² = 1.667e-3 · 146.035² = 35.5 1/s.
    let message = refused("", "").unwrap_err();
    assert!(message.contains("`damping = { mass = 41.4") && message.contains("symplectic"), "{message}");
    refused("", "damping = { mass = 41.5 }").unwrap();
    let message = refused("", "damping = { mass = 10 }").unwrap_err();
    assert!(message.contains("0.469 ms") && message.contains("`substeps = 40`"), "{message}");
    refused("substeps = 40", "damping = { mass = 10 }").unwrap();
    let message = refused("substeps = 1", "").unwrap_err();
    assert!(!message.contains("mass ="), "no damping helps there: {message}");
}
