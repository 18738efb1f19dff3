//! Tables: rows that belong together, and their columns.
//!
//! A table has a fixed number of rows, or as many as the device counts when a pass runs. What is allocated, copied, saved,
//! compared and carried over follows from this declaration; nobody lists columns by hand.

use super::columns::{Column, ColumnId, Data, Element, Refers, Role};
use super::error::ComputeError;
use std::collections::HashMap;

/// A table's place in [`Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub usize);

/// How many rows a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// As many as the model has.
    Fixed(u32),
    /// As many as the device says when a pass runs, `capacity` at most.
    Counted {
        /// Rows that there is memory for.
        capacity: u32,
        /// Rows that there can ever be: a table with this capacity is never short.
        most: u32,
        wanted: Wanted,
    },
    /// A number of rows for each block of another table's capacity.
    Blocks { of: TableId, size: u32, per_block: u32 },
}

/// Where the device leaves how many rows a counted table *wants*, which may be more than there is memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// A column of integers.
    pub column: ColumnId,
    pub at: At,
}

/// An entry of a column of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Entry(u32),
    /// The one after the last row of a counted table: the total of a scan over its rows.
    End(TableId),
}

/// Rows that belong together.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub rows: Rows,
    /// Of a counted table: the entry of its capacity in the status, followed by that of the most rows ever wanted.
    pub status: Option<u32>,
}

/// The name of the column that the host reads after every step.
pub const STATUS: &str = "status";

/// The tables of a simulation and their columns, by name.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    pub(super) tables: Vec<Table>,
    pub(super) columns: Vec<Column>,
    by_name: HashMap<String, ColumnId>,
}

impl Tables {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a table without columns; a name may be used once.
    pub fn table(&mut self, name: &str, rows: Rows) -> Result<TableId, ComputeError> {
        let error = |problem: String| Err(ComputeError::Table { table: name.into(), problem });
        if self.find_table(name).is_some() {
            return error("is added twice".into());
        }
        let mut status = None;
        if let Rows::Counted { capacity, most, wanted } = rows {
            if self.element(wanted.column) != Element::Uint {
                let column = self.name(wanted.column);
                return error(format!("its rows are counted in `{column}`, which does not hold integers"));
            }
            if capacity == 0 || capacity > most {
                return error(format!("room for {capacity} rows where there are {most} at most"));
            }
            status = Some(self.reserve_status(&[capacity, 0])?);
        }
        self.tables.push(Table { name: name.into(), rows, status });
        Ok(TableId(self.tables.len() - 1))
    }

    /// Adds a column of zeros to a table, `per_row` elements for each row and `extra` after the last.
    pub fn zeros(
        &mut self,
        table: TableId,
        name: &str,
        element: Element,
        role: Role,
        [per_row, extra]: [u32; 2],
    ) -> Result<ColumnId, ComputeError> {
        let elements = self.capacity(table) as usize * per_row as usize + extra as usize;
        let id = self.add(name, element, role, Data::zeros(element, elements))?;
        let column = &mut self.columns[id.0];
        (column.table, column.per_row, column.extra) = (Some(table), per_row, extra);
        Ok(id)
    }

    /// Declares that columns added before are those of a table with so many rows, which may have others already.
    pub fn gather(&mut self, name: &str, rows: u32, columns: &[&str]) -> Result<TableId, ComputeError> {
        let table = match self.find_table(name) {
            Some(table) => table,
            None => self.table(name, Rows::Fixed(rows))?,
        };
        for &name in columns {
            let id = self.known(name)?;
            let column = &mut self.columns[id.0];
            let per_row = column.len().checked_div(rows as usize).unwrap_or(1);
            if column.table.is_some() || per_row * rows as usize != column.len() {
                let problem = format!("its {} elements are not those of {rows} rows", column.len());
                return Err(ComputeError::Buffer { buffer: name.into(), problem });
            }
            (column.table, column.per_row) = (Some(table), per_row as u32);
        }
        Ok(table)
    }

    /// Declares that the first components of a column's integers are rows of a table.
    pub fn refer(&mut self, column: &str, components: u32, table: &str) -> Result<(), ComputeError> {
        let id = self.known(column)?;
        let missing = || ComputeError::Table { table: table.into(), problem: "does not exist".into() };
        let table = self.find_table(table).ok_or_else(missing)?;
        self.columns[id.0].refers = Some(Refers { table, components, bits: u32::MAX });
        Ok(())
    }

