//! From a model's rods to the buffers and passes of their solvers.

use super::corde::Corde;
use super::{
    FIRST, JOINT, WORK, bend_twist, drive_frames, end_loads, finish_frames, gather_rods, predict_frames,
    project_rods, release_frames, solve_chain, stretch_shear,
};
use crate::compute::{Buffers, ComputeError, Launch, Passes, Role};
use crate::constraints::iterate::KEEP;
use crate::constraints::setup::FamilyReport;
use crate::model::Model;
use crate::model::rods::{Frame, Release, Rod, Rods};
use crate::scene::RodMethod;
use glam::{DQuat, DVec3};

/// The rods of a model, ready to append their passes.
pub struct RodPasses {
    frames: u32,
    driven: u32,
    /// Frames that are let go at some time.
    released: u32,
    /// Ends that are pulled or turned.
    loads: u32,
    iterations: u32,
    /// First rod and number of rods solved at once.
    direct: std::ops::Range<u32>,
    /// Frames of the longest of them.
    longest: u32,
    /// Frames solved one by one.
    coloured: std::ops::Range<u32>,
    /// Frames solved side by side.
    jacobi: std::ops::Range<u32>,
    corde: Option<Corde>,
    report: Vec<FamilyReport>,
}

impl RodPasses {
    /// Adds the buffers of all rods; nothing if there are none.
    pub fn new(model: &Model, buffers: &mut Buffers) -> Result<Option<Self>, ComputeError> {
        let rods = &model.rods;
        if rods.is_empty() {
            return Ok(None);
        }
        let vector = |v: DVec3, w: f64| [v.x, v.y, v.z, w];
        buffers.uint4s("rods", Role::Model, runs(rods))?;
        buffers.uint4s("rod_segments", Role::Model, segments(rods))?;
        let explicit = model.explicit_frames();
        let rest = (0..).zip(&rods.frames).flat_map(|(k, frame)| {
            let a = frame.stretch_compliance;
            let (rest, bend) =
                frame.joint.map_or((DVec3::ZERO, DVec3::ONE), |joint| (joint.rest, joint.compliance));
            let gyroscopic = if frame.is_wall() { 0.0 } else { 1.0 - frame.inertia.z / frame.inertia.x };
            // Explicit frames precess between their kicks, the others when they are predicted.
            let [kicked, gyroscopic] =
                if explicit.contains(&k) { [gyroscopic, 0.0] } else { [0.0, gyroscopic] };
            [
                [frame.rest_length, a.x, a.z, kicked],
                vector(rest, 0.0),
                vector(bend, 0.0),
                vector(frame.inverse_inertia, gyroscopic),
            ]
        });
        let released: Vec<(u32, Release)> = (0..)
            .zip(&rods.frames)
            .filter_map(|(k, frame)| frame.release.map(|release| (k, release)))
            .collect();
        // What is let go is written anew in every substep.
        let role = if released.is_empty() { Role::Model } else { Role::Scratch };
        buffers.real4s("rod_rest", role, rest.collect())?;
        buffers.uints("rod_releases", Role::Model, released.iter().map(|&(k, _)| k).collect())?;
        let rest = released.iter().map(|(_, release)| vector(release.inverse_inertia, release.time));
        buffers.real4s("rod_release_rest", Role::Model, rest.collect())?;
        let loads = rods.rods.iter().flat_map(|rod| {
            rod.loads.iter().map(|load| {
                let frame = load.place.map_or(end_loads::NO_FRAME, |place| rod.frames.start + place);
                ([load.particle, frame], [vector(load.force, 0.0), vector(load.torque, 0.0)])
            })
        });
        let (loaded, loads): (Vec<_>, Vec<_>) = loads.unzip();
        let load_count = loaded.len() as u32;
        buffers.uint2s("rod_loads", Role::Model, loaded)?;
        buffers.real4s("rod_load_rest", Role::Model, loads.concat())?;
        let frames = rods.frames.iter().flat_map(|frame| split(frame.orientation));
        buffers.real4s("frames", Role::State, frames.collect())?;
        let count = rods.frames.len();
        buffers.real4s("spins", Role::State, vec![[0.0; 4]; count])?;
        buffers.real4s("turns", Role::Scratch, vec![[0.0; 4]; count])?;
        buffers.real4s("rod_work", Role::Scratch, vec![[0.0; 4]; WORK as usize * count])?;
        let driven: Vec<(u32, u32)> =
            (0..).zip(&rods.frames).filter_map(|(k, frame)| frame.track.map(|track| (k, track))).collect();
        buffers.uint2s("rod_drives", Role::Model, driven.iter().map(|&(k, track)| [k, track]).collect())?;
        let rest = driven.iter().map(|&(k, _)| rods.frames[k as usize].drive_rest.to_array());
        buffers.real4s("rod_drive_rest", Role::Model, rest.collect())?;
        // Nets count their own.
        let own = &rods.frames[..rods.rods.last().map_or(0, |rod| rod.frames.end as usize)];
        let joints = own.iter().filter(|frame| frame.joint.is_some()).count() as u32;
        let stretched = own.iter().filter(|frame| !frame.is_wall()).count() as u32;
        let family = |name, count| FamilyReport { name, count, colours: None };
        let report = [family("stretch_shear", stretched), family("bend_twist", joints)];
        Ok(Some(Self {
            frames: count as u32,
            driven: driven.len() as u32,
            released: released.len() as u32,
            loads: load_count,
            iterations: model.settings.iterations,
            direct: rods.of_method(RodMethod::Direct),
            longest: rods
                .rods
                .iter()
                .filter(|rod| rod.method == RodMethod::Direct)
                .map(|rod| rod.frames.end - rod.frames.start)
                .max()
                .unwrap_or(0),
            coloured: rods.frames_of_method(RodMethod::Coloured),
            jacobi: rods.frames_of_method(RodMethod::Jacobi),
            corde: Corde::new(model, buffers)?,
            report: report.into_iter().filter(|_| !own.is_empty()).collect(),
        }))
    }

