//! In which scalar the twins run.

/// The arithmetic of the CPU backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// What devices compute in.
    #[default]
    F32,
    /// The reference.
    F64,
}

impl Precision {
    /// The name a user types after `--precision`.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}
