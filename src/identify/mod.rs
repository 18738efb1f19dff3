//! Young's modulus and Poisson's ratio of a real body, from forces of a probe and scans of the body that it pushes.
//!
//! The body is the solid of a scene, held as there. Its rest under each push is found in f64 with the whole tangent ([`equilibrium`]),
//! along with how it depends on s = 1/E and on ν; the distances of scanned points along the normal of the skin are made small by
//! Gauss and Newton's method ([`fit()`]) or by descent, as the source of the method does (Frank, Schmedding, Stachniss, Teschner, Burgard
//! 2010). What the data cannot tell is said rather than guessed ([`Verdict`]).

mod body;
mod descent;
mod equilibrium;
mod file;
mod fit;
mod footprint;
mod law;
mod points;
mod profile;
mod refine;
mod sparse;
mod statistics;
mod synthetic;
mod system;
#[cfg(test)]
mod tests;
mod verdict;

pub use body::{Body, Skin};
pub use descent::descend;
pub use equilibrium::{Control, Equilibrium, rest};
pub use file::{NoBody, ProbeFile, ProbeFileError, body_of_scene};
pub use fit::{Evaluation, Fit, MeshEffect, Options, PoissonPrior, Problem, Sample, SampleFit, fit};
pub use footprint::Footprint;
pub use law::Law;
pub use profile::{Profile, profiles};
pub use synthetic::{Pushed, push};
pub use verdict::{Verdict, places, slips, verdict};

/// Why nothing was found. Samples are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IdentifyError {
    #[error(
        "{held} of the body's vertices are held, on no more than a line, so that it can move as a whole; pin more of it in the scene"
    )]
    Loose { held: usize },
    #[error("all of the body's vertices are held; let go of those that the probe pushes")]
    AllHeld,
    #[error("the body has {count} tetrahedra; the limit is {limit}: lower its resolution")]
    TooLarge { count: usize, limit: usize },
    #[error(
        "the probe's tip is {distance:.3e} m from the body at rest, which is more than {reach:.3e} m; correct `touch`, in metres and in the scene's frame"
    )]
    NoTouch { distance: f64, reach: f64 },
    #[error("nothing of the body's surface under the tip faces it and can move; correct `touch` or `force`")]
    NoFace,
    #[error(
        "its scan has no points near the body: the nearest of {points} is {nearest:.2e} m away; check the pose and that the scan is in metres"
    )]
    NoPoints { points: usize, nearest: f64 },
    #[error(
        "{share:.0} % of its scanned points are more than {far:.2e} m from the body as scanned; this looks like a scan of another object or a wrong pose"
    )]
    OtherBody { share: f64, far: f64 },
    #[error("no rest was found for E = {e:.3e} Pa, ν = {nu:.3}: {cause}")]
    At { e: f64, nu: f64, cause: Box<IdentifyError> },
    #[error("the body gives way without end or buckles; use smaller pushes or `model = \"neo_hookean\"`")]
    NoRest,
    #[error("the body is about to buckle where it rests; use smaller pushes")]
    Buckled,
    #[error(
        "the scans show no deformation along the pushes: the body seems rigid, or the scans were made before the pushes"
    )]
    Rigid,
    #[error("no sample is left; at least one with a force and a scan is needed")]
    NoSamples,
    #[error("the moduli cannot be told from these data; use more or larger pushes")]
    Singular,
}
