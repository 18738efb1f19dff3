//! The substep that magnets want.
//!
//!   k = 24 (μ₀/4π) a b/r⁵        dt ≤ 0.3 √(m/k)
//!
//! Two dipoles in line pull with 6 (μ₀/4π) a b/r⁴; k is how fast that changes where bodies of their volumes would touch, and m their reduced mass.

use super::field::MU;
use crate::model::Model;
use crate::model::magnets::Magnet;
use glam::DVec3;
use std::f64::consts::PI;

/// Share of √(m/k) that a substep may take.
const SHARE: f64 = 0.3;

/// The bodies of the stiffest pair of rigid magnets, and the longest substep that follows it [s].
pub fn stiffest_pair(model: &Model) -> Option<([u32; 2], f64)> {
    let rigid: Vec<&Magnet> = model.magnets.iter().filter(|magnet| magnet.rigid.is_some()).collect();
    let mut stiffest: Option<([u32; 2], f64)> = None;
    for (i, a) in rigid.iter().enumerate() {
        for b in &rigid[i + 1..] {
            let masses: f64 = [a, b]
                .iter()
                .map(|magnet| model.particles.inverse_masses[magnet.particles[0] as usize])
                .sum();
            let moments = moment(a) * moment(b);
            let stiffness = 24.0 * MU * moments / (radius(a) + radius(b)).powi(5);
            let step = SHARE / (masses * stiffness).sqrt();
            if step.is_finite() && stiffest.is_none_or(|(_, least)| step < least) {
                let bodies = [a, b].map(|magnet| model.rigid[magnet.rigid.unwrap_or(0) as usize].body);
                stiffest = Some((bodies, step));
            }
        }
    }
    stiffest
}

fn moment(magnet: &Magnet) -> f64 {
    magnet.cells.iter().map(|cell| cell.moment).sum::<DVec3>().length()
}

/// Of a ball as large as its cells [m].
fn radius(magnet: &Magnet) -> f64 {
    match &magnet.cells[..] {
        [cell] => cell.radius,
        cells => (0.75 / PI * cells.iter().map(|cell| 8.0 * cell.radius.powi(3)).sum::<f64>()).cbrt(),
    }
}
