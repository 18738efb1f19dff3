//! Bodies that nothing touches.

use crate::{assert_close, backends, run, scene, simulate};
use glam::DVec3;
use sinew::model::Model;
use sinew::rigid::spin::next_spin;
use sinew::scene::{Rigid, RigidShape, Scene};

/// Moments of 1, 2 and 3 kg m², turning about the middle axis, almost.
fn tumbling() -> Scene {
    let rigid = Rigid {
        shape: RigidShape::Box { size: DVec3::ONE },
        mass: Some(1.0),
        inertia: Some(DVec3::new(1.0, 2.0, 3.0)),
        spin: DVec3::new(0.2, 5.0, 0.0),
        velocity: DVec3::new(0.3, 0.0, -0.1),
        rotation: DVec3::ZERO,
        ..Rigid::default()
    };
    Scene { gravity: DVec3::ZERO, ..scene(vec![rigid]) }
}

/// Half the period of Jacobi's elliptic functions with these data: 2 K(k)/p = 3.18956 s.
const FLIP: f64 = 3.189_56;

#[test]
fn a_body_flips_as_euler_says_and_keeps_its_momentum() {
    for ((name, options), [flip, momentum]) in
        backends().iter().zip([[1e-3, 1e-12], [1e-2, 1e-5], [1e-2, 1e-5]])
    {
        let mut simulation = simulate(&tumbling(), options);
        let start = simulation.measure().unwrap();
        let mut crossings: Vec<f64> = Vec::new();
        let mut before = (0.0, 5.0);
        let mut band = 0.0f64;
        while crossings.len() < 3 {
            simulation.advance(1).unwrap();
            let spin = simulation.frames().unwrap().spins[0].y;
            let (time, last) = (simulation.time(), before);
            if spin * last.1 < 0.0 {
                crossings.push(last.0 + (time - last.0) * last.1 / (last.1 - spin));
            }
            before = (time, spin);
            let now = simulation.measure().unwrap();
            band = band.max((now.kinetic_energy / start.kinetic_energy - 1.0).abs());
            let lost = (now.spin - start.spin).length() / start.spin.length();
            assert!(lost < momentum, "{name}: {lost:.1e} of the angular momentum lost at {time} s");
            assert!((now.momentum - start.momentum).length() < 1e-6 * start.momentum.length(), "{name}");
        }
        let interval = (crossings[2] - crossings[0]) / 2.0;
        println!("{name}: flips every {interval:.6} s, energy within {band:.2e}");
        assert_close(&format!("{name}: interval of flips"), interval, FLIP, flip);
        assert!(band < 3e-5, "{name}: energy within {band:.2e}");
    }
}

/// Angular momentum in space after 100,000 substeps: 10⁻¹² in f64 and 10⁻⁴ in f32.
#[test]
fn angular_momentum_outlasts_a_hundred_thousand_substeps() {
    for ((name, options), allowed) in backends()[..2].iter().zip([1e-12, 1e-4]) {
        let mut simulation = simulate(&Scene { substeps: 100, ..tumbling() }, options);
        let start = simulation.measure().unwrap();
        simulation.advance(1000).unwrap();
        let end = simulation.measure().unwrap();
        let lost = (end.spin - start.spin).length() / start.spin.length();
        let energy = end.kinetic_energy / start.kinetic_energy - 1.0;
        println!("{name}: {lost:.1e} of the angular momentum, {energy:+.1e} of the energy");
        assert!(lost < allowed, "{name}: {lost:.1e} of the angular momentum lost");
        assert!(energy.abs() < 1e-3, "{name}: energy {energy:+.1e}");
    }
}

/// The largest relative error of the energy in some seconds at a step, by the law alone.
fn energy_band(h: f64, seconds: f64) -> f64 {
    use sinew::math::Vec3;
    let (inverse, moments) = (Vec3::of([1.0, 0.5, 1.0 / 3.0]), Vec3::of([1.0, 2.0, 3.0]));
    let energy = |w: Vec3<f64>| w.dot(moments.scaled(w));
    let mut spin = Vec3::of([0.01, 5.0, 0.01]);
    let start = energy(spin);
    (0..(seconds / h) as u32).fold(0.0, |largest: f64, _| {
        spin = next_spin(spin, inverse, Vec3::ZERO, h);
        largest.max((energy(spin) / start - 1.0).abs())
    })
}

#[test]
fn the_energy_stays_in_a_band_of_second_order() {
    let (coarse, fine) = (energy_band(1.0 / 600.0, 60.0), energy_band(1.0 / 1200.0, 60.0));
    println!("bands of {coarse:.3e} and {fine:.3e}");
    assert_close("band at 1/600 s", coarse, 1.16e-5, 0.2);
    assert_close("band at half the step", fine, coarse / 4.0, 0.05);
}

/// Bodies of a micrometre and of a kilometre turn alike: nothing under- or overflows in f32.
#[test]
fn the_size_of_a_body_does_not_matter() {
    for (name, options) in backends() {
        let turned = [1e-18, 1.0, 1e11].map(|factor| {
            let mut scene = tumbling();
            scene.rigid[0].mass = Some(f64::max(factor, 1e-12));
            scene.rigid[0].inertia = Some(factor * DVec3::new(1.0, 2.0, 3.0));
            run(&scene, &options, 1.0).frames().unwrap().spins[0]
        });
        for spin in turned {
            assert!((spin - turned[1]).length() < 1e-4 * turned[1].length(), "{name}: {turned:?}");
        }
    }
}

#[test]
fn a_turned_box_far_from_its_axes_starts_with_the_spin_it_was_given() {
    let rigid = Rigid {
        shape: RigidShape::Box { size: DVec3::new(0.1, 0.2, 0.4) },
        rotation: DVec3::new(20.0, 40.0, 70.0),
        spin: DVec3::new(1.0, -2.0, 3.0),
        ..Rigid::default()
    };
    let model = Model::new(&scene(vec![rigid.clone()])).unwrap();
    let body = &model.rigid[0];
    assert!((body.orientation * body.spin - rigid.spin).length() < 1e-12);
    assert_close("mass", model.particles.masses[0], 8.0, 1e-12);
    assert_close("middle moment", body.moments.y, 8.0 / 12.0 * (0.01 + 0.16), 1e-12);
}

/// Surface vertices are where the body is, on every backend, and move with it.
#[test]
fn the_surface_moves_with_the_body() {
    let mut scene = tumbling();
    scene.rigid[0].position = DVec3::new(1.0, 2.0, 3.0);
    for (name, options) in backends() {
        let mut simulation = run(&scene, &options, 0.5);
        let (centre, frames) = (simulation.positions().unwrap()[0], simulation.frames().unwrap());
        let surface = simulation.skin_positions().unwrap();
        assert_eq!(surface.len(), 24, "{name}: a box has creases");
        for x in &surface {
            let arm = frames.orientations[0].conjugate() * (*x - centre);
            assert!((arm.abs() - 0.5).abs().max_element() < 1e-5, "{name}: {arm}");
        }
    }
}
