//! A body of a model: its name and which particles and elements are its own.

use std::ops::Range;

/// A body, in the user's numbering.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub name: String,
    pub particles: Range<u32>,
    pub triangles: Range<u32>,
    /// Links drawn as lines: those of bodies that are not sheets.
    pub segments: Range<u32>,
    pub tetrahedra: Range<u32>,
    /// sRGB, 0 to 1.
    pub colour: [f64; 3],
    /// Radius of its particles for drawing [m]; 0 for sheets.
    pub radius: f64,
}
