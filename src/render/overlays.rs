//! What is drawn over a scene for those who look into the solver.

/// What is drawn besides the bodies, or left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Every particle as a ball.
    pub particles: bool,
    /// The edges of all triangles.
    pub wireframe: bool,
    /// The constraints, each in the colour of its class.
    pub constraints: bool,
    /// The material frames of rods: first axis red, second green, tangent blue.
    pub frames: bool,
    /// Obstacles are left out.
    pub hide_colliders: bool,
    /// A ball that the user pushes with; see [`super::SceneDrawing::set_ball`].
    pub ball: bool,
}

/// Colours of constraint classes, sRGB: as far apart as so many can be on both themes.
pub(super) const CLASS_COLOURS: [[f32; 3]; 12] = [
    [0.90, 0.30, 0.24],
    [0.20, 0.55, 0.90],
    [0.96, 0.75, 0.16],
    [0.22, 0.70, 0.42],
    [0.62, 0.36, 0.80],
    [0.98, 0.55, 0.20],
    [0.16, 0.72, 0.76],
    [0.92, 0.45, 0.68],
    [0.58, 0.68, 0.20],
    [0.45, 0.42, 0.90],
    [0.66, 0.46, 0.30],
    [0.70, 0.70, 0.74],
];

/// Colours of the axes of a frame, sRGB.
pub(super) const AXIS_COLOURS: [[f32; 3]; 3] = [[0.86, 0.22, 0.18], [0.24, 0.66, 0.28], [0.20, 0.40, 0.86]];
