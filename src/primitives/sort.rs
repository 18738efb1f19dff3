//! Stable radix sort of (key, value) pairs, from the lowest digit to the highest.
//!
//! For each digit of eight bits: count it in blocks of 4,096 pairs, scan the counts digit by digit and block by
//! block, and move each pair to the place after all smaller digits, all equal ones of earlier blocks, and those
//! before it in its own. Eight bits rather than four: kernel by kernel on a software driver, a pass over the pairs
//! costs about half as much again, for wider tables, and there are half as many.

use super::{Length, check_input, provide, scan, sort_count, sort_scatter};
use crate::compute::{ComputeError, Element, Launch, Passes, Tables};

/// Bits of a key per pass over the pairs.
pub const DIGIT_BITS: u32 = 8;
/// Values of a digit.
pub const DIGITS: u32 = 1 << DIGIT_BITS;
/// Pairs per workgroup.
pub const BLOCK: u32 = super::BLOCK;
/// Pairs that can be sorted: 64 MiB, half of what every WebGPU device can bind.
pub const MOST: u32 = 1 << 23;

/// Appends the passes that put the first `count` of `pairs` (key, value) into `sorted`, by the low `bits` bits of
/// their keys; pairs with equal bits keep their order.
///
/// `pairs` is left as it is. The time goes with the digits: 20 bits cost three quarters of 32. Nothing is
/// dispatched for `count` = 0.
pub fn pairs(
    passes: &mut Passes,
    buffers: &mut Tables,
    pairs: &str,
    count: impl Into<Length>,
    bits: u32,
    sorted: &str,
) -> Result<(), ComputeError> {
    let count = count.into();
    check_input(buffers, pairs, count, MOST, sorted)?;
    if !(1..=u32::BITS).contains(&bits) {
        return Err(ComputeError::Buffer {
            buffer: sorted.into(),
            problem: format!("is to be sorted by {bits} bits of the keys, which have 1 to 32"),
        });
    }
    let (other, counts, starts) =
        (format!("{sorted}_other"), format!("{sorted}_digit_counts"), format!("{sorted}_digit_starts"));
    let table = count.blocks(DIGITS);
    let digits = bits.div_ceil(DIGIT_BITS);
    provide(buffers, sorted, Element::Uint2, count, 0)?;
    provide(buffers, &counts, Element::Uint, table, 0)?;
    if digits > 1 {
        provide(buffers, &other, Element::Uint2, count, 0)?;
    }
    let mut from = pairs;
    for index in 0..digits {
        // The last digit goes to `sorted`, and the ones before it to and fro.
        let to = if (digits - index) % 2 == 1 { sorted } else { other.as_str() };
        let width = DIGIT_BITS.min(bits - index * DIGIT_BITS);
        let launch = Launch { index, flags: (1 << width) - 1, ..Launch::over(0) };
        let renamed = [("pairs", from), ("digit_counts", &counts)];
        count.run(passes, buffers, &sort_count::KERNEL, launch, &renamed)?;
        scan::exclusive(passes, buffers, &counts, table, &starts)?;
        let renamed = [("pairs", from), ("digit_starts", &starts), ("sorted", to)];
        count.run(passes, buffers, &sort_scatter::KERNEL, launch, &renamed)?;
        from = to;
    }
    Ok(())
}

/// The digit of a key that a pass sorts by.
#[inline(always)]
pub(super) fn digit<R>(launch: &Launch<R>, key: u32) -> usize {
    (key >> (launch.index * DIGIT_BITS) & launch.flags) as usize
}