    /// As [`Tables::refer`], where only these bits of a component are the row.
    pub fn refer_bits(
        &mut self,
        column: &str,
        components: u32,
        table: &str,
        bits: u32,
    ) -> Result<(), ComputeError> {
        self.refer(column, components, table)?;
        let id = self.known(column)?;
        if let Some(refers) = &mut self.columns[id.0].refers {
            refers.bits = bits;
        }
        Ok(())
    }

    /// Declares that a column says where the rows of a counted table begin that belong to each row of its own table. They are
    /// carried with those they belong to.
    pub fn divide(&mut self, column: &str, counted: TableId) -> Result<(), ComputeError> {
        let id = self.known(column)?;
        self.columns[id.0].starts = Some(counted);
        Ok(())
    }

    /// Declares that the components of a column of the state from one on come from the model: where a new model says
    /// something else, that holds.
    pub fn renew(&mut self, column: &str, from: u32) -> Result<(), ComputeError> {
        let id = self.known(column)?;
        self.columns[id.0].renewed = Some(from);
        Ok(())
    }

    /// Adds a column that stands alone, with its first contents; a name may be used once.
    pub fn add(
        &mut self,
        name: &str,
        element: Element,
        role: Role,
        data: Data,
    ) -> Result<ColumnId, ComputeError> {
        let error = |problem: String| ComputeError::Buffer { buffer: name.into(), problem };
        if matches!(data, Data::Reals(_)) != element.is_real() {
            return Err(error(format!("is declared `{}` but given the other scalar kind", element.name())));
        }
        if !data.len().is_multiple_of(element.width()) {
            return Err(error(format!("{} scalars do not divide into `{}`", data.len(), element.name())));
        }
        let id = ColumnId(self.columns.len());
        if self.by_name.insert(name.into(), id).is_some() {
            return Err(error("is added twice".into()));
        }
        self.columns.push(Column {
            name: name.into(),
            table: None,
            element,
            per_row: (data.len() / element.width()) as u32,
            extra: 0,
            refers: None,
            starts: None,
            renewed: None,
            role,
            start: data,
        });
        Ok(id)
    }

    pub fn reals(&mut self, name: &str, role: Role, data: Vec<f64>) -> Result<ColumnId, ComputeError> {
        self.add(name, Element::Real, role, Data::Reals(data))
    }

    pub fn real4s(&mut self, name: &str, role: Role, data: Vec<[f64; 4]>) -> Result<ColumnId, ComputeError> {
        self.add(name, Element::Real4, role, Data::Reals(data.into_flattened()))
    }

    pub fn uints(&mut self, name: &str, role: Role, data: Vec<u32>) -> Result<ColumnId, ComputeError> {
        self.add(name, Element::Uint, role, Data::Uints(data))
    }

    pub fn uint2s(&mut self, name: &str, role: Role, data: Vec<[u32; 2]>) -> Result<ColumnId, ComputeError> {
        self.add(name, Element::Uint2, role, Data::Uints(data.into_flattened()))
    }

    pub fn uint4s(&mut self, name: &str, role: Role, data: Vec<[u32; 4]>) -> Result<ColumnId, ComputeError> {
        self.add(name, Element::Uint4, role, Data::Uints(data.into_flattened()))
    }

    /// Reserves entries of the status, the column that the host reads after every step, and returns the first of them.
    pub fn reserve_status(&mut self, start: &[u32]) -> Result<u32, ComputeError> {
        let id = match self.find(STATUS) {
            Some(id) => id,
            None => self.uints(STATUS, Role::Scratch, Vec::new())?,
        };
        let column = &mut self.columns[id.0];
        let first = column.start.len();
        if let Data::Uints(words) = &mut column.start {
            words.extend(start);
        }
        column.per_row = column.start.len() as u32;
        Ok(first as u32)
    }

