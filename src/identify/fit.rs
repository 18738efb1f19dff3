//! The moduli that explain the scans best (Gauss, Newton; Huber's weights).
//!
//! Unknown are the compliance s = 1/E, in which distances are nearly linear; ν, with a prior unless it is free or fixed; a small motion of the
//! scanner; and the share of the difference to a mesh twice as fine that belongs to a mesh without end.
//!
//!   Q = Σ ρ(d/σ) + (ν − ν₀)²/σ_ν² + (a − 4/3)²/(2/3)² + |t|²/σ_t² + |ω|²/σ_ω²
//!
//! Linear tetrahedra err by the square of their size, so that the whole error of a mesh is 4/3 of what a mesh twice as fine takes away.

use super::IdentifyError;
use super::body::Body;
use super::equilibrium::{Control, Equilibrium};
use super::footprint::Footprint;
use super::statistics::solve;
use super::system::{Place, Summary, System, UNKNOWNS, Unknowns};
use crate::meshing::tet_mesh::TetMesh;
use glam::DVec3;

/// What is known about ν before the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PoissonPrior {
    Prior { mean: f64, spread: f64 },
    Free,
    Fixed(f64),
}

impl PoissonPrior {
    pub fn start(self) -> f64 {
        match self {
            Self::Prior { mean, .. } => mean,
            Self::Free => 0.25,
            Self::Fixed(nu) => nu,
        }
    }
}

/// How to look for the moduli.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    pub poisson: PoissonPrior,
    /// E [Pa] and ν; by default E from the linear response.
    pub start: Option<[f64; 2]>,
    /// Standard deviation of scanned points [m]; by default from the fit.
    pub noise: Option<f64>,
    /// Standard deviation of measured forces, as a share, where the depth is imposed.
    pub force_error: f64,
    /// Standard deviations of the scanner's place [m] and direction [rad]; by default it is where the file says.
    pub pose: Option<[f64; 2]>,
    /// Whether a mesh twice as fine is asked what this one cannot do.
    pub refine: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            poisson: PoissonPrior::Prior { mean: 0.3, spread: 0.1 },
            start: None,
            noise: None,
            force_error: 0.01,
            pose: None,
            refine: true,
        }
    }
}

/// A push and a scan of what it does.
#[derive(Debug, Clone)]
pub struct Sample {
    pub name: String,
    pub footprint: Footprint,
    pub control: Control,
    /// Measured [N].
    pub force: f64,
    /// Measured travel of the tip [m].
    pub depth: Option<f64>,
    /// Scanned [m], in the frame of the scene.
    pub points: Vec<DVec3>,
    /// Nearer to the line of the push there is the tip [m].
    pub hidden: f64,
}

/// All that is given.
pub struct Problem {
    pub body: Body,
    /// The body's mesh.
    pub mesh: TetMesh,
    pub samples: Vec<Sample>,
    /// A scan of the body that is not pushed; may be empty.
    pub undeformed: Vec<DVec3>,
}

/// What one set of moduli gave.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Evaluation {
    /// E [Pa]
    pub youngs_modulus: f64,
    pub poisson_ratio: f64,
    /// Root of the mean squared distance of the points [m].
    pub rms: f64,
}

/// What one sample alone says, ν being that of all.
#[derive(Clone)]
pub struct SampleFit {
    /// E and its standard deviation [Pa].
    pub youngs_modulus: [f64; 2],
    pub rms: f64,
    pub points: usize,
    pub left_out: usize,
    /// With the share of the finer mesh, at the vertices of this one.
    pub state: Equilibrium,
}

/// How a mesh twice as fine changes the result.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct MeshEffect {
    /// E [Pa] and ν of this mesh alone.
    pub youngs_modulus: f64,
    pub poisson_ratio: f64,
    /// The change of the largest displacement, as a share of it.
    pub displacement: f64,
    /// The share of the change that the data ask for, and its deviation.
    pub share: [f64; 2],
}

/// What was found.
pub struct Fit {
    /// E and its standard deviation [Pa].
    pub youngs_modulus: [f64; 2],
    pub poisson_ratio: [f64; 2],
    /// ν's standard deviation by the data alone; infinite if they say nothing.
    pub poisson_by_data: f64,
    /// Standard deviation of the points along the normals [m].
    pub noise: f64,
    pub evaluations: Vec<Evaluation>,
    pub samples: Vec<SampleFit>,
    pub mesh: Option<MeshEffect>,
    /// Of the scanner: shift [m] and rotation vector [rad].
    pub pose: [DVec3; 2],
    pub is_converged: bool,
}

/// Evaluations before the fit gives up.
const MOST_EVALUATIONS: usize = 40;
/// Evaluations before points at rims are looked for.
const ROUGH_EVALUATIONS: usize = 3;
/// Changes of s, as a share, and of ν that end the fit, and the same in their standard deviations.
const CLOSE: f64 = 1e-5;
const CLOSE_DEVIATIONS: f64 = 0.02;
/// The largest ν there may be.
pub const MOST_POISSON: f64 = 0.49;
/// Share of points off by more than [`FAR`] of the body's size at which it is not the same body.
const OTHER: f64 = 0.3;
const FAR: f64 = 0.02;
/// The share of a mesh's change that belongs to a mesh without end, and how sure that is.
pub const REFINEMENT: [f64; 2] = [4.0 / 3.0, 2.0 / 3.0];

/// Finds E and ν. Errors of one sample come with its number.
pub fn fit(problem: &Problem, options: &Options) -> Result<Fit, (Option<usize>, IdentifyError)> {
    let mut system = System::new(problem, options)?;
    let start = system.start()?;
    // Points at rims bend the answer until the noise is known by which they are found.
    let rough = gauss_newton(&mut system, start, ROUGH_EVALUATIONS)?;
    let mut start = rough.at;
    if system.drop_rims(&rough.places) {
        start.poisson = options.poisson.start();
    }
    let found = gauss_newton(&mut system, start, MOST_EVALUATIONS)?;
    finish(problem, options, system, found)
}

