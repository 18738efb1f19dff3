//! What a family shows and measures of a state.

use crate::compute::{ComputeError, Data};
use crate::model::Model;
use glam::{DQuat, DVec3};

/// A quantity that colours show, with a legend. One that the state holds is also a field of exported files.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The colour's word in scene files; of its column, if it has one, and in exported files.
    pub name: &'static str,
    /// In the legend.
    pub title: &'static str,
    /// In the legend; empty for pure numbers.
    pub unit: &'static str,
    pub values: Values,
}

/// Where the values of a field come from.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// The column of the field's name, one real for each row of this table. Rows of `particles` are particles; any other table has
    /// a column of integers that refers to them, and a particle that several rows name takes the largest value.
    Table(&'static str),
    /// One for each particle, from its model, the positions and the orientations of frames.
    Computed(fn(&Model, &[DVec3], &[DQuat]) -> Vec<f64>),
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
