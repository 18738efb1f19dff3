//! What the data can tell, and what they cannot.

use super::fit::{Fit, Options, PoissonPrior, Problem, Sample};
use super::statistics::{f_probability, mean_and_deviation, median, robust_deviation};

/// What a fit is worth.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Verdict {
    /// Whether the data say more about ν than was known before.
    pub poisson_is_seen: bool,
    /// Whether places differ in stiffness; nothing if there is only one.
    pub places_differ: Option<bool>,
    /// How likely differences as large are by chance.
    pub chance: Option<f64>,
    pub mesh_is_too_coarse: bool,
    /// Sentences for what should be known.
    pub words: Vec<String>,
}

/// Curvature of a force–depth curve, over its slope, that is no slip however even the rest is.
const LEAST_KINK: f64 = 0.1;
/// Samples of a place by which a kink can be told from noise.
const LEAST_SAMPLES: usize = 5;
/// Chance below which places are said to differ.
const CHANCE: f64 = 0.01;
/// Difference of places, as a share, that matters.
const DIFFERENT: f64 = 0.1;
/// Change of E by a mesh twice as fine, or of the largest displacement, above which this one is too coarse.
const COARSE: f64 = 0.05;
/// Deviation of E, as a share, above which the result is of little use.
const VAGUE: f64 = 0.2;

/// The number of each sample's place, by where it touches.
pub fn places(samples: &[Sample]) -> Vec<usize> {
    let mut centres: Vec<&Sample> = Vec::new();
    let mut number = |sample| {
        let known = centres.iter().position(|other| same_place(other, sample));
        known.unwrap_or_else(|| {
            centres.push(sample);
            centres.len() - 1
        })
    };
    samples.iter().map(&mut number).collect()
}

fn same_place(a: &Sample, b: &Sample) -> bool {
    let (a, b) = (&a.footprint, &b.footprint);
    a.centre.distance(b.centre) < 0.5 * a.radius && a.direction.dot(b.direction) > 0.9
}

/// The samples of slipping starts, counted from 0: the slope of force over depth jumps up after them.
pub fn slips(samples: &[Sample]) -> Vec<usize> {
    let places = places(samples);
    let count = places.iter().max().map_or(0, |most| most + 1);
    let mut slipped = Vec::new();
    for place in 0..count {
        let mut of_place: Vec<(f64, f64, usize)> = (0..samples.len())
            .filter(|&k| places[k] == place)
            .filter_map(|k| Some((samples[k].depth?, samples[k].force, k)))
            .collect();
        of_place.sort_by(|a, b| a.0.total_cmp(&b.0));
        of_place.dedup_by(|b, a| b.0 <= a.0);
        if of_place.len() < LEAST_SAMPLES {
            continue;
        }
        let slopes: Vec<f64> = of_place.windows(2).map(|w| (w[1].1 - w[0].1) / (w[1].0 - w[0].0)).collect();
        let usual = median(slopes.clone()).abs().max(f64::MIN_POSITIVE);
        let kinks: Vec<f64> = slopes.windows(2).map(|w| (w[1] - w[0]) / usual).collect();
        let middle = median(kinks.clone());
        let deviation = robust_deviation(kinks.iter().map(|k| k - middle));
        let limit = (3.0 * deviation).max(LEAST_KINK);
        // Only in the first half: what comes later is the body's.
        let last = (0..kinks.len() / 2 + 1).rev().find(|&k| kinks[k] - middle > limit);
        if let Some(last) = last {
            slipped.extend(of_place[..=last + 1].iter().map(|s| s.2));
        }
    }
    slipped.sort_unstable();
    slipped
}

