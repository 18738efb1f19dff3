//! Finds particles that are no longer anywhere, or faster than anything in the scene can be.
//!
//! Minima and sums of integers do not depend on the order in which threads arrive, so the report is always the same.

use crate::compute::{BufferId, Buffers, ComputeError, Data, Launch, Passes, Role};
use crate::math::Real;
use std::sync::atomic::{AtomicU32, Ordering};

/// The contents of `alarms` while all is well: the first lost particle, the first runaway, how many of each.
pub const CLEAR: [u32; 4] = [u32::MAX, u32::MAX, 0, 0];

crate::kernel! {
    "particles/watch" => watch per Invocation {
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        read velocities: real4,     // xyz [m/s]
        atomic alarms: uint,        // first lost, first runaway, number lost, number of runaways
    }
}

/// `launch.weight` is the highest speed that is believed [m/s].
#[inline(always)]
fn watch<R: Real>(b: &Bindings<R>, i: u32) {
    let (x, v) = (b.positions[i as usize].xyz(), b.velocities[i as usize].xyz());
    if !(x.is_finite() && v.is_finite()) {
        note(b.alarms, 0, i);
    } else if v.length() > b.launch.weight {
        note(b.alarms, 1, i);
    }
}

fn note(alarms: &[AtomicU32], kind: usize, particle: u32) {
    alarms[kind].fetch_min(particle, Ordering::Relaxed);
    alarms[kind + 2].fetch_add(1, Ordering::Relaxed);
}

/// What the watch has found since it was last cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The first particle whose position or velocity is not finite.
    pub lost: Option<u32>,
    /// The first particle that is too fast.
    pub runaway: Option<u32>,
    /// Sightings of lost particles, once per particle and pass.
    pub lost_count: u32,
    /// Sightings of runaways.
    pub runaway_count: u32,
}

impl Report {
    /// The report in the contents of `alarms`, or nothing when all is well.
    pub fn read(contents: &Data) -> Option<Self> {
        let [lost, runaway, lost_count, runaway_count] =
            contents.uints().try_into().expect("`alarms` holds four integers");
        let particle = |i: u32| (i != u32::MAX).then_some(i);
        let report = Self { lost: particle(lost), runaway: particle(runaway), lost_count, runaway_count };
        (report.lost.is_some() || report.runaway.is_some()).then_some(report)
    }
}

/// Adds the buffer `alarms`, clear.
pub fn add_buffers(buffers: &mut Buffers) -> Result<BufferId, ComputeError> {
    buffers.uints("alarms", Role::Scratch, CLEAR.to_vec())
}

/// Appends a look at every particle; above `speed_limit` [m/s] it is a runaway.
///
/// The host reads `alarms` with [`Report::read`] and, to go on after a report, writes [`CLEAR`].
pub fn append(
    passes: &mut Passes,
    buffers: &Buffers,
    particle_count: u32,
    speed_limit: f64,
) -> Result<(), ComputeError> {
    passes.run(buffers, &KERNEL, Launch { weight: speed_limit, ..Launch::over(particle_count) })
}
