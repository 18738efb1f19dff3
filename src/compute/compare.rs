//! Runs two backends in lock-step and finds the first pass whose results differ.

use super::columns::{Data, Element};
use super::error::ComputeError;
use super::kernel::Access;
use super::passes::{Pass, Passes, Run};
use super::{ColumnId, Executor, Tables};

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
    /// |a − b| over the size of the buffer's values; infinite where either is not finite.
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
/// `tolerance`, relative to the largest magnitude of the same component in its buffer. A value that is not finite is a
/// difference even where both backends have it: nothing can be said about how well they agree there.
pub fn compare_pass(
    buffers: &Tables,
    passes: &Passes,
    index: usize,
    [a, b]: [&mut dyn Executor; 2],
    tolerance: f64,
) -> Result<Result<f64, Difference>, ComputeError> {
    let pass = &passes.list[index];
    let launches = passes.launches.filter(|_| pass.extent.is_some());
    for id in pass.buffers.iter().copied().chain(launches) {
        let contents = a.read(id)?;
        b.write(id, &contents)?;
    }
    let run = [Run { passes: index..index + 1, times: 1 }];
    a.execute(&run)?;
    b.execute(&run)?;
    let positions = buffers.find("positions").map(|id| a.read(id)).transpose()?;
    let mut largest = 0.0f64;
    for id in written(pass) {
        let live = live_scalars(buffers, id, a)?;
        let contents = [&a.read(id)?.first(live), &b.read(id)?.first(live)];
        match compare_buffer(buffers, passes, index, id, contents, positions.as_ref(), tolerance) {
            Ok(relative) => largest = largest.max(relative),
            Err(difference) => return Ok(Err(difference)),
        }
    }
    Ok(Ok(largest))
}

/// Compares what two backends have in one buffer after a pass, as [`compare_pass`] does; `positions` are those after the pass.
pub fn compare_buffer(
    buffers: &Tables,
    passes: &Passes,
    index: usize,
    id: ColumnId,
    contents: [&Data; 2],
    positions: Option<&Data>,
    tolerance: f64,
) -> Result<f64, Difference> {
    let pass = &passes.list[index];
    let least_size = match (buffers.name(id), positions) {
        (name, Some(positions))
            if DISPLACEMENTS.contains(&name) || name == RESIDUALS && !is_given_offsets(pass) =>
        {
            DISPLACED_SHARE * sizes(positions, Element::Real4.width())[0]
        }
        (TURNS, _) => DISPLACED_SHARE,
        _ => f64::MIN_POSITIVE,
    };
    compare_contents(buffers, id, pass, index, contents, least_size, tolerance)
}

/// Runs the whole list on both backends `repetitions` times, comparing after every pass.
pub fn compare_runs(
    buffers: &Tables,
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
pub fn written(pass: &Pass) -> impl Iterator<Item = ColumnId> + '_ {
    pass.kernel
        .bindings
        .iter()
        .zip(&pass.buffers)
        .filter(|(binding, _)| matches!(binding.access, Access::Write | Access::Atomic))
        .map(|(_, &id)| id)
}

/// Scalars of a column that are in use: what lies beyond the counted rows of a table means nothing.
fn live_scalars(buffers: &Tables, id: ColumnId, a: &mut dyn Executor) -> Result<usize, ComputeError> {
    let Some(table) = buffers.get(id).table else { return Ok(buffers.initial(id).len()) };
    let rows = buffers.live_rows(table, &mut |column| a.read(column))?;
    Ok(buffers.live_scalars(id, rows))
}

fn values(data: &Data) -> Vec<f64> {
    match data {
        Data::Reals(v) => v.clone(),
        Data::Uints(v) => v.iter().map(|&x| f64::from(x)).collect(),
    }
}

/// What each component is compared to: the largest finite one of its kind, and x, y, z to each other, since a sheet in the
/// plane z = 0 has no size in z of its own.
fn sizes(data: &Data, width: usize) -> Vec<f64> {
    let values = values(data);
    let finite = |x: &&f64| x.is_finite();
    let of =
        |c: usize| values.iter().skip(c).step_by(width).filter(finite).fold(0.0f64, |m, x| m.max(x.abs()));
    let size = |c: usize| if width == 4 && c < 3 { (0..3).map(of).fold(0.0, f64::max) } else { of(c) };
    (0..width).map(size).collect()
}

fn compare_contents(
    buffers: &Tables,
    id: ColumnId,
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
        let finite = x.is_finite() && y.is_finite();
        if finite && x == y {
            continue;
        }
        let relative = if finite { (x - y).abs() / sizes[k % width].max(least_size) } else { f64::INFINITY };
        if !real || !finite || relative > tolerance {
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

#[cfg(test)]
mod tests {
    use super::super::columns::Role;
    use super::super::kernel::{Disjoint, Grain, Kernel};
    use super::super::passes::Launch;
    use super::*;

    static NOTHING: Kernel = Kernel {
        name: "nothing",
        path: "",
        source: "",
        grain: Grain::Invocation,
        bindings: &[],
        twin_f32: |_, _| {},
        twin_f64: |_, _| {},
        lanes_f32: None,
        // SAFETY: the twins write nothing.
        disjoint: unsafe { Disjoint::promise() },
    };

    /// Compares two lists of numbers as the contents of one buffer.
    fn compare(a: [f64; 3], b: [f64; 3]) -> Result<f64, Difference> {
        let mut buffers = Tables::new();
        let id = buffers.reals("numbers", Role::State, a.to_vec()).unwrap();
        let mut passes = Passes::new();
        passes.run(&buffers, &NOTHING, Launch::over(1)).unwrap();
        let contents = [&Data::Reals(a.to_vec()), &Data::Reals(b.to_vec())];
        compare_buffer(&buffers, &passes, 0, id, contents, None, 1e-5)
    }

    #[test]
    fn a_value_that_is_not_finite_is_a_difference_on_either_side_and_on_both() {
        let good = [1.0, 2.0, 3.0];
        assert_eq!(compare(good, good), Ok(0.0));
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let bad = [1.0, wrong, 3.0];
            for (a, b) in [(good, bad), (bad, good), (bad, bad)] {
                let difference = compare(a, b).unwrap_err();
                assert_eq!((difference.element, difference.relative), (1, f64::INFINITY), "{difference}");
            }
        }
    }

    /// Otherwise every difference in the buffer would be small beside it.
    #[test]
    fn an_infinity_does_not_hide_a_difference_before_it() {
        let difference = compare([1.0, 2.0, f64::INFINITY], [1.1, 2.0, f64::INFINITY]).unwrap_err();
        assert_eq!(difference.element, 0, "{difference}");
        assert!((difference.relative - 0.05).abs() < 1e-12, "{difference}");
    }
}
