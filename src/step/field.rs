//! What a family shows and measures of a state.

use crate::compute::{ComputeError, Data};
use crate::model::Model;
use glam::{DQuat, DVec3};
use std::borrow::Cow;

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
    Computed(Computed),
}

/// A field that is made of a state when somebody asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Computed {
    /// Whether a model has anything of it.
    pub is_there: fn(&Model) -> bool,
    /// One for each particle, SI; where the legend's unit is per cent, as a pure number.
    pub values: fn(&Model, &Shown<'_>) -> Vec<f64>,
    /// Its name in exported files; none where those have it in another form.
    pub in_files: Option<&'static str>,
}

/// A state as fields see it, in the model's numbering.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub positions: &'a [DVec3],
    pub velocities: &'a [DVec3],
    pub orientations: &'a [DQuat],
}

impl Field {
    /// What its values are multiplied by for the legend's unit.
    pub fn legend_scale(&self) -> f64 {
        if self.unit == "%" { 100.0 } else { 1.0 }
    }
}

/// A number that a family finds in a state: a column of CSV files.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    pub name: Cow<'static, str>,
    /// SI; empty for pure numbers.
    pub unit: &'static str,
    pub value: f64,
}

/// The columns of a state, for those who measure it.
pub trait Columns {
    /// A column by its name; nothing if no family has added it.
    fn column(&mut self, name: &str) -> Result<Option<Data>, ComputeError>;
}
