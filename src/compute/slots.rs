//! Passes over rows that the device counts: what a pass takes of a table, and the slots that [`resolve`] writes.

use super::columns::Role;
use super::error::ComputeError;
use super::kernel::{Grain, Kernel};
use super::passes::{LAUNCH_ROW, Launch, Pass, Passes};
use super::reflect::reflect;
use super::resolve::{self, SLOT};
use super::tables::{At, Rows, TableId, Tables, Wanted};
use super::upload::LaunchUniform;
use std::collections::HashMap;

/// The column of the slots, and that which says how to fill them.
const LAUNCHES: &str = "launches";
const SLOTS: &str = "resolve_slots";

/// What a pass takes of a table: one element for each row, unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub table: TableId,
    /// The rows between two entries of the column in which the table's rows are counted, instead of all.
    part: Option<[u32; 2]>,
    /// `per_block` elements for each block of so many rows.
    pub(crate) block: u32,
    pub(crate) per_block: u32,
    /// Elements that a workgroup takes, of kernels whose twin stands for a workgroup.
    per_group: Option<u32>,
    /// The pass's slot, known when the list is linked.
    pub(super) slot: Option<u32>,
}

impl Extent {
    /// All rows of a counted table.
    pub fn of(table: TableId) -> Self {
        Self { table, part: None, block: 1, per_block: 1, per_group: None, slot: None }
    }

    /// The rows from where one entry of the table's counts says to where another says. The kernel finds the first of them
    /// in `launch.first`.
    pub fn part(table: TableId, from: u32, to: u32) -> Self {
        Self { part: Some([from, to]), ..Self::of(table) }
    }

    /// `per_block` elements for each block of `size` rows, a part of a block counted as a whole.
    pub fn blocks(table: TableId, size: u32, per_block: u32) -> Self {
        Self { block: size, per_block, ..Self::of(table) }
    }

    /// For kernels whose twin stands for a workgroup, which takes so many elements.
    pub fn groups(self, per_group: u32) -> Self {
        Self { per_group: Some(per_group), ..self }
    }

    /// Whether an element stands for a row, and all are taken.
    fn is_whole(&self) -> bool {
        self.part.is_none() && (self.block, self.per_block) == (1, 1)
    }

    /// Elements for so many rows.
    fn elements(&self, rows: u32) -> u32 {
        rows.div_ceil(self.block) * self.per_block
    }

    /// Twin calls for so many elements.
    pub(super) fn calls(&self, elements: u32) -> u32 {
        self.per_group.map_or(elements, |per_group| elements.div_ceil(per_group))
    }
}

impl Passes {
    /// Appends a kernel over rows that the device counts; `launch.count` is what it finds when the pass runs.
    ///
    /// A kernel that fills a table must check each row against the length of the column that it writes: there may be more
    /// rows than there is memory for, and then the step is repeated.
    pub fn over(
        &mut self,
        tables: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        extent: Extent,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        let error = |text: String| Err(problem(tables, extent.table, &text));
        if !matches!(tables.get_table(extent.table).rows, Rows::Counted { .. }) {
            return error(format!("its rows are not counted on the device, as `{}` expects", kernel.name));
        }
        if (kernel.grain == Grain::Workgroup) != extent.per_group.is_some() {
            return error(format!(
                "how much a workgroup takes is said of workgroups only: `{}`",
                kernel.name
            ));
        }
        let launch = Launch { count: extent.elements(tables.capacity(extent.table)), ..launch };
        self.push(tables, kernel, launch, extent.calls(launch.count), renamed)?;
        if let Some(pass) = self.list.last_mut() {
            pass.extent = Some(extent);
        }
        Ok(())
    }

    /// Appends the pass after which a counted table has as many rows as it wants, for all passes over it until it is
    /// counted again.
    pub fn resolve(&mut self, tables: &mut Tables, table: TableId) -> Result<(), ComputeError> {
        let (rows, status) = (tables.get_table(table).rows, tables.get_table(table).status);
        let (Rows::Counted { wanted, .. }, Some(status)) = (rows, status) else {
            return Err(problem(tables, table, "its rows are not counted on the device"));
        };
        if tables.find(LAUNCHES).is_none() {
            tables.uints(LAUNCHES, Role::Scratch, Vec::new())?;
            tables.uint4s(SLOTS, Role::Model, Vec::new())?;
        }
        let index = match wanted.at {
            At::Entry(entry) => entry,
            At::End(_) => 0,
        };
        let counts = tables.name(wanted.column).to_owned();
        // How many slots there are is known when the list is linked.
        let launch = Launch { index, base: status, ..Launch::over(1) };
        self.run_as(tables, &resolve::KERNEL, launch, &[("counts", &counts)])?;
        if let Some(pass) = self.list.last_mut() {
            pass.resolves = Some(table);
        }
        Ok(())
    }

