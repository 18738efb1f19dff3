//! Rods whose section is not round.

use super::{assert_close, backends, run, scene};
use glam::DVec3;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodShape, Scene};

const FLAT: f64 = 20.0;
const UPRIGHT: f64 = 300.0;
const TWIST: f64 = 50.0;

/// A strip of two metres out of a wall, whose first axis points there.
fn strip(normal: DVec3, end: RodEnd, method: RodMethod) -> Rod {
    Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: 2.0 * DVec3::X, segments: 20 },
        material: RodMaterial {
            radius: 0.01,
            // Shear, F L/(k G A), adds an eighth of a per cent to what the upright strip sags.
            youngs_modulus: 2e9,
            density: 1000.0,
            bending_stiffness: Some([FLAT, UPRIGHT]),
            twist_stiffness: Some(TWIST),
            ..RodMaterial::RUBBER
        },
        normal: Some(normal),
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        end,
        method,
        ..Rod::default()
    }
}

/// Laid flat it bends about its first axis, set upright about its second: F L³/3EI each, for a force that bends it by a hundredth of its length.
#[test]
fn a_strip_bends_by_its_two_stiffnesses() {
    for (backend, options) in backends() {
        for (normal, stiffness) in [(DVec3::Z, FLAT), (DVec3::Y, UPRIGHT)] {
            let sag = 0.02;
            let force = DVec3::NEG_Y * (sag * 3.0 * stiffness / 8.0);
            let end = RodEnd { force, ..RodEnd::default() };
            let rod = strip(normal, end, RodMethod::Direct);
            let scene = Scene { gravity: DVec3::ZERO, damping: 6.0, ..scene(rod) };
            let x = run(&scene, &options, 6.0).positions().unwrap();
            assert_close(&format!("{backend}, normal {normal}: sag"), -x[20].y, sag, 5e-3);
        }
    }
}

/// A torque about its axis twists it by T L/GJ.
#[test]
fn a_strip_twists_by_its_own_stiffness() {
    for (backend, options) in backends() {
        let angle = 0.3;
        let end = RodEnd { torque: DVec3::X * (angle * TWIST / 2.0), ..RodEnd::default() };
        let scene =
            Scene { gravity: DVec3::ZERO, damping: 6.0, ..scene(strip(DVec3::Z, end, RodMethod::Direct)) };
        let frames = run(&scene, &options, 6.0).frames().unwrap().orientations;
        let turn = frames[0].conjugate() * frames[frames.len() - 1];
        // The last frame ends half a segment before the end of the rod.
        let found = 2.0 * turn.z.atan2(turn.w);
        assert_close(&format!("{backend}: twist"), found.abs(), angle * (1.0 - 0.5 / 20.0), 5e-3);
    }
}
