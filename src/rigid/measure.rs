//! What the rotation of rigid bodies amounts to, in f64.
//!
//! The angular momentum is that of the integrator between two substeps ([`super::predict_bodies`]), which is constant to rounding
//! where no torque acts; R I ξ, with the spin of the substep before and the axes after it, would swing by a share of h ξ/2.

use crate::model::Model;
use crate::model::frames::FrameState;
use glam::DVec3;

/// Kinetic energy of the bodies' spins [J], and their angular momentum about their centres [kg m²/s].
pub fn spin_energy(model: &Model, frames: &FrameState) -> (f64, DVec3) {
    let h = model.settings.substep();
    let (mut energy, mut momentum) = (0.0, DVec3::ZERO);
    for body in &model.rigid {
        let (spin, axes) = (frames.spins[body.frame as usize], frames.orientations[body.frame as usize]);
        let turned = body.moments * spin;
        let own = turned - 0.5 * h * spin.cross(turned) + 0.25 * h * h * spin.dot(turned) * spin;
        energy += 0.5 * own.dot(own / body.moments);
        momentum += axes * own;
    }
    (energy, momentum)
}
