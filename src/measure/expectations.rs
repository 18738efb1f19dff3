//! What a scene's `[expect]` table says about a state.

use super::Measures;
use crate::model::Model;
use crate::scene::{Expect, Range};
use glam::DVec3;

/// The expectations that a state does not meet, a sentence each. Positions are in the model's numbering.
pub fn unmet(model: &Model, expect: &Expect, measures: &Measures, positions: &[DVec3]) -> Vec<String> {
    let at_most = |limit: Option<f64>| Range { max: limit.unwrap_or(f64::INFINITY), ..Range::ALL };
    let scalars = [
        ("max_stretch", measures.max_stretch, at_most(expect.max_stretch)),
        ("energy", measures.energy(), expect.energy),
        ("kinetic_energy", measures.kinetic_energy, expect.kinetic_energy),
        ("momentum", measures.momentum.length(), expect.momentum),
        ("spin", measures.spin.length(), expect.spin),
        ("max_speed", measures.max_speed, at_most(expect.max_speed)),
        ("max_violation", measures.limit_violation, at_most(expect.max_violation)),
        ("max_inverted", f64::from(measures.inverted), at_most(expect.max_inverted)),
        ("max_switches", measures.switches as f64, at_most(expect.max_switches)),
        ("max_compression", measures.max_compression, at_most(expect.max_compression)),
        ("bend_energy", measures.rods.bend, expect.bend_energy),
        ("twist_energy", measures.rods.twist, expect.twist_energy),
        ("max_misalignment", measures.rod_angles.misalignment.to_degrees(), at_most(expect.max_misalignment)),
        ("max_joint_angle", measures.rod_angles.joint.to_degrees(), at_most(expect.max_joint_angle)),
        ("lowest", measures.lowest, expect.lowest),
        ("highest", measures.highest, expect.highest),
    ];
    let mut unmet: Vec<String> = scalars
        .into_iter()
        .filter(|(_, value, range)| !range.contains(*value))
        .map(|(name, value, range)| format!("{name} is {value:.6e}, expected {}", interval(range)))
        .collect();
    for (wanted, &particle) in expect.particle.iter().zip(&model.expected) {
        let x = positions[particle as usize];
        if !(x.cmpge(wanted.min).all() && x.cmple(wanted.max).all()) {
            unmet.push(format!(
                "a particle of `{}` is at ({:.4}, {:.4}, {:.4}), expected between {} and {}",
                wanted.body, x.x, x.y, x.z, wanted.min, wanted.max
            ));
        }
    }
    unmet
}

/// A range in words.
pub fn interval(range: Range) -> String {
    match (range.min.is_finite(), range.max.is_finite()) {
        (true, true) => format!("{:e} to {:e}", range.min, range.max),
        (true, false) => format!("at least {:e}", range.min),
        _ => format!("at most {:e}", range.max),
    }
}
