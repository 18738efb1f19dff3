//! Reductions, prefix sums and sorting on the device: what broad phases and solvers are made of.
//!
//! Each function appends passes to a list and adds the buffers they need, named after the result: `energy` has
//! its scratch in `energy_…`. A result or scratch buffer that exists already is used again if it is long enough,
//! so that one list may compute the same thing in several places. Scans and sorts take a number, or the rows of a table
//! that the device counts; reductions take a number.

pub mod list;
pub mod reduce;
pub mod reduce_dot;
pub mod reduce_max;
pub mod reduce_sum;
pub mod scan;
pub mod scan_blocks;
pub mod scan_sums;
pub mod sort;
pub mod sort_count;
pub mod sort_scatter;

use crate::compute::{
    ComputeError, Data, Element, Extent, Kernel, Launch, Passes, Role, Rows, TableId, Tables,
};

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &reduce_dot::KERNEL,
    &reduce_max::KERNEL,
    &reduce_sum::KERNEL,
    &scan_blocks::KERNEL,
    &scan_sums::KERNEL,
    &sort_count::KERNEL,
    &sort_scatter::KERNEL,
];

/// Elements per workgroup of scans and sorts.
const BLOCK: u32 = 4096;

/// How many elements a primitive takes.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    Known(u32),
    /// As many as the rows that the device counts make.
    Counted(Extent),
    /// So many if a counted table has its one row, else none.
    Gated {
        gate: TableId,
        count: u32,
    },
}

impl From<u32> for Length {
    fn from(count: u32) -> Self {
        Self::Known(count)
    }
}

impl From<Extent> for Length {
    fn from(extent: Extent) -> Self {
        Self::Counted(extent)
    }
}

impl Length {
    /// How many elements there can be.
    fn most(self, buffers: &Tables) -> u32 {
        match self {
            Self::Known(count) | Self::Gated { count, .. } => count,
            Self::Counted(extent) => match buffers.get_table(extent.table).rows {
                Rows::Counted { most, .. } => most.div_ceil(extent.block).saturating_mul(extent.per_block),
                _ => buffers.capacity(extent.table).div_ceil(extent.block) * extent.per_block,
            },
        }
    }

    /// `per_block` elements for each block of these.
    fn blocks(self, per_block: u32) -> Self {
        match self {
            Self::Known(count) => Self::Known(count.div_ceil(BLOCK) * per_block),
            Self::Gated { gate, count } => Self::Gated { gate, count: count.div_ceil(BLOCK) * per_block },
            Self::Counted(e) => {
                debug_assert!(BLOCK.is_multiple_of(e.per_block), "blocks of {e:?}");
                Self::Counted(Extent::blocks(e.table, e.block * (BLOCK / e.per_block), per_block))
            }
        }
    }

    /// The table that has a row for each element.
    fn table(self, buffers: &mut Tables) -> Result<Option<TableId>, ComputeError> {
        let Self::Counted(Extent { table, block, per_block, .. }) = self else { return Ok(None) };
        if (block, per_block) == (1, 1) {
            return Ok(Some(table));
        }
        let name = format!("{}_{per_block}_per_{block}", buffers.get_table(table).name);
        match buffers.find_table(&name) {
            Some(table) => Ok(Some(table)),
            None => buffers.table(&name, Rows::Blocks { of: table, size: block, per_block }).map(Some),
        }
    }

    /// Appends a kernel with a workgroup for each block.
    fn run(
        self,
        passes: &mut Passes,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        match self {
            Self::Known(count) => {
                let launch = Launch { count, ..launch };
                passes.run_groups(buffers, kernel, launch, count.div_ceil(BLOCK), renamed)
            }
            Self::Counted(extent) => passes.over(buffers, kernel, launch, extent.groups(BLOCK), renamed),
            Self::Gated { gate, count } => {
                let extent = Extent::blocks(gate, 1, count).groups(BLOCK);
                passes.over(buffers, kernel, launch, extent, renamed)
            }
        }
    }
}

/// Checks that the input of a primitive exists, is not its result, and holds `count` elements, `most` at most.
fn check_input(
    buffers: &Tables,
    name: &str,
    count: Length,
    most: u32,
    result: &str,
) -> Result<(), ComputeError> {
    let error = |problem: String| Err(ComputeError::Buffer { buffer: name.into(), problem });
    let Some(id) = buffers.find(name) else {
        return error(format!("does not exist; `{result}` is to be computed from it"));
    };
    if name == result {
        return error("is both the input and the result; name another buffer for the result".into());
    }
    if count.most(buffers) > most {
        let count = count.most(buffers);
        return error(format!("{count} elements; `{result}` can be computed from {most} at most"));
    }
    if let Length::Known(count) | Length::Gated { count, .. } = count
        && buffers.len(id) < count as usize
    {
        return error(format!("holds {} elements; `{result}` wants {count} of them", buffers.len(id)));
    }
    Ok(())
}

/// Adds a buffer of zeros, with `extra` elements after the last, or takes the one of that name if it can hold as much.
fn provide(
    buffers: &mut Tables,
    name: &str,
    element: Element,
    length: Length,
    extra: u32,
) -> Result<(), ComputeError> {
    let Some(id) = buffers.find(name) else {
        return match (length.table(buffers)?, length) {
            (Some(table), _) => buffers.zeros(table, name, element, Role::Scratch, [1, extra]).map(drop),
            (None, length) => {
                let elements = length.most(buffers) + extra;
                buffers.add(name, element, Role::Scratch, Data::zeros(element, elements as usize)).map(drop)
            }
        };
    };
    let (found, held) = (buffers.element(id), buffers.len(id));
    let needed = match length {
        Length::Known(count) | Length::Gated { count, .. } => count + extra,
        Length::Counted(_) => extra,
    };
    if found != element || held < needed as usize {
        return Err(ComputeError::Buffer {
            buffer: name.into(),
            problem: format!(
                "exists with {held} elements of `{}`, but {needed} of `{}` are needed; name another result",
                found.name(),
                element.name()
            ),
        });
    }
    Ok(())
}
