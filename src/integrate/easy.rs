//! Which bodies are solved as fast without coarser levels.
//!
//! Block-Jacobi alone takes about ½ √(1 + τ² ω²) ln(2/ε) iterations to a residual of ε, τ the time over which forces count in the matrix and ω the
//! highest frequency of the body at rest. Measured on sheets and solids of 3 to 32 cells along an edge it takes two thirds of that. Up to twenty, matrices of coarser levels cost
//! more than the iterations that they save. `preconditioner = "auto"` goes by this rule, body by body.

use crate::model::Settings;
use crate::scene::Integrator;

/// Estimated iterations up to which a body has one level.
pub const MOST_ITERATIONS: f64 = 20.0;
/// Particles of a body beyond which nobody asks how stiff it is.
pub const MOST_PARTICLES: usize = 20_000;

/// Estimated iterations of block-Jacobi for a body whose longest stable symplectic substep is 2/ω.
pub fn iterations(settings: &Settings, stable_substep: f64) -> f64 {
    let share = match settings.integrator {
        Integrator::Midpoint => 0.5,
        Integrator::Bdf2 => super::two_step::SHARE,
        Integrator::Static => return f64::INFINITY,
        Integrator::Implicit | Integrator::Symplectic | Integrator::Explicit => 1.0,
    };
    let turns = 2.0 * share * settings.substep() / stable_substep;
    0.5 * (1.0 + turns * turns).sqrt() * (2.0 / settings.conjugate_gradients.tolerance).ln()
}
