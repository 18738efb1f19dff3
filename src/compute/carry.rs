//! State carried from one solver to the next, row by row.
//!
//! A scene that was changed, or a body that was cut, has other tables: the same names with other rows. For each table a
//! [`Carry`] knows the old row of each new row. That of the particles is given; rows of other tables are the same if they
//! refer to the same rows, so an element keeps its memory wherever it stands in the new order.

use super::columns::{Column, ColumnId, Data, Role};
use super::error::ComputeError;
use super::tables::{Rows, TableId, Tables};
use std::collections::{HashMap, HashSet, VecDeque};

/// For each table of a new solver the old row of each row, if there was one.
#[derive(Clone, Debug, Default)]
pub struct Carry {
    rows: HashMap<String, Vec<Option<u32>>>,
    /// Of columns that say where the rows of a counted table begin: what they say of the new rows.
    starts: HashMap<String, Vec<u32>>,
}

impl Carry {
    /// Finds the rows of all tables, from those of some: `(table, old rows)`.
    pub fn new<'a>(
        old: &Tables,
        new: &Tables,
        known: impl IntoIterator<Item = (&'a str, Vec<Option<u32>>)>,
    ) -> Self {
        let rows = known.into_iter().map(|(name, rows)| (name.to_owned(), rows)).collect();
        let mut carry = Self { rows, ..Self::default() };
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
            let key = keys.iter().flat_map(|&(id, _)| old.get(id).referred(old.initial(id), row)).collect();
            places.entry(key).or_default().push_back(row);
        }
        let old_key = |row: u32| -> Option<Vec<u32>> {
            let mut key = Vec::new();
            for &(_, id) in &keys {
                let table = new.get_table(new.get(id).refers?.table).name.as_str();
                for at in new.get(id).referred(new.initial(id), row) {
                    // What is no row is a mark of the kernel's own.
                    key.push(self.rows[table].get(at as usize).map_or(Some(at), |old| *old)?);
                }
            }
            Some(key)
        };
        let take = |row: u32| {
            let found = places.get_mut(&old_key(row)?)?;
            // What has become several has its state in all of them.
            if found.len() > 1 { found.pop_front() } else { found.front().copied() }
        };
        Some((0..now).map(take).collect())
    }

    /// The state of the new solver, from the rows in use of each column that the old one had; see [`Tables::write_live`]. Rows
    /// that are new have what they start with, and so has what the model says of a row, where it now says something else.
    pub fn state(
        &mut self,
        [old, new]: [&Tables; 2],
        contents: &HashMap<ColumnId, Data>,
    ) -> Result<Vec<Data>, ComputeError> {
        for table in new.counted() {
            let name = new.get_table(table).name.clone();
            let was = old.find_table(&name).filter(|&was| old.get_table(was).status.is_some());
            let mut rows = was.map_or(Vec::new(), |was| self.counted(old, was, contents));
            let of = |tables: &Tables, table: TableId| {
                tables.state().find(|&id| tables.get(id).starts == Some(table))
            };
            if let (Some(was), Some(column)) = (was.and_then(|was| of(old, was)), of(new, table)) {
                let starts = contents.get(&was).map_or(&[][..], |starts| starts.uints());
                let owners = new.get(column).table.and_then(|table| self.rows(&new.get_table(table).name));
                let (sorted, starts) = by_owner(&rows, owners.unwrap_or(&[]), starts);
                self.starts.insert(new.name(column).to_owned(), starts);
                rows = sorted;
            }
            self.rows.insert(name, rows);
        }
        let first_rows = self.rows.iter().map(|(table, rows)| {
            // A row that became several is referred to by the first of them.
            let pairs = rows.iter().enumerate().rev().filter_map(|(row, old)| Some(((*old)?, row as u32)));
            (table.as_str(), pairs.collect())
        });
        let first_rows: HashMap<&str, HashMap<u32, u32>> = first_rows.collect();
        let column = |id: ColumnId| {
            let was = old.find(new.name(id)).filter(|&was| old.role(was) == Role::State);
            let known = was.and_then(|was| Some((was, contents.get(&was)?)));
            self.column([old, new], id, known, &first_rows)
        };
        new.state().map(column).collect()
    }

    /// The rows in use of a counted table that refer to nothing that is gone.
    fn counted(&self, old: &Tables, table: TableId, contents: &HashMap<ColumnId, Data>) -> Vec<Option<u32>> {
        let columns: Vec<(&Column, &Data)> = (contents.iter())
            .map(|(&id, data)| (old.get(id), data))
            .filter(|(column, _)| column.table == Some(table) && column.scalars_per_row() > 0)
            .collect();
        let extra = |column: &Column| column.extra as usize * column.element.width();
        let rows =
            columns.iter().map(|(column, data)| (data.len() - extra(column)) / column.scalars_per_row());
        let rows = rows.min().unwrap_or(0) as u32;
        let is_left = |row: u32| {
            columns.iter().all(|(column, data)| {
                let Some(refers) = column.refers else { return true };
                let Some(kept) = self.rows(&old.get_table(refers.table).name) else { return true };
                let count = old.capacity(refers.table);
                let mut at = column.referred(data, row).into_iter().filter(|&at| at < count);
                at.all(|at| kept.contains(&Some(at)))
            })
        };
        (0..rows).filter(|&row| is_left(row)).map(Some).collect()
    }

    fn column(
        &self,
        [old, new]: [&Tables; 2],
        id: ColumnId,
        known: Option<(ColumnId, &Data)>,
        first_rows: &HashMap<&str, HashMap<u32, u32>>,
    ) -> Result<Data, ComputeError> {
        let column = new.get(id);
        if let Some(starts) = self.starts.get(&column.name) {
            return Ok(Data::Uints(starts.clone()));
        }
        let rows = column.table.and_then(|table| self.rows(&new.get_table(table).name));
        let mut data = column.start.clone();
        if let Some(rows) = rows {
            data.resize(new.live_scalars(id, rows.len() as u32));
        }
        let Some((was, contents)) = known else { return Ok(data) };
        let before = old.get(was);
        if before.element != column.element {
            return Ok(data);
        }
        if column.table.is_none() {
            let problem = "is a state without a table, and has another length now".into();
            let error = ComputeError::Buffer { buffer: column.name.clone(), problem };
            return if contents.len() == data.len() { Ok(contents.clone()) } else { Err(error) };
        }
        let Some(rows) = rows.filter(|_| before.per_row == column.per_row) else { return Ok(data) };
        let width = column.element.width();
        let scalars = column.scalars_per_row();
        let first_renewed = column.renewed.map_or(width, |component| component as usize);
        let renumbered = |k: usize, value: u32| {
            let Some(refers) = column.refers.filter(|refers| k % width < refers.components as usize) else {
                return value;
            };
            let rows = first_rows.get(new.get_table(refers.table).name.as_str());
            let row = rows.and_then(|rows| rows.get(&(value & refers.bits))).copied();
            row.map_or(value, |row| row | value & !refers.bits)
        };
        for (row, from) in rows.iter().enumerate().filter_map(|(row, old)| Some((row, (*old)? as usize))) {
            for k in 0..scalars {
                let [to, from] = [row, from].map(|row| row * scalars + k);
                match (&mut data, contents, &before.start) {
                    (Data::Reals(now), Data::Reals(then), Data::Reals(start)) => {
                        if k % width < first_renewed || now[to] == start[from] {
                            now[to] = then[from];
                        }
                    }
                    (Data::Uints(now), Data::Uints(then), _) => now[to] = renumbered(k, then[from]),
                    _ => unreachable!("both are of the same element"),
                }
            }
        }
        Ok(data)
    }
}