/// Judges a fit.
pub fn verdict(problem: &Problem, options: &Options, fit: &Fit) -> Verdict {
    let mut words = Vec::new();
    let [e, e_deviation] = fit.youngs_modulus;
    if !fit.is_converged {
        words.push(
            "the fit did not settle: take its numbers as a hint, and look at the picture of --png".into(),
        );
    }
    if e_deviation > VAGUE * e {
        words.push(format!(
            "E is known to {:.0} % only: use larger pushes, or more points",
            100.0 * e_deviation / e
        ));
    }
    let limit = match options.poisson {
        PoissonPrior::Prior { spread, .. } => spread,
        PoissonPrior::Free | PoissonPrior::Fixed(_) => 0.1,
    };
    let poisson_is_seen = fit.poisson_by_data < limit;
    if !poisson_is_seen && !matches!(options.poisson, PoissonPrior::Fixed(_)) {
        let known = match options.poisson {
            PoissonPrior::Prior { .. } => "; what is given is mostly what was assumed before",
            _ => "",
        };
        words.push(format!(
            "ν is not observable here: the data alone leave it open by ± {:.2}{known}; scan the sides too, with more points",
            fit.poisson_by_data.min(9.99)
        ));
    }
    let places = places(&problem.samples);
    let values: Vec<[f64; 2]> = fit
        .samples
        .iter()
        .map(|s| [s.youngs_modulus[0].ln(), s.youngs_modulus[1] / s.youngs_modulus[0]])
        .collect();
    let compared = compare(&places, &values);
    let differ = compared.as_ref().map(|c| c.chance < CHANCE && c.ratio > 1.0 + DIFFERENT);
    if let (Some(c), Some(true)) = (&compared, differ) {
        words.push(format!(
            "the places differ in stiffness, the stiffest {:.2} times the softest (by chance: {:.1e}); one E does not describe this body",
            c.ratio, c.chance
        ));
    }
    let mut mesh_is_too_coarse = false;
    if let Some(mesh) = &fit.mesh {
        let change = e / mesh.youngs_modulus - 1.0;
        mesh_is_too_coarse = change.abs() > COARSE || mesh.displacement > COARSE;
        if mesh_is_too_coarse {
            words.push(format!(
                "the mesh is too coarse: one twice as fine moves by {:.1} % more and changes E by {:+.1} %; raise the resolution",
                100.0 * mesh.displacement,
                100.0 * change
            ));
        }
    }
    Verdict {
        poisson_is_seen,
        places_differ: differ,
        chance: compared.map(|c| c.chance),
        mesh_is_too_coarse,
        words,
    }
}

/// Means of places, compared.
struct Compared {
    /// Largest over smallest.
    ratio: f64,
    chance: f64,
}

/// Analysis of variance of the logarithms of E: what is between places against what is within them, which is no less than what the noise of
/// the scans makes of it.
fn compare(places: &[usize], values: &[[f64; 2]]) -> Option<Compared> {
    let count = places.iter().max()? + 1;
    if count < 2 {
        return None;
    }
    let groups: Vec<Vec<f64>> = (0..count)
        .map(|place| places.iter().zip(values).filter(|(p, _)| **p == place).map(|(_, v)| v[0]).collect())
        .collect();
    let all: Vec<f64> = values.iter().map(|v| v[0]).collect();
    let [whole, _] = mean_and_deviation(&all);
    let means: Vec<f64> = groups.iter().map(|g| mean_and_deviation(g)[0]).collect();
    let between: f64 =
        groups.iter().zip(&means).map(|(g, m)| g.len() as f64 * (m - whole) * (m - whole)).sum();
    let within: f64 =
        groups.iter().zip(&means).map(|(g, m)| g.iter().map(|x| (x - m) * (x - m)).sum::<f64>()).sum();
    let own = values.iter().map(|v| v[1] * v[1]).sum::<f64>() / values.len() as f64;
    let (above, below) = ((count - 1) as f64, (all.len() - count) as f64);
    let noise = if below > 0.0 { (within / below).max(own) } else { own };
    // Noise that is known from the scans needs no repetition to be judged.
    let freedom = if below > 0.0 && noise > own { below } else { 1e6 };
    let chance = f_probability(between / above / noise, above, freedom);
    let spread = |pick: fn(f64, f64) -> f64, start: f64| means.iter().copied().fold(start, pick);
    let ratio = (spread(f64::max, f64::NEG_INFINITY) - spread(f64::min, f64::INFINITY)).exp();
    Some(Compared { ratio, chance })
}