    /// Appends what needs the state as the last substep left it.
    pub fn forces(&self, passes: &mut Passes, buffers: &Buffers) -> Result<(), ComputeError> {
        self.corde.as_ref().map_or(Ok(()), |corde| corde.forces(passes, buffers))
    }

    /// Appends what comes before the iterations of a substep; `net_loads` appends the torques of explicit nets.
    pub fn predict(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        net_loads: impl Fn(&mut Passes, u32) -> Result<(), ComputeError>,
    ) -> Result<(), ComputeError> {
        passes.run(buffers, &release_frames::KERNEL, Launch::over(self.released))?;
        passes.run(buffers, &predict_frames::KERNEL, Launch::over(self.frames))?;
        passes.run(buffers, &drive_frames::KERNEL, Launch::over(self.driven))?;
        if let Some(corde) = &self.corde {
            corde.integrate(passes, buffers, net_loads)?;
        }
        passes.run(buffers, &end_loads::KERNEL, Launch::over(self.loads))
    }

    /// Appends one iteration on the particles' offsets in the buffer `offsets`.
    pub fn iterate(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        iteration: u32,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        let flags = if iteration + 1 < self.iterations { KEEP } else { 0 };
        let renamed = [("offsets", offsets)];
        let launch = Launch { index: iteration, ..Launch::range(&self.direct) };
        passes.run_as(buffers, &solve_chain::KERNEL, launch, &renamed)?;
        if !self.direct.is_empty() {
            passes.note_walk(2 * self.longest);
        }
        let count = self.coloured.end - self.coloured.start;
        let every_second = |parity: u32, count: u32| Launch {
            first: self.coloured.start + parity,
            index: iteration,
            flags,
            ..Launch::over((count + 1 - parity) / 2)
        };
        for parity in 0..2 {
            passes.run_as(buffers, &stretch_shear::KERNEL, every_second(parity, count), &renamed)?;
        }
        for parity in 0..2 {
            passes.run(buffers, &bend_twist::KERNEL, every_second(parity, count))?;
        }
        let launch = Launch { index: iteration, flags, ..Launch::range(&self.jacobi) };
        passes.run_as(buffers, &project_rods::KERNEL, launch, &renamed)?;
        passes.run_as(buffers, &gather_rods::KERNEL, launch, &renamed)
    }