    /// Gives a column of integers that stands alone other contents at the start.
    pub(super) fn refill(&mut self, id: ColumnId, words: Vec<u32>) {
        let column = &mut self.columns[id.0];
        column.start = Data::Uints(words);
        column.per_row = column.len() as u32;
    }

    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.by_name.get(name).copied()
    }

    fn known(&self, name: &str) -> Result<ColumnId, ComputeError> {
        let missing = || ComputeError::Buffer { buffer: name.into(), problem: "does not exist".into() };
        self.find(name).ok_or_else(missing)
    }

    pub fn find_table(&self, name: &str) -> Option<TableId> {
        self.tables.iter().position(|table| table.name == name).map(TableId)
    }

    pub fn ids(&self) -> impl Iterator<Item = ColumnId> + use<> {
        (0..self.columns.len()).map(ColumnId)
    }

    pub fn table_ids(&self) -> impl Iterator<Item = TableId> + use<> {
        (0..self.tables.len()).map(TableId)
    }

    pub fn get(&self, id: ColumnId) -> &Column {
        &self.columns[id.0]
    }

    pub fn get_table(&self, id: TableId) -> &Table {
        &self.tables[id.0]
    }

    pub fn name(&self, id: ColumnId) -> &str {
        &self.get(id).name
    }

    pub fn element(&self, id: ColumnId) -> Element {
        self.get(id).element
    }

    pub fn role(&self, id: ColumnId) -> Role {
        self.get(id).role
    }

    /// What the column holds before the first step.
    pub fn initial(&self, id: ColumnId) -> &Data {
        &self.get(id).start
    }

    /// Elements that there is memory for.
    pub fn len(&self, id: ColumnId) -> usize {
        self.get(id).len()
    }

    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Rows that there is memory for.
    pub fn capacity(&self, table: TableId) -> u32 {
        match self.get_table(table).rows {
            Rows::Fixed(rows) => rows,
            Rows::Counted { capacity, .. } => capacity,
            Rows::Blocks { of, size, per_block } => self.capacity(of).div_ceil(size) * per_block,
        }
    }

    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.columns.iter().map(|column| 4 * column.start.len() as u64).sum()
    }

    /// The columns whose contents make up a checkpoint, in order.
    pub fn state(&self) -> impl Iterator<Item = ColumnId> + '_ {
        self.ids().filter(|&id| self.role(id) == Role::State)
    }

    /// The tables whose rows the device counts.
    pub fn counted(&self) -> impl Iterator<Item = TableId> + '_ {
        self.table_ids().filter(|&id| self.get_table(id).status.is_some())
    }

    /// Whether some table may want more rows than there is memory for.
    pub fn can_be_short(&self) -> bool {
        self.tables
            .iter()
            .any(|table| matches!(table.rows, Rows::Counted { capacity, most, .. } if capacity < most))
    }

    /// Makes room for so many rows in a counted table, as far as it can ever need them.
    pub fn grow(&mut self, table: TableId, rows: u32) {
        if let Rows::Counted { capacity, most, .. } = &mut self.tables[table.0].rows {
            *capacity = rows.clamp(*capacity, *most);
        }
        let capacities: Vec<u32> = self.table_ids().map(|id| self.capacity(id)).collect();
        for column in &mut self.columns {
            if let Some(table) = column.table {
                let elements = capacities[table.0] as usize * column.per_row as usize + column.extra as usize;
                column.start.resize(elements * column.element.width());
            }
        }
        let entries: Vec<(u32, u32)> =
            self.tables.iter().zip(&capacities).filter_map(|(t, &c)| Some((t.status?, c))).collect();
        if let Some(Data::Uints(words)) = self.find(STATUS).map(|id| &mut self.columns[id.0].start) {
            entries.into_iter().for_each(|(entry, capacity)| words[entry as usize] = capacity);
        }
    }

    /// Rows of a table that are in use, from the contents of the columns of integers that count them.
    pub fn live_rows<E>(
        &self,
        table: TableId,
        read: &mut impl FnMut(ColumnId) -> Result<Data, E>,
    ) -> Result<u32, E> {
        let Rows::Counted { capacity, wanted, .. } = self.get_table(table).rows else {
            return Ok(self.capacity(table));
        };
        let entry = match wanted.at {
            At::Entry(entry) => entry,
            At::End(of) => self.live_rows(of, read)?,
        };
        Ok(read(wanted.column)?.uints().get(entry as usize).copied().unwrap_or(0).min(capacity))
    }

    /// Scalars of a column that are in use when its table has so many rows.
    pub fn live_scalars(&self, id: ColumnId, rows: u32) -> usize {
        let column = self.get(id);
        if column.table.is_none() {
            return column.start.len();
        }
        (rows as usize * column.per_row as usize + column.extra as usize) * column.element.width()
    }
}
