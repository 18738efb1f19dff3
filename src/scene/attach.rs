//! What joins bodies: attachments and seams.

use super::Selector;
use glam::DVec3;

/// Joins points of two bodies, or of one. Both sides get equal and opposite forces.
#[derive(Debug, Clone, PartialEq)]
pub struct Attach {
    /// Unique over attachments and seams.
    pub name: String,
    /// What is attached.
    pub a: AttachSide,
    /// What it is attached to.
    pub b: AttachSide,
    /// Which points of the one go with which of the other.
    pub by: AttachBy,
    /// Only points that start at most this far apart [m].
    pub within: Option<f64>,
    /// Distance that is kept [m]; by default that of the start.
    pub length: Option<f64>,
    /// [m/N]; 0 is rigid.
    pub compliance: f64,
    /// [N s/m].
    pub damping: f64,
    /// When it lets go [s].
    pub release: Option<f64>,
    /// Force at which it tears [N].
    pub break_force: Option<f64>,
}

/// Points of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachSide {
    /// Name of the body.
    pub body: String,
    /// Which of its particles; [`Selector::ALL`] is the body itself, of which any point may be taken.
    pub selector: Selector,
    /// Instead of particles, the point of the body that starts nearest to this one [m].
    pub at: Option<DVec3>,
}

impl Default for AttachSide {
    fn default() -> Self {
        Self { body: String::new(), selector: Selector::ALL, at: None }
    }
}

/// Which points go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AttachBy {
    /// Each particle of `a` with the point of `b` that starts nearest: on a segment, on a triangle, in a tetrahedron. With
    /// particles selected in `b`, the nearest of those.
    #[default]
    Nearest,
    /// The first with the first, the second with the second.
    Order,
}

impl Default for Attach {
    fn default() -> Self {
        Self {
            name: String::new(),
            a: AttachSide::default(),
            b: AttachSide::default(),
            by: AttachBy::Nearest,
            within: None,
            length: None,
            compliance: 0.0,
            damping: 0.0,
            release: None,
            break_force: None,
        }
    }
}

/// Sews two rows of particles together, closing over a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Seam {
    /// Unique over attachments and seams.
    pub name: String,
    /// One edge: its particles in the order in which they are selected.
    pub a: AttachSide,
    /// The other.
    pub b: AttachSide,
    /// Whether the second is sewn from its last particle on; by default whichever way is shorter.
    pub reverse: Option<bool>,
    /// When it begins to close [s].
    pub begin: f64,
    /// How long that takes [s].
    pub duration: f64,
    /// [m/N]; 0 is rigid.
    pub compliance: f64,
    /// Force on one stitch at which it tears [N].
    pub break_force: Option<f64>,
}

impl Default for Seam {
    fn default() -> Self {
        Self {
            name: String::new(),
            a: AttachSide::default(),
            b: AttachSide::default(),
            reverse: None,
            begin: 0.0,
            duration: 1.0,
            compliance: 0.0,
            break_force: None,
        }
    }
}