    /// Appends what comes after the iterations.
    pub fn finish(&self, passes: &mut Passes, buffers: &Buffers) -> Result<(), ComputeError> {
        passes.run(buffers, &finish_frames::KERNEL, Launch::over(self.frames))?;
        self.corde.as_ref().map_or(Ok(()), |corde| corde.finish(passes, buffers))
    }

    /// Counts for `sinew check`.
    pub fn report(&self) -> &[FamilyReport] {
        &self.report
    }
}

/// First frame and frames of each rod, the first rod of its run and the rods in that. A run are rods of one method that
/// differ by where their frames and particles are, always by as much from one to the next.
fn runs(rods: &Rods) -> Vec<[u32; 4]> {
    let frames = |rod: &Rod| &rods.frames[rod.frames.start as usize..rod.frames.end as usize];
    let distance = |a: &Rod, b: &Rod| {
        let (a, b) = (frames(a), frames(b));
        let shift = b[0].particles[0].checked_sub(a[0].particles[0])?;
        let same = |(a, b): (&Frame, &Frame)| {
            a.particles.map(|p| p + shift) == b.particles && a.joint.is_some() == b.joint.is_some()
        };
        (a.len() == b.len() && a.iter().zip(b).all(same)).then_some(shift)
    };
    let mut starts = Vec::with_capacity(rods.rods.len());
    let mut before = None;
    for (k, rod) in rods.rods.iter().enumerate() {
        let shift = (k > 0 && rods.rods[k - 1].method == rod.method)
            .then(|| distance(&rods.rods[k - 1], rod))
            .flatten();
        // The second rod of a run sets the distance.
        let joins = shift.is_some() && (before.is_none() || before == shift);
        starts.push(if joins { starts[k - 1] } else { k as u32 });
        before = shift.filter(|_| joins);
    }
    let record = |(rod, &run): (&Rod, &u32)| {
        let count = starts.partition_point(|&start| start <= run) as u32 - run;
        [rod.frames.start, rod.frames.end - rod.frames.start, run, count]
    };
    rods.rods.iter().zip(&starts).map(record).collect()
}

/// Particles, flags, and whether a frame comes after another of its rod.
fn segments(rods: &Rods) -> Vec<[u32; 4]> {
    let mut segments = Vec::with_capacity(rods.frames.len());
    for rod in &rods.rods {
        let frames = &rods.frames[rod.frames.start as usize..rod.frames.end as usize];
        let first = frames.iter().position(|frame| !frame.is_wall());
        for (place, frame) in frames.iter().enumerate() {
            let [i, j] = frame.particles;
            let joint = if frame.joint.is_some() { JOINT } else { 0 };
            let begins = if first == Some(place) { FIRST } else { 0 };
            segments.push([i, j, joint | begins, u32::from(place > 0)]);
        }
    }
    // The joints of nets are elsewhere.
    let rest = &rods.frames[segments.len()..];
    segments.extend(rest.iter().map(|frame| [frame.particles[0], frame.particles[1], 0, 0]));
    segments
}

/// An orientation as what f32 can hold of it and the turn that is missing, on an f64 backend too.
fn split(orientation: DQuat) -> [[f64; 4]; 2] {
    let high = DQuat::from_array(orientation.to_array().map(|c| f64::from(c as f32)));
    let missing = high.normalize().conjugate() * orientation;
    let turn = missing.xyz() / missing.w;
    [high.to_array(), [turn.x, turn.y, turn.z, 0.0]]
}