/// The rows that are left of a list, in the order of those they belong to, and where those of each begin: `owners` has the old row
/// of each new one, and `starts` where the rows of each old one began.
fn by_owner(rows: &[Option<u32>], owners: &[Option<u32>], starts: &[u32]) -> (Vec<Option<u32>>, Vec<u32>) {
    let left: HashSet<u32> = rows.iter().flatten().copied().collect();
    let (mut sorted, mut begin) = (Vec::new(), vec![0]);
    for owner in owners {
        let range =
            owner.and_then(|owner| Some(*starts.get(owner as usize)?..*starts.get(owner as usize + 1)?));
        sorted.extend(range.into_iter().flatten().filter(|row| left.contains(row)).map(Some));
        begin.push(sorted.len() as u32);
    }
    (sorted, begin)
}

impl Column {
    fn scalars_per_row(&self) -> usize {
        self.per_row as usize * self.element.width()
    }

    /// The rows that a row of the column refers to.
    fn referred(&self, contents: &Data, row: u32) -> Vec<u32> {
        let (components, bits) =
            self.refers.map_or((0, 0), |refers| (refers.components as usize, refers.bits));
        let scalars = self.scalars_per_row();
        let words = &contents.uints()[row as usize * scalars..][..scalars];
        words
            .chunks_exact(self.element.width())
            .flat_map(|element| &element[..components])
            .map(|word| word & bits)
            .collect()
    }
}
