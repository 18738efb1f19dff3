//! Finds particles that are no longer anywhere, or faster than anything in the scene can be.
//!
//! Minima and sums of integers do not depend on the order in which threads arrive, so the report is always the same.

use crate::compute::{ComputeError, Data, Launch, Passes, Tables};
use crate::math::Real;
use std::sync::atomic::{AtomicU32, Ordering};

/// The alarms while all is well: the first lost particle, the first runaway, how many of each.
pub const CLEAR: [u32; 4] = [u32::MAX, u32::MAX, 0, 0];

crate::kernel! {
    "particles/watch" => watch per Invocation {
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        read velocities: real4,     // xyz [m/s]
        atomic status: uint,        // from `launch.base`: first lost, first runaway, number lost, number of runaways
    }
}

/// `launch.weight` is the highest speed that is believed [m/s].
#[inline(always)]
fn watch<R: Real>(b: &Bindings<R>, i: u32) {
    let alarms = &b.status[b.launch.base as usize..];
    let (x, v) = (b.positions[i as usize].xyz(), b.velocities[i as usize].xyz());
    if !(x.is_finite() && v.is_finite()) {
        note(alarms, 0, i);
    } else if v.length() > b.launch.weight {
        note(alarms, 1, i);
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
    /// The report in the status, from the first alarm on, or nothing when all is well.
    pub fn read(status: &Data, first: u32) -> Option<Self> {
        let [lost, runaway, lost_count, runaway_count] =
            *status.uints()[first as usize..].first_chunk().expect("the status holds four alarms");
        let particle = |i: u32| (i != u32::MAX).then_some(i);
        let report = Self { lost: particle(lost), runaway: particle(runaway), lost_count, runaway_count };
        (report.lost.is_some() || report.runaway.is_some()).then_some(report)
    }
}

/// Where the alarms are in the status.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alarms {
    pub first: u32,
}

/// Reserves the alarms in the status, clear, and returns the first one's entry.
pub fn reserve(buffers: &mut Tables) -> Result<u32, ComputeError> {
    buffers.reserve_status(&CLEAR)
}

/// Puts the alarms back to [`CLEAR`], to go on after a report.
pub fn clear(status: &mut Data, first: u32) {
    if let Data::Uints(words) = status {
        words[first as usize..][..CLEAR.len()].copy_from_slice(&CLEAR);
    }
}

/// Appends a look at every particle; above `speed_limit` [m/s] it is a runaway. `first` is what [`reserve`] returned.
pub fn append(
    passes: &mut Passes,
    buffers: &Tables,
    particle_count: u32,
    speed_limit: f64,
    first: u32,
) -> Result<(), ComputeError> {
    let launch = Launch { weight: speed_limit, base: first, ..Launch::over(particle_count) };
    passes.run(buffers, &KERNEL, launch)
}
