//! State carried from one solver to the next, row by row.
//!
//! A scene that was changed, or a body that was cut, has other tables: the same names with other rows. For each table a
//! [`Carry`] knows the old row of each new row. That of the particles is given; rows of other tables are the same if they
//! refer to the same rows, so an element keeps its memory wherever it stands in the new order.

use super::columns::{ColumnId, Data, Role};
use super::tables::{Rows, TableId, Tables};
use std::collections::{HashMap, VecDeque};

/// For each table of a new solver the old row of each row, if there was one.
#[derive(Clone, Debug, Default)]
pub struct Carry {
    rows: HashMap<String, Vec<Option<u32>>>,
}

impl Carry {
    /// Finds the rows of all tables, from those of some: `(table, old rows)`.
    pub fn new<'a>(
        old: &Tables,
        new: &Tables,
        known: impl IntoIterator<Item = (&'a str, Vec<Option<u32>>)>,
    ) -> Self {
        let rows = known.into_iter().map(|(name, rows)| (name.to_owned(), rows)).collect();
        let mut carry = Self { rows };
        for table in new.table_ids() {
            let name = &new.get_table(table).name;
            if let Some(was) = old.find_table(name).filter(|_| !carry.rows.contains_key(name))
                && let Some(rows) = carry.find([old, new], [was, table])
            {
                carry.rows.insert(name.clone(), rows);
            }
        }
        carry
    }

    /// The same rows as before, for all tables that have as many.
    pub fn identity(old: &Tables, new: &Tables) -> Self {
        let kept = |table: TableId| {
            let name = new.get_table(table).name.as_str();
            let count = new.capacity(table);
            let same = old.find_table(name).is_some_and(|was| old.capacity(was) == count);
            same.then(|| (name, (0..count).map(Some).collect()))
        };
        Self::new(old, new, new.table_ids().filter_map(kept).collect::<Vec<_>>())
    }

    /// The old rows of a table.
    pub fn rows(&self, table: &str) -> Option<&[Option<u32>]> {
        self.rows.get(table).map(Vec::as_slice)
    }

    fn find(&self, [old, new]: [&Tables; 2], [was, table]: [TableId; 2]) -> Option<Vec<Option<u32>>> {
        let fixed = |tables: &Tables, id: TableId| match tables.get_table(id).rows {
            Rows::Fixed(rows) => Some(rows),
            _ => None,
        };
        let [before, now] = [fixed(old, was)?, fixed(new, table)?];
        let keys = new.ids().filter(|&id| {
            let column = new.get(id);
            column.table == Some(table)
                && column.role == Role::Model
                && column
                    .refers
                    .is_some_and(|refers| self.rows.contains_key(&new.get_table(refers.table).name))
        });
        let keys: Vec<(ColumnId, ColumnId)> =
            keys.filter_map(|id| Some((old.find(new.name(id))?, id))).collect();
        if keys.is_empty() {
            return (before == now).then(|| (0..now).map(Some).collect());
        }
        let mut places: HashMap<Vec<u32>, VecDeque<u32>> = HashMap::new();
        for row in 0..before {
            let key = keys.iter().flat_map(|&(id, _)| referred(old, id, row)).collect();
            places.entry(key).or_default().push_back(row);
        }
        let old_key = |row: u32| -> Option<Vec<u32>> {
            let mut key = Vec::new();
            for &(_, id) in &keys {
                let table = new.get_table(new.get(id).refers?.table).name.as_str();
                for at in referred(new, id, row) {
                    // What is no row is a mark of the kernel's own.
                    key.push(self.rows[table].get(at as usize).map_or(Some(at), |old| *old)?);
                }
            }
            Some(key)
        };
        Some((0..now).map(|row| places.get_mut(&old_key(row)?)?.pop_front()).collect())
    }

    /// What a column of the new solver holds, from what the column of that name held in the old one. Rows that are new have
    /// what they start with, and so has what the model says of a row, where it now says something else.
    pub fn column(
        &self,
        [old, new]: [&Tables; 2],
        [was, id]: [ColumnId; 2],
        contents: &Data,
    ) -> Option<Data> {
        let (before, column) = (old.get(was), new.get(id));
        if before.element != column.element || before.per_row != column.per_row {
            return None;
        }
        let Some(table) = column.table else { return Some(contents.clone()) };
        let rows = self.rows(&new.get_table(table).name)?;
        let width = column.element.width();
        let scalars = column.per_row as usize * width;
        let first_renewed = column.renewed.map_or(width, |component| component as usize);
        let mut data = column.start.clone();
        for (row, from) in rows.iter().enumerate().filter_map(|(row, old)| Some((row, (*old)? as usize))) {
            for k in 0..scalars {
                let [to, from] = [row, from].map(|row| row * scalars + k);
                match (&mut data, contents, &before.start) {
                    (Data::Reals(now), Data::Reals(then), Data::Reals(start)) => {
                        if k % width < first_renewed || now[to] == start[from] {
                            now[to] = then[from];
                        }
                    }
                    (Data::Uints(now), Data::Uints(then), _) => {
                        now[to] = self.renumbered(new, id, k, then[from])
                    }
                    _ => return None,
                }
            }
        }
        Some(data)
    }

    /// An integer of the old solver as the new one has it: the first new row of the old one that it names.
    fn renumbered(&self, new: &Tables, id: ColumnId, k: usize, value: u32) -> u32 {
        let column = new.get(id);
        let Some(refers) = column.refers else { return value };
        let Some(rows) = self.rows(&new.get_table(refers.table).name) else { return value };
        let is_row = k % column.element.width() < refers.components as usize;
        let found = is_row.then(|| rows.iter().position(|&old| old == Some(value))).flatten();
        found.map_or(value, |row| row as u32)
    }
}

/// The rows that a row of a column refers to.
fn referred(tables: &Tables, id: ColumnId, row: u32) -> Vec<u32> {
    let column = tables.get(id);
    let components = column.refers.map_or(0, |refers| refers.components as usize);
    let width = column.element.width();
    let scalars = column.per_row as usize * width;
    let words = &column.start.uints()[row as usize * scalars..][..scalars];
    words.chunks_exact(width).flat_map(|element| &element[..components]).copied().collect()
}
