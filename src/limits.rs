//! What a scene and its files may ask for. Every limit is checked before memory is taken for it.

use std::io::Read;
use std::path::Path;

/// Bytes of a scene file.
pub const SCENE_BYTES: u64 = 1 << 20;
/// Bytes of a mesh file.
pub const MESH_BYTES: u64 = 64 << 20;
/// Particles of a scene, and vertices of a mesh file.
pub const PARTICLES: u64 = 1 << 23;
/// Triangles of a mesh file: twice the particles, as in any large sheet.
pub const TRIANGLES: u64 = 2 * PARTICLES;
/// Bytes of a file of tetrahedra.
pub const TET_MESH_BYTES: u64 = 512 << 20;
/// Named groups of a mesh.
pub const GROUPS: usize = 1 << 12;
/// Members of all clusters of shape matching together: their rest shapes fill WebGPU's 128 MiB.
pub const CLUSTER_MEMBERS: usize = 1 << 21;
/// Cells of a body of bonded cells, and of all: the blocks of their matrix fill WebGPU's 128 MiB.
pub const CELLS: u64 = 1 << 17;
/// Cells of the lattice that a body of bonded cells is cut from.
pub const LATTICE_CELLS: u64 = 1 << 22;
/// Tetrahedra of a solid: the forces on their corners fill WebGPU's 128 MiB.
pub const TETRAHEDRA: u64 = 1 << 21;
/// Tetrahedra of a cell of a box.
pub const TETS_PER_CELL: u64 = 5;
/// Points by which a rigid body touches others; one invocation visits all of them.
pub const RIGID_FEATURES: usize = 1 << 12;
/// Solids of a compound.
pub const RIGID_PARTS: usize = 256;
/// Mass [kg] and moments of inertia [kg m²] of a rigid body: the inverse of less comes near the end of f32.
pub const LEAST_INERTIA: f64 = 1e-24;
/// Materials of a scene: one per body.
pub const MATERIALS: usize = 512;
/// Bodies (cloth and points together) of a scene.
pub const BODIES: usize = MATERIALS;
/// Colliders of a scene.
pub const COLLIDERS: usize = 256;
/// Triangles of all mesh colliders of a scene.
pub const COLLIDER_TRIANGLES: u64 = 1 << 21;
/// Values of the distance fields of all mesh colliders of a scene: they fill WebGPU's 128 MiB.
pub const FIELD_VALUES: u64 = 1 << 25;
/// Pins of one body. Each may search all particles, so this bounds the time to load.
pub const PINS: usize = 256;
/// Attachments of a scene, and seams. Each may search all particles, so this bounds the time to load.
pub const JOINS: usize = 256;
/// Pairs of points that they join.
pub const TIES: usize = 1 << 20;
/// Joints of a scene.
pub const JOINTS: usize = 4096;
/// Loads of a scene. Each may search all particles, so this bounds the time to load.
pub const LOADS: usize = 256;
/// Magnetic fields of a scene, corners of a wire, cells of a magnet and of all.
pub const FIELDS: usize = 256;
pub const WIRE_POINTS: usize = 1024;
pub const MAGNET_CELLS: usize = 20_000;
pub const ALL_MAGNET_CELLS: usize = 200_000;
/// Cells that fields magnetise, of a body and of all: each acts on each of the others.
pub const SUSCEPTIBLE_CELLS: usize = 4096;
/// Pairs of rigid magnets and triangles or tetrahedra that are magnets: three vectors each.
pub const SOFT_PAIRS: usize = 1 << 20;
/// Particles that a cable runs through.
pub const TENDON_POINTS: usize = 1024;
/// Segments of a net: they take about a kilobyte each.
pub const NET_SEGMENTS: u64 = 1 << 21;
/// The same of a net that is solved at once: more could not be eliminated, which would show only when a model is made.
pub const DIRECT_NET_SEGMENTS: u64 = 1 << 20;
/// Elastic joints of a net. A node of n segments may have n (n − 1)/2 of them.
pub const NET_JOINTS: u64 = 1 << 21;
/// Keyframes of one motion.
pub const KEYFRAMES: usize = 4096;
/// Records that one motion may take on the device: one for each keyframe, and one for every 10° of rotation between two.
pub const MOTION_RECORDS: u64 = 1 << 18;
/// Records that all motions of a scene may take together.
pub const ALL_MOTION_RECORDS: u64 = 1 << 20;
/// Expected particles of a scene. Each may search all particles, so this bounds the time to load.
pub const EXPECTED_PARTICLES: usize = 256;
/// Corners of one polygon of a mesh file.
pub const POLYGON_CORNERS: usize = 256;
/// Substeps of a step.
pub const SUBSTEPS: u32 = 10_000;
/// Steps of explicit frames in a substep, each some passes of its own.
pub const FRAME_SUBSTEPS: u32 = 1000;
/// Iterations of a substep.
pub const ITERATIONS: u32 = 10_000;
/// Most steps of Newton's method in a substep.
pub const NEWTON_STEPS: u32 = 10;
/// Sweeps of spring damping in a substep.
pub const DAMPING_SWEEPS: u32 = 1000;
/// Steps of a run: duration over time step.
pub const STEPS: f64 = 1e9;
/// Cells of a mesh collider's distance field along its longest side.
pub const RESOLUTION: u32 = 256;
/// Pixels of a frame along either side.
pub const PIXELS: u32 = 8192;
/// Characters of a name.
pub const NAME_LENGTH: usize = 64;
/// Any finite number of a scene, in SI units: beyond it, squares come near the end of f32.
pub const MAGNITUDE: f64 = 1e12;
/// Any number that must be positive: below it, squares vanish in f32.
pub const SMALLEST: f64 = 1e-18;
/// Any coordinate of a particle [m].
pub const COORDINATE: f64 = 1e6;

/// The bytes of a regular file of at most `limit` bytes, or a sentence.
pub fn bounded(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let cannot = |e: std::io::Error| format!("cannot be read: {e}");
    // Asked before opening, because opening a named pipe would wait for a writer.
    if !std::fs::metadata(path).map_err(cannot)?.is_file() {
        return Err("cannot be read: not a file".to_owned());
    }
    let file = std::fs::File::open(path).map_err(cannot)?;
    let size = file.metadata().map_err(cannot)?.len();
    let too_large = |size| format!("the file has {size} bytes; the limit is {limit}");
    if size > limit {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // The file may have grown since.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// What a TOML file of no more than a scene's bytes holds, or what is wrong with it and in which line.
pub fn toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let bytes = bounded(path, SCENE_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not text; give a TOML file".to_owned())?;
    toml::from_str(&text).map_err(|e| {
        let line = e.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        format!("{place}{}", e.message())
    })
}

/// A word from a file, short enough for a message.
pub(crate) fn excerpt(word: &str) -> String {
    const LONGEST: usize = 60;
    if word.chars().count() <= LONGEST {
        word.to_owned()
    } else {
        word.chars().take(LONGEST).chain(['…']).collect()
    }
}
