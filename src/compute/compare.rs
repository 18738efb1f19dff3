//! Runs two backends in lock-step and finds the first pass whose results differ.

use super::Executor;
use super::buffers::{BufferId, Buffers, Data};
use super::error::ComputeError;
use super::kernel::Access;
use super::passes::{Pass, Passes, Run};

/// Buffers of displacements. Passes compute them from the `positions` that they are added to, so they are no more exact
/// than the rounding of those, however small they are themselves.
const DISPLACEMENTS: [&str; 2] = ["offsets", "offsets_next"];
/// What rounding kept from positions. A pass that is given offsets and leaves this has its last digit from them; one that
/// finds the offsets itself leaves a part of such a displacement, and which part depends on how the position was rounded.
const RESIDUALS: &str = "residuals";
/// The buffer of turns [rad], computed from unit quaternions in the same way.
const TURNS: &str = "turns";
/// Displacements are compared to this share of the positions' size where they are smaller. A tolerance of 1e-5 is
/// then 1e-7 of a position, two roundings in f32.
const DISPLACED_SHARE: f64 = 1e-2;

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
        let contents = [&a.read(id)?, &b.read(id)?];
        let least_size = match (buffers.name(id), buffers.find("positions")) {
            (name, Some(positions))
                if DISPLACEMENTS.contains(&name) || name == RESIDUALS && !is_given_offsets(pass) =>
            {
                DISPLACED_SHARE * sizes(&a.read(positions)?, buffers.element(positions).width())[0]
            }
            (TURNS, _) => DISPLACED_SHARE,
            _ => f64::MIN_POSITIVE,
        };
        match compare_contents(buffers, id, pass, index, contents, least_size, tolerance) {
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

fn is_given_offsets(pass: &Pass) -> bool {
    pass.kernel.bindings.iter().any(|binding| DISPLACEMENTS.contains(&binding.name))
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

fn values(data: &Data) -> Vec<f64> {
    match data {
        Data::Reals(v) => v.clone(),
        Data::Uints(v) => v.iter().map(|&x| f64::from(x)).collect(),
    }
}

/// What each component is compared to: the largest of its kind, and x, y, z to each other, since a sheet in the plane
/// z = 0 has no size in z of its own.
fn sizes(data: &Data, width: usize) -> Vec<f64> {
    let values = values(data);
    let of = |c: usize| values.iter().skip(c).step_by(width).fold(0.0f64, |m, x| m.max(x.abs()));
    let size = |c: usize| if width == 4 && c < 3 { (0..3).map(of).fold(0.0, f64::max) } else { of(c) };
    (0..width).map(size).collect()
}

fn compare_contents(
    buffers: &Buffers,
    id: BufferId,
    pass: &Pass,
    index: usize,
    contents: [&Data; 2],
    least_size: f64,
    tolerance: f64,
) -> Result<f64, Difference> {
    let width = buffers.element(id).width();
    let sizes = sizes(contents[0], width);
    let (a, b) = (values(contents[0]), values(contents[1]));
    let real = buffers.element(id).is_real();
    let mut largest = 0.0f64;
    for (k, (&x, &y)) in a.iter().zip(&b).enumerate() {
        if x == y || (x.is_nan() && y.is_nan()) {
            continue;
        }
        let relative = (x - y).abs() / sizes[k % width].max(least_size);
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
