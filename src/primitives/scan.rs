//! Prefix sums: where each entry's part of a list begins, from how much each entry has.
//!
//! Blocks of 4,096 are summed, the sums are scanned, and each block is scanned from its own start: two reads and
//! one write per integer, where scanning first and adding the starts later writes twice. Sums wrap at 2³².

use super::{Length, check_input, provide, scan_blocks, scan_sums};
use crate::compute::{ComputeError, Element, Launch, Passes, Tables};

/// Integers per workgroup.
pub const BLOCK: u32 = super::BLOCK;
/// Integers that two levels can scan: each of the upper level's is a block of the lower.
pub const MOST: u32 = BLOCK * BLOCK;

/// The flag of a pass whose blocks begin where `block_starts` says, not at 0.
pub(super) const CONTINUED: u32 = 1;

/// Appends the passes that make `starts[i]` the sum of the `counts` before i, for i up to and including `count`:
/// `starts` has one element more, and the last is the total.
///
/// Nothing is dispatched for `count` = 0: a `starts` made here is then `[0]`.
pub fn exclusive(
    passes: &mut Passes,
    buffers: &mut Tables,
    counts: &str,
    count: impl Into<Length>,
    starts: &str,
) -> Result<(), ComputeError> {
    let count = count.into();
    check_input(buffers, counts, count, MOST, starts)?;
    provide(buffers, starts, Element::Uint, count, 1)?;
    // A list whose length only the device knows has two levels at any capacity, so that passes do not depend on it.
    if matches!(count, Length::Known(known) | Length::Gated { count: known, .. } if known <= BLOCK) {
        return scan_block(passes, buffers, counts, count, starts);
    }
    let (sums, block_starts) = (format!("{starts}_block_sums"), format!("{starts}_block_starts"));
    let blocks = count.blocks(1);
    provide(buffers, &sums, Element::Uint, blocks, 0)?;
    provide(buffers, &block_starts, Element::Uint, blocks, 1)?;
    let renamed = [("counts", counts), ("block_sums", sums.as_str())];
    count.run(passes, buffers, &scan_sums::KERNEL, Launch::over(0), &renamed)?;
    scan_block(passes, buffers, &sums, blocks, &block_starts)?;
    let renamed = [("counts", counts), ("block_starts", &block_starts), ("starts", starts)];
    let launch = Launch { flags: CONTINUED, ..Launch::over(0) };
    count.run(passes, buffers, &scan_blocks::KERNEL, launch, &renamed)
}

/// One block at most, which begins at 0: `block_starts` is bound to something but not read.
fn scan_block(
    passes: &mut Passes,
    buffers: &Tables,
    counts: &str,
    count: Length,
    starts: &str,
) -> Result<(), ComputeError> {
    let renamed = [("counts", counts), ("block_starts", counts), ("starts", starts)];
    count.run(passes, buffers, &scan_blocks::KERNEL, Launch::over(0), &renamed)
}
