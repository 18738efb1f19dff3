//! Particles whose motion is recorded.

use super::ParticleReference;

/// A particle whose place and velocity are columns of `scalars.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Unique over probes; its columns begin with it.
    pub name: String,
    /// Name of the body.
    pub body: String,
    /// Which of its particles.
    pub particle: ParticleReference,
}

impl Default for Probe {
    fn default() -> Self {
        Self { name: String::new(), body: String::new(), particle: ParticleReference::Index(0) }
    }
}
