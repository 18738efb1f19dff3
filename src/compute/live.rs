//! Rows in use: what a checkpoint has of the tables whose rows the device counts.

use super::Executor;
use super::columns::{ColumnId, Data};
use super::error::ComputeError;
use super::tables::{At, Rows, Tables};

impl Tables {
    /// The contents of a column, of counted tables those of the rows in use.
    pub fn read_live(&self, executor: &mut dyn Executor, id: ColumnId) -> Result<Data, ComputeError> {
        let Some(table) = self.get(id).table else { return executor.read(id) };
        let rows = self.live_rows(table, &mut |column| executor.read(column))?;
        Ok(executor.read(id)?.first(self.live_scalars(id, rows)))
    }

    /// Puts the state back from what [`Tables::read_live`] gave of each of its columns, in order. Tables grow if there are
    /// more rows than fit.
    pub fn write_live(&mut self, executor: &mut dyn Executor, contents: &[Data]) -> Result<(), ComputeError> {
        let ids: Vec<ColumnId> = self.state().collect();
        for (&id, data) in ids.iter().zip(contents) {
            let column = self.get(id);
            let Some(table) = column.table else { continue };
            let row = column.per_row as usize * column.element.width();
            let extra = column.extra as usize * column.element.width();
            let rows = (data.len().saturating_sub(extra) / row.max(1)) as u32;
            if rows > self.capacity(table) {
                self.grow(table, rows);
                executor.grow(self)?;
                let status = self.find(super::STATUS).expect("counted tables have a status");
                executor.write(status, self.initial(status))?;
            }
            self.write_count(executor, id, rows)?;
        }
        for (&id, data) in ids.iter().zip(contents) {
            let mut data = data.clone();
            data.resize(self.initial(id).len());
            executor.write(id, &data)?;
        }
        Ok(())
    }

    /// Says how many rows a counted table has, where the device would.
    fn write_count(&self, executor: &mut dyn Executor, id: ColumnId, rows: u32) -> Result<(), ComputeError> {
        let Some(Rows::Counted { wanted, .. }) = self.get(id).table.map(|table| self.get_table(table).rows)
        else {
            return Ok(());
        };
        let entry = match wanted.at {
            At::Entry(entry) => entry,
            At::End(of) => self.live_rows(of, &mut |column| executor.read(column))?,
        };
        let mut counts = executor.read(wanted.column)?;
        if let Data::Uints(words) = &mut counts {
            words[entry as usize] = rows;
        }
        executor.write(wanted.column, &counts)
    }
}
