//! Parts of a model that know nothing of each other, such as rods, a few at a time.
//!
//! The passes of rods are short, and each reads all that the one before has just written. Divided into parts, the CPU
//! backend takes one part through several passes while it is in a core's cache.

use crate::compute::Passes;

/// Where each part ends, in the rows of some tables.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    tables: Vec<(&'static str, Vec<u32>)>,
}

impl Parts {
    /// Adds a table by the rows at which the parts end, as many as in all others.
    pub fn add(&mut self, table: &'static str, ends: Vec<u32>) {
        debug_assert!(self.tables.iter().all(|(_, others)| others.len() == ends.len()));
        self.tables.push((table, ends));
    }

    /// Divides the pass at a place of the list, if it is there, whose calls take every `stride`-th row of a table.
    pub(super) fn divide(&self, passes: &mut Passes, index: usize, table: &str, stride: u32) {
        let Some(pass) = passes.list.get(index) else { return };
        let Some((_, ends)) = self.tables.iter().find(|(name, _)| *name == table) else { return };
        let calls_before = |row: u32| row.saturating_sub(pass.launch.first).div_ceil(stride).min(pass.calls);
        let ends: Vec<u32> = ends.iter().map(|&end| calls_before(end)).collect();
        passes.divide(index, ends);
    }
}
