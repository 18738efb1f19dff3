//! Steps of substeps in which nothing but one iteration on links happens: what is between that and the next is done by the same
//! passes, with the same bits. See [`super::step_links`] and [`super::step_jacobi`].

use crate::compute::{ComputeError, Kernel, Pass, Passes, Run};
use crate::particles::{finish, predict};
use std::ops::Range;

/// Appends the passes of a step, given those of a substep; nothing unless these are `predict`, passes of a kernel, `finish`.
/// `append` is given `predict` and `finish`.
pub fn append(
    passes: &mut Passes,
    substep: &Range<usize>,
    kernel: &'static Kernel,
    append: impl Fn(&mut Passes, &[Pass; 2]) -> Result<(), ComputeError>,
) -> Result<Option<Run>, ComputeError> {
    let [begin, links @ .., end] = &passes.list[substep.clone()] else { return Ok(None) };
    let is = |pass: &Pass, kernel: &'static Kernel| std::ptr::eq(pass.kernel, kernel);
    let is_alone =
        is(begin, &predict::KERNEL) && is(end, &finish::KERNEL) && links.iter().all(|pass| is(pass, kernel));
    if !is_alone || links.is_empty() {
        return Ok(None);
    }
    let ends = [begin.clone(), end.clone()];
    let start = passes.list.len();
    append(passes, &ends)?;
    Ok(Some(Run { passes: start..passes.list.len(), times: 1 }))
}
