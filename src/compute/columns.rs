//! Columns: the buffers of a simulation, what they hold at the start and whose rows they belong to.

use super::tables::TableId;

/// A column's place in [`super::Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub usize);

/// What one element of a column is. A column holds one kind of thing, never a mixed struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Real,
    Real2,
    Real4,
    Uint,
    Uint2,
    Uint4,
}

impl Element {
    /// The name in kernel declarations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Real2 => "real2",
            Self::Real4 => "real4",
            Self::Uint => "uint",
            Self::Uint2 => "uint2",
            Self::Uint4 => "uint4",
        }
    }

    /// Scalars per element.
    pub fn width(self) -> usize {
        match self {
            Self::Real | Self::Uint => 1,
            Self::Real2 | Self::Uint2 => 2,
            Self::Real4 | Self::Uint4 => 4,
        }
    }

    pub fn is_real(self) -> bool {
        matches!(self, Self::Real | Self::Real2 | Self::Real4)
    }
}

/// The contents of a column, scalar by scalar, on the host. Reals are f64 here, whatever the backend computes in.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Reals(Vec<f64>),
    Uints(Vec<u32>),
}

impl Data {
    /// So many zeros of a kind of element.
    pub fn zeros(element: Element, elements: usize) -> Self {
        let scalars = element.width() * elements;
        if element.is_real() { Self::Reals(vec![0.0; scalars]) } else { Self::Uints(vec![0; scalars]) }
    }

    /// The first of its scalars.
    pub fn first(self, scalars: usize) -> Self {
        match self {
            Self::Reals(mut v) => {
                v.truncate(scalars);
                Self::Reals(v)
            }
            Self::Uints(mut v) => {
                v.truncate(scalars);
                Self::Uints(v)
            }
        }
    }

    /// Cuts off or appends zeros.
    pub(super) fn resize(&mut self, scalars: usize) {
        match self {
            Self::Reals(v) => v.resize(scalars, 0.0),
            Self::Uints(v) => v.resize(scalars, 0),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Reals(v) => v.len(),
            Self::Uints(v) => v.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The reals; empty for a column of integers.
    pub fn reals(&self) -> &[f64] {
        match self {
            Self::Reals(v) => v,
            Self::Uints(_) => &[],
        }
    }

    /// The integers; empty for a column of reals.
    pub fn uints(&self) -> &[u32] {
        match self {
            Self::Uints(v) => v,
            Self::Reals(_) => &[],
        }
    }
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Part of the model: never changes while running.
    Model,
    /// Part of the state: saved in checkpoints.
    State,
    /// Written before it is read in every step: neither saved nor restored.
    Scratch,
    /// A struct of parameters that the host may change between steps, bound as a uniform.
    Uniform,
}

/// Which rows the integers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refers {
    pub table: TableId,
    /// How many of an element's components are rows, from the first on: 3 of a `uint4` of three particles and a fabric.
    pub components: u32,
    /// The bits of a component that are the row; the others are marks of the kernel's own.
    pub bits: u32,
}

/// What is declared about a column.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    /// The table whose rows these are; without one the column stands alone.
    pub table: Option<TableId>,
    pub element: Element,
    /// Elements per row: 2 of `frames`, 4 of `strain_lambdas`.
    pub per_row: u32,
    /// Elements after the last row: 1 where starts end with a total.
    pub extra: u32,
    /// The rows of another table that its integers are. Integers beyond that table's rows are marks of the kernel's own.
    pub refers: Option<Refers>,
    /// The counted table of which it says where the rows of each of its own rows begin.
    pub starts: Option<TableId>,
    /// From this component of an element on, what a new model says takes the place of what the state holds.
    pub renewed: Option<u32>,
    pub role: Role,
    /// What it holds before the first step.
    pub start: Data,
}

impl Column {
    /// Elements.
    pub fn len(&self) -> usize {
        self.start.len() / self.element.width()
    }

    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }
}
