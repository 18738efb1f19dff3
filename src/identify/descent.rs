//! Descent along the gradient of the mean squared distance, as in the source of the method (Frank et al. 2010, algorithm 2): slower than
//! [`super::fit()`], and the same end.
//!
//! The gradient is of central differences: E by 2 %, ν by 0.02. E and ν differ by orders of magnitude, so the steps are of ln E and ν, each
//! scaled by its own curvature. A step that makes the error grow is halved rather than taken for the end.

use super::IdentifyError;
use super::fit::{Fit, MOST_POISSON, Minimum, Options, PoissonPrior, Problem, finish};
use super::system::{Place, System, Unknowns};

/// Differences of ln E and of ν.
const STEPS: [f64; 2] = [0.02, 0.02];
/// Change of the error, as a share, that ends the descent.
const CLOSE: f64 = 1e-4;
const MOST_STEPS: usize = 60;
/// Steps after which the noise is known, and with it the points at rims that it may have put on the wrong side.
const ROUGH_STEPS: usize = 3;
/// The longest step of ln E and of ν.
const LONGEST: [f64; 2] = [0.7, 0.1];

/// Finds E and ν by descent. The refinement of the mesh and the deviations are those of [`super::fit()`].
pub fn descend(problem: &Problem, options: &Options) -> Result<Fit, (Option<usize>, IdentifyError)> {
    let mut system = System::new(problem, options)?;
    let mut at = system.start()?;
    let mut places = system.evaluate(&at)?;
    system.judge_noise(&places);
    let moves_poisson = !matches!(options.poisson, PoissonPrior::Fixed(_));
    let mut is_converged = false;
    for step in 0..MOST_STEPS {
        if step == ROUGH_STEPS && system.drop_rims(&places) {
            places = system.evaluate_near(&at, &places)?;
        }
        let here = system.objective(&at, &places);
        let mut way = [0.0; 2];
        for k in 0..if moves_poisson { 2 } else { 1 } {
            let mut value = |sign: f64| -> Result<f64, (Option<usize>, IdentifyError)> {
                let mut offset = [0.0; 2];
                offset[k] = sign * STEPS[k];
                let next = moved(&at, offset);
                let found = system.evaluate_near(&next, &places)?;
                Ok(system.objective(&next, &found))
            };
            let (up, down) = (value(1.0)?, value(-1.0)?);
            let (slope, curvature) =
                (0.5 * (up - down) / STEPS[k], (up - 2.0 * here + down) / (STEPS[k] * STEPS[k]));
            // Far on the soft side the error is hollow: there the sign alone counts.
            let wanted = if curvature > 0.0 { -slope / curvature } else { -slope.signum() * LONGEST[k] };
            way[k] = wanted.clamp(-LONGEST[k], LONGEST[k]);
        }
        let mut length = 1.0;
        let next = loop {
            let next = moved(&at, way.map(|s| s * length));
            if let Ok(found) = system.evaluate_near(&next, &places)
                && system.objective(&next, &found) < here
            {
                break Some((next, found));
            }
            length *= 0.5;
            if length < 1e-3 {
                break None;
            }
        };
        let Some((next, found)): Option<(Unknowns, Vec<Place>)> = next else {
            is_converged = true;
            break;
        };
        let gain = here - system.objective(&next, &found);
        (at, places) = (next, found);
        system.judge_noise(&places);
        if gain < CLOSE * here {
            is_converged = true;
            break;
        }
    }
    finish(problem, options, system, Minimum { at, places, is_converged })
}

fn moved(at: &Unknowns, [log_e, nu]: [f64; 2]) -> Unknowns {
    Unknowns {
        compliance: at.compliance * (-log_e).exp(),
        poisson: (at.poisson + nu).clamp(0.0, MOST_POISSON),
        ..*at
    }
}
