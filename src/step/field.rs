//! What a family shows and measures of a state.

use crate::compute::{ComputeError, Data};

/// A quantity that the state holds: a colour with a legend in pictures, a field of exported files.
///
/// Its values are the column of the field's name, one real for each row of the table. Rows of `particles` are particles; any
/// other table has a column of integers that refers to them, and a particle that several rows name takes the largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Of its column, of the colour in scene files, and in exported files.
    pub name: &'static str,
    /// SI; empty for pure numbers.
    pub unit: &'static str,
    /// Whose rows have a value each.
    pub table: &'static str,
}

/// A number that a family finds in a state: a column of CSV files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    pub name: &'static str,
    /// SI; empty for pure numbers.
    pub unit: &'static str,
    pub value: f64,
}

/// The columns of a state, for those who measure it.
pub trait Columns {
    /// A column by its name; nothing if no family has added it.
    fn column(&mut self, name: &str) -> Result<Option<Data>, ComputeError>;
}
