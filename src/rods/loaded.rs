//! The longest substep at which ropes and nets bear what hangs on them.
//!
//! The direct solvers linearise once an iteration and leave out the stiffness that tension gives to a rope across its axis. Its
//! fastest wave has
//!
//!   ω² = 4 T/(m l)
//!
//! for masses m at distances l under the tension T. Ropes of 1 m with 5 to 1,000 kg, steel wires, and nets stay stable up to
//! ω dt = 1.15 at least and explode at 1.7. The tension is not known before the run; the estimates are of a load that swings
//! down from the height where it is held, T = 3 W, and of one that falls into a rope held on both sides, where all that it
//! loses goes into stretch: T = EA (√2 W/EA)^⅔. A rope that is slack at first is snatched: its load falls freely by a height h along
//! the rope before the length L is tight, and T = W + √(W² + 2 W EA h/L). 5 kg that fall by 1 m into a rope of 39 kN asked for 60 substeps of
//! 1/60 s, 100 are chosen; at the 28 for a load that swings they gained 10⁸ J.
//!
//! What is attached is not part of the direct solve: in every substep the rope's particle, of mass m, goes to its load and is pulled back, which
//! gives the load m x/dt for a distance x. A load of weight M g so hangs (M/m) g dt² too low. With 30 kg on a rope of 43 g and 20 segments that was 16, 2.7 and
//! 0.1 % of a segment at 140, 400 and 1,200 substeps of 1/60 s.

use glam::DVec3;

/// ω dt that automatic substeps allow.
const STABLE: f64 = 1.0;
/// Of a weight that swings down from the height of its support.
const SWINGING: f64 = 3.0;

/// How far below its rope an attached load may hang, in segments.
const APART: f64 = 0.01;

/// What attachments and joints tie to a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hanging {
    /// Of the bodies that hang on it [kg].
    pub mass: f64,
    /// Groups of bodies that hold it.
    pub held: usize,
}

/// A net, or rods that are alike, and what pulls at them.
pub(crate) struct Loaded<'a> {
    /// Without the weights [kg].
    pub bare_masses: &'a [f64],
    /// (particle, mass [kg]).
    pub weights: &'a [(u32, f64)],
    /// (particle, force [N]).
    pub forces: &'a [(u32, DVec3)],
    pub hanging: Hanging,
    /// Of the shortest segment [m].
    pub shortest: f64,
    /// Of the stiffest segment, EA [N].
    pub stretch_stiffness: f64,
    /// How many particles are pinned.
    pub held: usize,
    /// The largest h/L of a load that falls into a slack rope.
    pub slack: f64,
    /// Rods that share masses, loads and supports; 1 for a net.
    pub rods: usize,
}

impl Loaded<'_> {
    /// The longest substep [s], if more pulls at the body than its own weight. `gravity` is an acceleration [m/s²].
    pub fn longest_substep(&self, gravity: f64) -> Option<f64> {
        let own: f64 = self.bare_masses.iter().sum::<f64>() * gravity;
        let weights: f64 = self.weights.iter().map(|(_, mass)| mass).sum();
        let load = (weights + self.hanging.mass) * gravity
            + self.forces.iter().map(|(_, force)| force.length()).sum::<f64>();
        let held = self.held + self.hanging.held;
        if held == 0 || load <= own {
            return None;
        }
        let total = (own + load) / self.rods as f64;
        let swinging = SWINGING * total;
        let across = |ea: f64| ea * (2f64.sqrt() * total / ea).powf(2.0 / 3.0);
        let mut tension =
            if held > self.rods { swinging.max(across(self.stretch_stiffness)) } else { swinging };
        if self.slack > 0.0 {
            let snatched = total + (total * (total + 2.0 * self.stretch_stiffness * self.slack)).sqrt();
            tension = tension.max(snatched);
        }
        // Ends have half a segment; what is there moves with the support or the load.
        let mut masses = self.bare_masses.to_vec();
        masses.sort_by(f64::total_cmp);
        let mass = *masses.get(masses.len() / 2)?;
        let mut substep = STABLE * (0.25 * mass * self.shortest / tension).sqrt();
        if self.hanging.mass > 0.0 {
            let end = 0.5 * mass;
            substep = substep.min((APART * self.shortest * end / (self.hanging.mass * gravity)).sqrt());
        }
        (substep.is_finite() && substep > 0.0).then_some(substep)
    }
}

/// A rope whose ends are farther apart than this share of its length is tight.
const TIGHT: f64 = 0.99;

/// How far the load at one particle of a rope falls before the part between it and the particle that is held is tight, over the length
/// of that part. What it falls across the rope stays motion: it swings on.
pub(crate) fn slack(line: &[DVec3], load: usize, held: usize, up: DVec3) -> f64 {
    let part = &line[load.min(held)..=load.max(held)];
    let length: f64 = part.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let from_support = line[load] - line[held];
    let height = from_support.dot(up);
    if from_support.length() >= TIGHT * length {
        return 0.0;
    }
    let across = from_support.length_squared() - height * height;
    let below = (length * length - across).max(0.0).sqrt();
    (height + below) * (below / length).powi(2) / length
}

#[cfg(test)]
mod tests {
    use super::slack;
    use glam::DVec3;

    #[test]
    fn loads_fall_until_the_rope_is_tight() {
        let line =
            |points: &[[f64; 2]]| points.iter().map(|&[x, y]| DVec3::new(x, y, 0.0)).collect::<Vec<_>>();
        // Folded: the load is beside the support and falls by the whole length.
        let folded = line(&[[0.0, 0.0], [0.0, -0.5], [0.0, 0.0]]);
        assert!((slack(&folded, 2, 0, DVec3::Y) - 1.0).abs() < 1e-12);
        // Upside down gravity lets it rise just as far.
        assert!((slack(&folded, 2, 0, DVec3::NEG_Y) - 1.0).abs() < 1e-12);
        // Straight, whichever way: nothing to fall.
        for end in [[1.0, 0.0], [0.0, -1.0], [0.0, 1.0], [0.6, 0.8]] {
            assert_eq!(slack(&line(&[[0.0, 0.0], end]), 1, 0, DVec3::Y), 0.0);
        }
        // Over 3-4-5: 0.8 below the support after falling 0.8, of which 0.8² goes into the rope.
        let bent = line(&[[0.0, 0.0], [0.3, -0.4], [0.6, 0.0]]);
        assert!((slack(&bent, 2, 0, DVec3::Y) - 0.8 * 0.64).abs() < 1e-12);
        assert!((slack(&bent, 0, 2, DVec3::Y) - 0.8 * 0.64).abs() < 1e-12);
    }
}