    /// Gives every pass over counted rows its slot, once the list is complete.
    pub fn link(&mut self, tables: &mut Tables) -> Result<(), ComputeError> {
        let mut links = Links::default();
        for number in 0..self.list.len() {
            if let Some(table) = self.list[number].resolves {
                self.list[number].launch.flags = links.resolve(tables, table, number)?;
            }
            if let Some(extent) = self.list[number].extent {
                let slot = Some(links.add(tables, &self.list[number], extent)?);
                self.list[number].extent = Some(Extent { slot, ..extent });
            }
        }
        let (Some(launches), Some(slots)) = (tables.find(LAUNCHES), tables.find(SLOTS)) else {
            return Ok(());
        };
        let mut list: Vec<[u32; 4]> = Vec::new();
        for (number, pass) in self.list.iter_mut().enumerate().filter(|(_, pass)| pass.resolves.is_some()) {
            let own = links.of(number);
            pass.launch.first = list.len() as u32 / 2;
            pass.launch.count = own.len() as u32 / 2;
            pass.calls = pass.launch.count;
            list.extend(own);
        }
        tables.refill(launches, links.words);
        tables.refill(slots, list.into_flattened());
        self.launches = Some(launches);
        Ok(())
    }
}

/// The slots of a list under construction.
#[derive(Default)]
struct Links {
    /// The contents of all slots.
    words: Vec<u32>,
    workgroup_sizes: HashMap<&'static str, u32>,
    /// What each resolving pass does.
    orders: HashMap<usize, Vec<[u32; 4]>>,
    /// The last pass that has counted a table.
    resolved: HashMap<TableId, usize>,
    /// The slot of the last pass over all rows of a table.
    whole: HashMap<TableId, u32>,
}

impl Links {
    /// Notes a pass that counts a table, and returns its flags: where the end of the rows is found that it counts.
    fn resolve(&mut self, tables: &Tables, table: TableId, number: usize) -> Result<u32, ComputeError> {
        self.resolved.insert(table, number);
        let Rows::Counted { wanted: Wanted { at: At::End(of), .. }, .. } = tables.get_table(table).rows
        else {
            return Ok(0);
        };
        let missing = || problem(tables, table, "no pass goes over the rows that it is counted from");
        self.whole.get(&of).map(|slot| slot + 1).ok_or_else(missing)
    }

    /// Gives a pass its slot.
    fn add(&mut self, tables: &Tables, pass: &Pass, extent: Extent) -> Result<u32, ComputeError> {
        let kernel = pass.kernel;
        let Some(&resolved) = self.resolved.get(&extent.table) else {
            let early = format!("`{}` goes over its rows before they are counted", kernel.name);
            return Err(problem(tables, extent.table, &early));
        };
        let size = match self.workgroup_sizes.get(kernel.path) {
            Some(&size) => size,
            None => *self.workgroup_sizes.entry(kernel.path).or_insert(reflect(kernel)?.workgroup_size),
        };
        let slot = self.slot(&LaunchUniform::from(pass.launch).words());
        let [from, to] = extent.part.unwrap_or_default();
        self.orders.entry(resolved).or_default().extend([
            [slot, extent.block, extent.per_block, extent.per_group.unwrap_or(size)],
            [from, to, LAUNCH_ROW / size, 0],
        ]);
        if extent.is_whole() {
            self.whole.insert(extent.table, slot);
        }
        Ok(slot)
    }

    fn slot(&mut self, words: &[u32]) -> u32 {
        let slot = self.words.len() as u32 / SLOT;
        self.words.extend(words);
        self.words.resize((slot + 1) as usize * SLOT as usize, 0);
        slot
    }

    /// What a resolving pass does. One that nothing follows still says what is wanted, and writes a slot of nobody's.
    fn of(&mut self, number: usize) -> Vec<[u32; 4]> {
        match self.orders.remove(&number) {
            Some(orders) => orders,
            None => vec![[self.slot(&[]), 1, 1, 1], [0, 0, LAUNCH_ROW, 0]],
        }
    }
}

fn problem(tables: &Tables, table: TableId, problem: &str) -> ComputeError {
    ComputeError::Table { table: tables.get_table(table).name.clone(), problem: problem.into() }
}
