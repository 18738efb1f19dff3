//! A step as a transaction: done as a whole, or put back and repeated with more room.
//!
//! The device says in the status how many rows every counted table wanted. If there were more than fit, the lists were
//! cut short and the step means nothing: the state that was kept is put back, the tables grow, and the caller runs the same
//! passes again. So nothing is ever dropped, and results do not depend on capacity.

use super::Executor;
use super::columns::Data;
use super::error::ComputeError;
use super::tables::{Rows, STATUS, TableId, Tables};

/// Repetitions of one step after which something else must be wrong. Lists are made from lists, so a few are ordinary.
const MOST_REPEATS: u32 = 64;

/// A step under way.
pub struct Transaction {
    repeats: u32,
}

impl Transaction {
    /// Keeps the state, if any table can be short.
    pub fn begin(executor: &mut dyn Executor, tables: &Tables) -> Result<Self, ComputeError> {
        if tables.can_be_short() {
            executor.keep()?;
        }
        Ok(Self { repeats: 0 })
    }

    /// The status, if there was room for everything; else nothing, and the state is what it was at the beginning, with
    /// room for what was wanted: run the same passes again.
    pub fn end(
        &mut self,
        executor: &mut dyn Executor,
        tables: &mut Tables,
    ) -> Result<Option<Data>, ComputeError> {
        let Some(id) = tables.find(STATUS) else { return Ok(Some(Data::Uints(Vec::new()))) };
        let status = executor.read(id)?;
        self.judge(status, executor, tables)
    }

    /// The same, of a status that was read already.
    pub fn judge(
        &mut self,
        status: Data,
        executor: &mut dyn Executor,
        tables: &mut Tables,
    ) -> Result<Option<Data>, ComputeError> {
        let Some(id) = tables.find(STATUS) else { return Ok(Some(status)) };
        let short = tables.short(&status);
        let Some(&(first, wanted)) = short.first() else { return Ok(Some(status)) };
        let could = tables.can_be_short();
        for &(table, wanted) in &short {
            tables.make_room(table, wanted)?;
        }
        self.repeats += 1;
        if self.repeats > MOST_REPEATS || !could {
            let table = tables.get_table(first).name.clone();
            return Err(ComputeError::Restless { table, wanted, repeats: self.repeats });
        }
        executor.revert()?;
        executor.grow(tables)?;
        // The capacities, with nothing wanted yet and no alarm from a step that is not kept.
        executor.write(id, tables.initial(id))?;
        Ok(None)
    }
}

impl Tables {
    /// The tables that wanted more rows than there is memory for, and how many.
    fn short(&self, status: &Data) -> Vec<(TableId, u32)> {
        let words = status.uints();
        let wanted = |table: TableId| Some(words[self.get_table(table).status? as usize + 1]);
        self.counted()
            .filter_map(|table| Some((table, wanted(table)?)))
            .filter(|&(table, wanted)| wanted > self.capacity(table))
            .collect()
    }

    /// Refuses a status in which a table wanted more rows than there is memory for: the passes were run one by one, and
    /// nobody can repeat them.
    pub fn check_room(&self, status: &Data) -> Result<(), ComputeError> {
        let Some(&(table, wanted)) = self.short(status).first() else { return Ok(()) };
        let capacity = self.capacity(table);
        let problem =
            format!("wants {wanted} rows and has room for {capacity}; run a whole step, which makes room");
        Err(ComputeError::Table { table: self.get_table(table).name.clone(), problem })
    }

    /// Makes room for so many rows, and half as many again of what there was: a list that grows does so rarely.
    fn make_room(&mut self, table: TableId, wanted: u32) -> Result<(), ComputeError> {
        let Rows::Counted { capacity, most, .. } = self.get_table(table).rows else { return Ok(()) };
        if wanted > most {
            let table = self.get_table(table).name.clone();
            return Err(ComputeError::TooMany { table, wanted, most });
        }
        self.grow(table, wanted.max(capacity.saturating_add(capacity / 2)));
        Ok(())
    }
}
