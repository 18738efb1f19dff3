//! Frequencies known on paper.

use super::{assert_close, backends, cuboid, scene, simulate};
use glam::DVec3;
use sinew::scene::{Integrator, Pin, Scene, Selector, Solid, SolidMaterial, SolidModel, SolidStart};

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
