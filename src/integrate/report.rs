//! What can be said of a solve by a matrix: its levels, its memory, and how far it came.

use super::assembled::of;
use crate::compute::{ColumnId, Data, Tables};

/// The matrix of a scene and its levels.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixReport {
    /// Rows of 3×3 blocks of each level, the finest first.
    pub rows: Vec<usize>,
    /// Blocks and their columns, of all levels [bytes].
    pub bytes: usize,
    /// What was left when the last solve stopped, of the body that has most, relative to its start and in the norm of the
    /// preconditioner; 0 before the first step.
    pub residual: f64,
}

impl MatrixReport {
    /// The buffer with the scalars of the last solve, if there is a matrix.
    pub fn scalars(buffers: &Tables) -> Option<ColumnId> {
        buffers.find("group_scalars")
    }

    /// From the scalars r·z, r·z before, r·z at the start and p·q of each body.
    pub fn new(buffers: &Tables, scalars: &Data) -> Self {
        let length =
            |level: usize, name: &str| buffers.find(&of(level, name)).map(|id| buffers.initial(id).len());
        let rows: Vec<usize> = (0..).map_while(|level| length(level, "diagonals")).collect();
        let size = |level| {
            ["values", "columns"].map(|name| length(level, name).unwrap_or_default()).iter().sum::<usize>()
        };
        let bytes = size_of::<f32>() * (0..rows.len()).map(size).sum::<usize>();
        let left = scalars.reals().chunks_exact(4).filter(|of| of[2] > 0.0).map(|of| of[0] / of[2]);
        Self { rows, bytes, residual: left.fold(0.0, f64::max).sqrt() }
    }
}
