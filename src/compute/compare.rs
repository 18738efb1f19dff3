//! Runs two backends in lock-step and finds the first pass whose results differ.

use super::Executor;
use super::buffers::{BufferId, Buffers, Data};
use super::error::ComputeError;
use super::kernel::Access;
use super::passes::{Pass, Passes, Run};

/// Where two backends part.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which repetition of the pass list, from 0.
    pub repetition: u32,
    /// The pass's place in the list.
    pub pass: usize,
    pub kernel: &'static str,
    pub buffer: String,
    pub element: usize,
    pub component: usize,
    pub values: [f64; 2],
    /// |a − b| over the size of the buffer's values.
    pub relative: f64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "repetition {}, pass {} `{}`: `{}`[{}].{} is {:e} and {:e}, relative difference {:.1e}",
            self.repetition,
            self.pass,
            self.kernel,
            self.buffer,
            self.element,
            self.component,
            self.values[0],
            self.values[1],
            self.relative
        )
    }
}

/// Runs one pass on both backends from the same contents and compares every buffer it writes.
///
/// The second backend is first given the first one's contents of all buffers the pass touches, so that the
/// difference is that of one pass. Returns the largest relative difference found, or the first element beyond
/// `tolerance`, relative to the largest magnitude of the same component in its buffer.
pub fn compare_pass(
    buffers: &Buffers,
    passes: &Passes,
    index: usize,
    [a, b]: [&mut dyn Executor; 2],
    tolerance: f64,
) -> Result<Result<f64, Difference>, ComputeError> {
    let pass = &passes.list[index];
    for id in pass.buffers.iter().copied().chain(pass.dispatch.map(|d| d.buffer)) {
        let contents = a.read(id)?;
        b.write(id, &contents)?;
    }
    let run = [Run { passes: index..index + 1, times: 1 }];
    a.execute(&run)?;
    b.execute(&run)?;
    let mut largest = 0.0f64;
    for id in written(pass) {
        match compare_contents(buffers, id, pass, index, [&a.read(id)?, &b.read(id)?], tolerance) {
            Ok(relative) => largest = largest.max(relative),
            Err(difference) => return Ok(Err(difference)),
        }
    }
    Ok(Ok(largest))
}

/// Runs the whole list on both backends `repetitions` times, comparing after every pass.
pub fn compare_runs(
    buffers: &Buffers,
    passes: &Passes,
    repetitions: u32,
    [a, b]: [&mut dyn Executor; 2],
    tolerance: f64,
) -> Result<Result<f64, Difference>, ComputeError> {
    let mut largest = 0.0f64;
    for repetition in 0..repetitions {
        for index in 0..passes.list.len() {
            match compare_pass(buffers, passes, index, [a, b], tolerance)? {
                Ok(relative) => largest = largest.max(relative),
                Err(difference) => return Ok(Err(Difference { repetition, ..difference })),
            }
        }
    }
    Ok(Ok(largest))
}

/// The buffers a pass writes.
pub(super) fn written(pass: &Pass) -> impl Iterator<Item = BufferId> + '_ {
    pass.kernel
        .bindings
        .iter()
        .zip(&pass.buffers)
        .filter(|(binding, _)| matches!(binding.access, Access::Write | Access::Atomic))
        .map(|(_, &id)| id)
}

fn compare_contents(
    buffers: &Buffers,
    id: BufferId,
    pass: &Pass,
    index: usize,
    contents: [&Data; 2],
    tolerance: f64,
) -> Result<f64, Difference> {
    let width = buffers.element(id).width();
    let values = |data: &Data| -> Vec<f64> {
        match data {
            Data::Reals(v) => v.clone(),
            Data::Uints(v) => v.iter().map(|&x| f64::from(x)).collect(),
        }
    };
    let (a, b) = (values(contents[0]), values(contents[1]));
    let real = buffers.element(id).is_real();
    // A component is compared to the largest of its kind, and x, y, z to each other: a sheet in the plane z = 0
    // has no size in z of its own.
    let size = |component: usize| {
        let of = |c: usize| a.iter().skip(c).step_by(width).fold(0.0f64, |m, x| m.max(x.abs()));
        if width == 4 && component < 3 { (0..3).map(of).fold(0.0, f64::max) } else { of(component) }
    };
    let sizes: Vec<f64> = (0..width).map(size).collect();
    let mut largest = 0.0f64;
    for (k, (&x, &y)) in a.iter().zip(&b).enumerate() {
        if x == y || (x.is_nan() && y.is_nan()) {
            continue;
        }
        let relative = (x - y).abs() / sizes[k % width].max(f64::MIN_POSITIVE);
        if !real || relative.is_nan() || relative > tolerance {
            return Err(Difference {
                repetition: 0,
                pass: index,
                kernel: pass.kernel.name,
                buffer: buffers.name(id).into(),
                element: k / width,
                component: k % width,
                values: [x, y],
                relative,
            });
        }
        largest = largest.max(relative);
    }
    Ok(largest)
}