/// A minimum as Gauss and Newton's method left it.
pub struct Minimum {
    pub at: Unknowns,
    pub places: Vec<Place>,
    pub is_converged: bool,
}

/// From a minimum on the mesh that is given to one for a mesh without end, with all deviations.
pub fn finish(
    problem: &Problem,
    options: &Options,
    mut system: System,
    mut found: Minimum,
) -> Result<Fit, (Option<usize>, IdentifyError)> {
    let mut before = None;
    if options.refine {
        before = Some([found.at.youngs_modulus(), found.at.poisson]);
        let displacement = system.refine(&found)?;
        let mut start = found.at;
        start.share = REFINEMENT[0];
        found = gauss_newton(&mut system, start, MOST_EVALUATIONS)?;
        system.displacement = displacement;
    }
    let summary = system.normal_equations(&found.at, &found.places);
    let far = FAR * problem.body.diagonal();
    let (mut off, mut all) = (0, 0);
    for place in &found.places {
        off += place.contacts.iter().filter(|c| c.distance.abs() > far).count();
        all += place.contacts.len();
    }
    let share = off as f64 / all.max(1) as f64;
    if share > OTHER {
        return Err((None, IdentifyError::OtherBody { share: 100.0 * share, far }));
    }
    let (deviations, factors) = summary.deviations().ok_or((None, IdentifyError::Singular))?;
    let alone = solve(&summary.without_prior, &[0.0; UNKNOWNS]);
    let e = found.at.youngs_modulus();
    let samples = problem.samples.iter().zip(&found.places).enumerate().map(|(k, (sample, place))| {
        // One step from the common minimum, which is near; weights as there.
        let [slope, square] = summary.of_sample[k];
        let change = if square > 0.0 { -slope / square } else { 0.0 };
        let deviation = if square > 0.0 { factors[0] / square.sqrt() } else { f64::INFINITY };
        let own = e / (1.0 + change).max(0.05);
        SampleFit {
            youngs_modulus: [own, own * deviation],
            rms: place.rms(),
            points: place.contacts.len(),
            left_out: sample.points.len() - place.contacts.len(),
            state: system.shown(k, &found.at, place),
        }
    });
    let samples = samples.collect();
    let mesh = before.map(|[youngs_modulus, poisson_ratio]| MeshEffect {
        youngs_modulus,
        poisson_ratio,
        displacement: system.displacement,
        share: [found.at.share, deviations[2]],
    });
    Ok(Fit {
        youngs_modulus: [e, e * deviations[0]],
        poisson_ratio: [found.at.poisson, deviations[1]],
        poisson_by_data: match (options.poisson, alone) {
            (PoissonPrior::Fixed(_), _) => f64::INFINITY,
            (_, Some((_, alone))) => alone[1][1].sqrt() * factors[1],
            (_, None) => f64::INFINITY,
        },
        noise: system.noise,
        evaluations: system.evaluations,
        samples,
        mesh,
        pose: [found.at.shift, found.at.turn],
        is_converged: found.is_converged,
    })
}

fn gauss_newton(
    system: &mut System,
    start: Unknowns,
    most: usize,
) -> Result<Minimum, (Option<usize>, IdentifyError)> {
    let mut at = start;
    let mut places = system.evaluate(&at)?;
    system.judge_noise(&places);
    let last = system.evaluations.len() + most - 1;
    let (mut usual, mut last_step) = (1.0f64, [0.0; UNKNOWNS]);
    while system.evaluations.len() < last {
        let mut summary = system.normal_equations(&at, &places);
        let solution = |summary: &Summary| {
            solve(&summary.matrix, &summary.against).ok_or((None, IdentifyError::Singular))
        };
        let (mut step, mut inverse) = solution(&summary)?;
        if at.poisson <= 0.0 && step[1] < 0.0 || at.poisson >= MOST_POISSON && step[1] > 0.0 {
            // At its bound ν stays, and the others step as if it were known.
            summary.hold(1);
            (step, inverse) = solution(&summary)?;
        }
        let change = step[0].abs().max(step[1].abs());
        let enough = |k: usize| step[k].abs() < CLOSE.max(CLOSE_DEVIATIONS * inverse[k][k].sqrt());
        if (0..UNKNOWNS).all(enough) {
            return Ok(Minimum { at: at.moved(&step, 1.0), places, is_converged: true });
        }
        let before = system.objective(&at, &places);
        // Steps that go to and fro are too long: distances to bent skins are not quite linear.
        let across: f64 = (0..UNKNOWNS)
            .map(|i| (0..UNKNOWNS).map(|j| summary.matrix[i][j] * last_step[j]).sum::<f64>() * step[i])
            .sum();
        usual = if across < 0.0 { 0.6 * usual } else { (1.5 * usual).min(1.0) };
        last_step = step;
        let mut length = usual;
        loop {
            let next = at.moved(&step, length);
            let found = system.evaluate_near(&next, &places);
            if let Ok(found) = found
                && system.objective(&next, &found) <= before * (1.0 + 1e-9)
            {
                (at, places) = (next, found);
                break;
            }
            length *= 0.5;
            if length < 1e-3 || system.evaluations.len() >= last {
                // No way leads down: this is as low as the data's digits reach.
                return Ok(Minimum { at, places, is_converged: change < 1e-3 });
            }
        }
        system.judge_noise(&places);
    }
    Ok(Minimum { at, places, is_converged: false })
}
