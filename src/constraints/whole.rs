//! Steps of substeps in which nothing but one iteration on links happens: the passes between that and the next are left out.
//!
//! For a few substeps positions stay where they are, and offsets go from the start of the first. See [`super::step_links`] and
//! [`super::step_jacobi`].

use crate::compute::{ComputeError, Kernel, Pass, Passes, Run};
use crate::particles::{finish, predict};
use std::ops::Range;

/// Substeps at most in which positions stay where they are: offsets that grow lose digits.
const TOGETHER: u32 = 16;

/// Appends the passes of a step, given those of a substep; nothing unless these are `predict`, passes of a kernel, `finish`.
/// `append` is given `predict` and `finish` and appends so many substeps.
pub fn append(
    passes: &mut Passes,
    (substep, substeps): (&Range<usize>, u32),
    kernel: &'static Kernel,
    append: impl Fn(&mut Passes, &[Pass; 2], u32) -> Result<(), ComputeError>,
) -> Result<Option<Run>, ComputeError> {
    let [begin, links @ .., end] = &passes.list[substep.clone()] else { return Ok(None) };
    let is = |pass: &Pass, kernel: &'static Kernel| std::ptr::eq(pass.kernel, kernel);
    let is_alone = is(begin, &predict::KERNEL)
        && is(end, &finish::KERNEL)
        && links.iter().all(|pass| is(pass, kernel) && pass.launch.index == 0);
    if !is_alone || links.is_empty() || substeps < 2 {
        return Ok(None);
    }
    let ends = [begin.clone(), end.clone()];
    let start = passes.list.len();
    for done in (0..substeps).step_by(TOGETHER as usize) {
        append(passes, &ends, TOGETHER.min(substeps - done))?;
    }
    Ok(Some(Run { passes: start..passes.list.len(), times: 1 }))
}
