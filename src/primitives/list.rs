//! Lists that the device makes: count, scan, fill.
//!
//! A kernel counts how many rows each element of a source has to give, a scan makes starts of the counts, and a second
//! kernel writes the rows from each start on. So there is one order and the need is known exactly; a list that is
//! too short is made again with more room, and no family thinks of capacity.

use super::{Length, provide, scan};
use crate::compute::{
    At, ComputeError, Element, Extent, Kernel, Launch, Passes, Rows, TableId, Tables, Wanted,
};

/// What a list is made from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// So many elements.
    Elements(u32),
    /// The rows of a counted table.
    Rows(TableId),
    /// So many elements if a counted table has its one row; else the list stays as it is.
    Gated { gate: TableId, count: u32 },
}

impl Source {
    fn length(self) -> Length {
        match self {
            Self::Elements(count) => count.into(),
            Self::Rows(table) => Extent::of(table).into(),
            Self::Gated { gate, count } => Length::Gated { gate, count },
        }
    }
}

/// Declares the counted table of a list, with room for `capacity` rows at first and for `most` ever, and the columns
/// `…_counts` and `…_starts` that it is made by. The family adds its own columns to the table.
pub fn declare(
    buffers: &mut Tables,
    name: &str,
    source: Source,
    capacity: u32,
    most: u32,
) -> Result<TableId, ComputeError> {
    let length = source.length();
    provide(buffers, &format!("{name}_counts"), Element::Uint, length, 0)?;
    let starts = format!("{name}_starts");
    provide(buffers, &starts, Element::Uint, length, 1)?;
    let column = buffers.find(&starts).expect("provided above");
    let at = match source {
        Source::Elements(count) | Source::Gated { count, .. } => At::Entry(count),
        Source::Rows(table) => At::End(table),
    };
    buffers.table(name, Rows::Counted { capacity, most, wanted: Wanted { column, at } })
}

/// A kernel, its launch and its renamed bindings.
pub type Call<'a> = (&'static Kernel, Launch<f64>, &'a [(&'a str, &'a str)]);

/// Appends the passes that make a declared list: `count` writes `…_counts`, one for each element of the source; `fill`
/// reads `…_starts` and writes rows from each start on, as far as the columns of the table are long.
pub fn make(
    passes: &mut Passes,
    buffers: &mut Tables,
    name: &str,
    source: Source,
    count: Call<'_>,
    fill: Call<'_>,
) -> Result<(), ComputeError> {
    let missing = || ComputeError::Table { table: name.into(), problem: "is not declared".into() };
    let table = buffers.find_table(name).ok_or_else(missing)?;
    run(passes, buffers, source, count)?;
    let (counts, starts) = (format!("{name}_counts"), format!("{name}_starts"));
    scan::exclusive(passes, buffers, &counts, source.length(), &starts)?;
    passes.resolve(buffers, table)?;
    run(passes, buffers, source, fill)
}

fn run(
    passes: &mut Passes,
    buffers: &Tables,
    source: Source,
    (kernel, launch, renamed): Call<'_>,
) -> Result<(), ComputeError> {
    match source {
        Source::Elements(count) => passes.run_as(buffers, kernel, Launch { count, ..launch }, renamed),
        Source::Rows(table) => passes.over(buffers, kernel, launch, Extent::of(table), renamed),
        Source::Gated { gate, count } => {
            passes.over(buffers, kernel, launch, Extent::blocks(gate, 1, count), renamed)
        }
    }
}
