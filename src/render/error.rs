//! What can go wrong while preparing or drawing a picture.

/// Why a picture could not be prepared or drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("{what} {index} refers to {part} {found}, but there are only {count}")]
    Index { what: &'static str, index: usize, part: &'static str, found: usize, count: usize },
    #[error("{what} {index} has radius {radius} m; a radius is finite and above zero")]
    Radius { what: &'static str, index: usize, radius: f32 },
    #[error("collider {index}: {reason}")]
    Collider { index: usize, reason: String },
    #[error(
        "the drawing needs a buffer of {needed} bytes, but this device binds at most {limit}; draw fewer {what}"
    )]
    TooLarge { what: &'static str, needed: u64, limit: u64 },
    #[error("the device made no buffer for {what}: {reason}")]
    Buffer { what: &'static str, reason: String },
    #[error("the buffer of {what} holds {found} bytes, the drawing has {count} particles and needs {needed}")]
    BufferSize { what: &'static str, found: u64, count: u32, needed: u64 },
    #[error("the buffer of {what} was made without `BufferUsages::STORAGE`, so the renderer cannot bind it")]
    BufferUsage { what: &'static str },
    #[error(
        "a picture of {width} × {height} pixels is not possible here; each side is between 1 and {limit}"
    )]
    Size { width: u32, height: u32, limit: u32 },
    #[error("the camera cannot see: {0}")]
    Camera(&'static str),
    #[error("the picture could not be read back from the device: {0}")]
    ReadBack(String),
}
