//! What a scene may ask for. Every limit is checked before memory is taken for it.

/// Bytes of a scene file.
pub const SCENE_BYTES: u64 = 1 << 20;
/// Bytes of a mesh file.
pub const MESH_BYTES: u64 = 64 << 20;
/// Particles of a scene, and vertices of a mesh file.
pub const PARTICLES: u64 = 1 << 23;
/// Triangles of a mesh file: twice the particles, as in any large sheet.
pub const TRIANGLES: u64 = 2 * PARTICLES;
/// Materials of a scene: one per body.
pub const MATERIALS: usize = 512;
/// Bodies (cloth and points together) of a scene.
pub const BODIES: usize = MATERIALS;
/// Colliders of a scene.
pub const COLLIDERS: usize = 256;
/// Pins of one body.
pub const PINS: usize = 4096;
/// Keyframes of one motion.
pub const KEYFRAMES: usize = 4096;
/// Expected particles of a scene.
pub const EXPECTED_PARTICLES: usize = 4096;
/// Corners of one polygon of a mesh file.
pub const POLYGON_CORNERS: usize = 256;
/// Substeps of a step.
pub const SUBSTEPS: u32 = 10_000;
/// Iterations of a substep.
pub const ITERATIONS: u32 = 10_000;
/// Steps of a run: duration over time step.
pub const STEPS: f64 = 1e9;
/// Cells of a mesh collider's distance field along its longest side.
pub const RESOLUTION: u32 = 256;
/// Pixels of a frame along either side.
pub const PIXELS: u32 = 8192;
/// Characters of a name.
pub const NAME_LENGTH: usize = 64;
/// Any coordinate, length or speed [m, m/s]: beyond it, f32 squares overflow or resolve nothing.
pub const COORDINATE: f64 = 1e6;
