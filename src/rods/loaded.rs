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
//! loses goes into stretch: T = EA (√2 W/EA)^⅔.

use glam::DVec3;

/// ω dt that automatic substeps allow.
const STABLE: f64 = 1.0;
/// Of a weight that swings down from the height of its support.
const SWINGING: f64 = 3.0;

/// A net, or rods that are alike, and what pulls at them.
pub(crate) struct Loaded<'a> {
    /// Without the weights [kg].
    pub bare_masses: &'a [f64],
    /// (particle, mass [kg]).
    pub weights: &'a [(u32, f64)],
    /// (particle, force [N]).
    pub forces: &'a [(u32, DVec3)],
    /// Of the shortest segment [m].
    pub shortest: f64,
    /// Of the stiffest segment, EA [N].
    pub stretch_stiffness: f64,
    /// How many particles are held.
    pub held: usize,
    /// Rods that share masses, loads and supports; 1 for a net.
    pub rods: usize,
}

impl Loaded<'_> {
    /// The longest substep [s], if more pulls at the body than its own weight. `gravity` is an acceleration [m/s²].
    pub fn longest_substep(&self, gravity: f64) -> Option<f64> {
        let own: f64 = self.bare_masses.iter().sum::<f64>() * gravity;
        let weights: f64 = self.weights.iter().map(|(_, mass)| mass * gravity).sum();
        let load = weights + self.forces.iter().map(|(_, force)| force.length()).sum::<f64>();
        if self.held == 0 || load <= own {
            return None;
        }
        let total = (own + load) / self.rods as f64;
        let swinging = SWINGING * total;
        let across = |ea: f64| ea * (2f64.sqrt() * total / ea).powf(2.0 / 3.0);
        let tension =
            if self.held > self.rods { swinging.max(across(self.stretch_stiffness)) } else { swinging };
        // Ends have half a segment; what is there moves with the support or the load.
        let mut masses = self.bare_masses.to_vec();
        masses.sort_by(f64::total_cmp);
        let mass = *masses.get(masses.len() / 2)?;
        let substep = STABLE * (0.25 * mass * self.shortest / tension).sqrt();
        (substep.is_finite() && substep > 0.0).then_some(substep)
    }
}
