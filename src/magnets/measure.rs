//! The energy of magnets, in f64.

use super::pair_magnets::MU;
use crate::model::Model;
use crate::model::frames::FrameState;
use glam::DVec3;

/// −Σ m·B of the scene's field, and of each pair once [J]. Of pairs nearer than their radii it is that at this distance.
pub fn energy(model: &Model, positions: &[DVec3], frames: &FrameState) -> f64 {
    let field = model.settings.magnetic_field.unwrap_or_default();
    let magnets: Vec<(DVec3, DVec3, f64)> = model
        .magnets()
        .map(|body| {
            let moment = frames.orientations[body.frame as usize] * body.moment;
            (positions[body.particle as usize], moment, body.magnet_radius)
        })
        .collect();
    let mut energy = 0.0;
    for (i, (x, a, radius)) in magnets.iter().enumerate() {
        energy -= a.dot(field.at(*x));
        for (y, b, other) in &magnets[i + 1..] {
            let (n, distance) = ((*y - *x).normalize_or_zero(), x.distance(*y).max(radius + other));
            energy -= MU / distance.powi(3) * (3.0 * a.dot(n) * b.dot(n) - a.dot(*b));
        }
    }
    energy
}
