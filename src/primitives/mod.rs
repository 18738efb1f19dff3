//! Reductions, prefix sums and sorting on the device: what broad phases and solvers are made of.
//!
//! Each function appends passes to a list and adds the buffers they need, named after the result: `energy` has
//! its scratch in `energy_…`. A result or scratch buffer that exists already is used again if it is long enough,
//! so that one list may compute the same thing in several places. Counts are fixed when the list is built; a
//! list whose length is known only to the device is filled up to its capacity with zeros (for sums), or with
//! keys that sort last.

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

use crate::compute::{Buffers, ComputeError, Data, Element, Kernel, Role};

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

/// Checks that the input of a primitive exists, is not its result, and holds `count` elements, `most` at most.
fn check_input(
    buffers: &Buffers,
    name: &str,
    count: u32,
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
    if count > most {
        return error(format!("{count} elements; `{result}` can be computed from {most} at most"));
    }
    if buffers.len(id) < count as usize {
        return error(format!("holds {} elements; `{result}` wants {count} of them", buffers.len(id)));
    }
    Ok(())
}

/// Adds a buffer of zeros, or takes the one of that name if it can hold as much.
fn provide(buffers: &mut Buffers, name: &str, element: Element, len: u32) -> Result<(), ComputeError> {
    let Some(id) = buffers.find(name) else {
        let scalars = element.width() * len as usize;
        let data =
            if element.is_real() { Data::Reals(vec![0.0; scalars]) } else { Data::Uints(vec![0; scalars]) };
        return buffers.add(name, element, Role::Scratch, data).map(|_| ());
    };
    let (found, held) = (buffers.element(id), buffers.len(id));
    if found != element || held < len as usize {
        return Err(ComputeError::Buffer {
            buffer: name.into(),
            problem: format!(
                "exists with {held} elements of `{}`, but {len} of `{}` are needed; name another result",
                found.name(),
                element.name()
            ),
        });
    }
    Ok(())
}
