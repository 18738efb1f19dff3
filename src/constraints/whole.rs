//! Steps of substeps in which nothing but one iteration on links happens: the passes between that and the next are left out.
//!
//! For a few substeps positions stay where they are, and offsets go from the start of the first: between `predict` and
//! `finish` there are only [`super::step_links`] or [`super::step_jacobi`].

use crate::compute::{Buffers, ComputeError, Kernel, Pass, Passes, Run};
use crate::particles::{finish, predict};
use std::ops::Range;

/// Substeps at most in which positions stay where they are: offsets that grow lose digits.
const TOGETHER: u32 = 16;

/// Appends the passes of a step, given those of a substep; nothing unless these are `predict`, passes of a kernel, `finish`.
/// `append` appends substep number k of so many and returns the buffer of its offsets.
pub fn append(
    passes: &mut Passes,
    buffers: &Buffers,
    (substep, substeps): (&Range<usize>, u32),
    kernel: &'static Kernel,
    mut append: impl FnMut(&mut Passes, u32, u32) -> Result<&'static str, ComputeError>,
) -> Result<Option<Run>, ComputeError> {
    let [begin, links @ .., end] = &passes.list[substep.clone()] else { return Ok(None) };
    let is = |pass: &Pass, kernel: &'static Kernel| std::ptr::eq(pass.kernel, kernel);
    let is_alone = is(begin, &predict::KERNEL)
        && is(end, &finish::KERNEL)
        && links.iter().all(|pass| is(pass, kernel) && pass.launch.index == 0);
    if !is_alone || links.is_empty() || substeps < 2 {
        return Ok(None);
    }
    let (begin, end) = (begin.clone(), end.launch);
    let start = passes.list.len();
    let mut left = substeps;
    while left > 0 {
        let count = left.min(TOGETHER);
        passes.list.push(begin.clone());
        let mut result = "";
        for k in 0..count {
            result = append(passes, k, count)?;
        }
        passes.run_as(buffers, &finish::KERNEL, end, &[("offsets", result)])?;
        left -= count;
    }
    Ok(Some(Run { passes: start..passes.list.len(), times: 1 }))
}
