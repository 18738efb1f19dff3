//! What can go wrong between a pass list and a device.

/// An error of the compute layer.
#[derive(Debug, thiserror::Error)]
pub enum ComputeError {
    #[error("{0}")]
    NoAdapter(String),
    #[error("adapter `{adapter}` gave no device: {reason}")]
    NoDevice { adapter: String, reason: String },
    #[error("shader of kernel `{kernel}` is invalid:\n{message}")]
    Shader { kernel: String, message: String },
    #[error("kernel `{kernel}`, binding `{binding}`: {problem}")]
    Binding { kernel: String, binding: String, problem: String },
    #[error("table `{table}`: {problem}")]
    Table { table: String, problem: String },
    #[error(
        "table `{table}` wants {wanted} rows and can have {most} at most; use a smaller scene, or a smaller `time_step` if \
         bodies move far in one"
    )]
    TooMany { table: String, wanted: u32, most: u32 },
    #[error(
        "table `{table}` still wants more rows ({wanted}) after {repeats} repetitions of a step; use a smaller `time_step`"
    )]
    Restless { table: String, wanted: u32, repeats: u32 },
    #[error("buffer `{buffer}`: {problem}")]
    Buffer { buffer: String, problem: String },
    #[error(
        "kernel `{kernel}` needs {walk} rounds of its loops and this software adapter ends them after {most}; use \
         `--backend cpu`, a shorter rod, a smaller net or another method"
    )]
    LongWalk { kernel: String, walk: u32, most: u32 },
    #[error("the graphics device was lost ({0}); the state since the last checkpoint is gone")]
    DeviceLost(String),
    #[error("the graphics device is out of memory ({0}); use a smaller scene or `--backend cpu`")]
    OutOfMemory(String),
    #[error("the graphics device reported an error: {0}")]
    Device(String),
}
