//! From a model's rods to the buffers and passes of their solvers.

use super::corde::Corde;
use super::{
    FIRST, JOINT, WORK, bend_twist, drive_frames, end_loads, finish_frames, gather_rods, predict_frames,
    project_rods, release_frames, solve_chain, step_rods, stretch_shear, walk, walk_rods,
};
use crate::compute::{Buffers, ComputeError, Launch, Passes, Role, Run};
use crate::constraints::iterate::KEEP;
use crate::constraints::setup::FamilyReport;
use crate::math::lane::MOST;
use crate::model::Model;
use crate::model::rods::{Frame, Release, Rod, Rods};
use crate::particles;
use crate::scene::RodMethod;
use crate::solver::Cores;
use glam::{DQuat, DVec3};

/// Rods from which on every core of a small machine has its lanes full.
const LEAST_WALKS: usize = 4 * MOST;

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
    /// The rods they belong to, if those are walked along.
    walked: Option<Walked>,
    /// Frames solved side by side.
    jacobi: std::ops::Range<u32>,
    corde: Option<Corde>,
    report: Vec<FamilyReport>,
}

/// Rods that are walked along.
struct Walked {
    rods: std::ops::Range<u32>,
    /// Rounds of the longest walk.
    rounds: u32,
    /// Whether there is nothing else in the model.
    is_all: bool,
}

impl RodPasses {
    /// Adds the buffers of all rods; nothing if there are none. Those that are solved one by one may be walked along, where
    /// that is possible, if the cores are `few`.
    pub fn new(model: &Model, cores: Cores, buffers: &mut Buffers) -> Result<Option<Self>, ComputeError> {
        let rods = &model.rods;
        if rods.is_empty() {
            return Ok(None);
        }
        let walks = walks(rods);
        let walked = (cores != Cores::Many).then(|| walked(model, &walks)).flatten();
        buffers.uint4s("rod_walks", Role::Model, if walked.is_some() { walks } else { Vec::new() })?;
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
            walked,
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
        let launch = Launch { index: iteration, flags, ..Launch::range(&self.jacobi) };
        passes.run_as(buffers, &project_rods::KERNEL, launch, &renamed)?;
        passes.run_as(buffers, &gather_rods::KERNEL, launch, &renamed)?;
        if let Some(walked) = &self.walked {
            let launch = Launch { index: iteration, flags, ..Launch::range(&walked.rods) };
            passes.run_as(buffers, &walk_rods::KERNEL, launch, &renamed)?;
            passes.note_walk(walked.rounds);
            return Ok(());
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
        Ok(())
    }

    /// Appends a pass that is a whole substep, if the passes of one that is there already may be replaced by it.
    pub fn append_whole(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        substep: &std::ops::Range<usize>,
        substeps: u32,
    ) -> Result<Option<Run>, ComputeError> {
        let replaced = [
            &particles::predict::KERNEL,
            &predict_frames::KERNEL,
            &walk_rods::KERNEL,
            &particles::finish::KERNEL,
            &finish_frames::KERNEL,
        ];
        let present = &passes.list[substep.clone()];
        let is_same = present.len() == replaced.len()
            && present.iter().zip(replaced).all(|(pass, kernel)| std::ptr::eq(pass.kernel, kernel));
        let Some(walked) = self.walked.as_ref().filter(|walked| walked.is_all && is_same) else {
            return Ok(None);
        };
        let first = passes.list.len();
        passes.run(buffers, &step_rods::KERNEL, Launch::range(&walked.rods))?;
        passes.note_walk(walked.rounds);
        Ok(Some(Run { passes: first..passes.list.len(), times: substeps }))
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

/// First frame, frames, first particle and walls of each rod; nothing beyond the first rod that is not a chain of
/// neighbours.
fn walks(rods: &Rods) -> Vec<[u32; 4]> {
    let walk = |rod: &Rod| {
        let frames = &rods.frames[rod.frames.start as usize..rod.frames.end as usize];
        let segments: Vec<[u32; 2]> =
            frames.iter().filter(|frame| !frame.is_wall()).map(|frame| frame.particles).collect();
        let (first, last) = (frames.first()?, frames.last()?);
        let walls = [(first, walk::HEAD), (last, walk::TAIL)];
        let walls: u32 = walls.iter().filter(|(frame, _)| frame.is_wall()).map(|(_, flag)| flag).sum();
        let [point, _] = *segments.first()?;
        let is_chain = frames.len() as u32 == segments.len() as u32 + walls.count_ones()
            && (point..).zip(&segments).all(|(i, &ends)| ends == [i, i + 1])
            && frames[..frames.len() - 1].iter().all(|frame| frame.joint.is_some())
            && last.joint.is_none();
        is_chain.then_some([rod.frames.start, frames.len() as u32, point, walls])
    };
    rods.rods.iter().map_while(walk).collect()
}

/// The rods to walk along: all that are solved one by one, if most of them fill the lanes of registers.
fn walked(model: &Model, walks: &[[u32; 4]]) -> Option<Walked> {
    let rods = model.rods.of_method(RodMethod::Coloured);
    let own = walks.get(rods.start as usize..rods.end as usize)?;
    let alike = |a: &[u32; 4], b: &[u32; 4]| a[1] == b[1] && a[3] == b[3];
    let in_lanes: usize = own.chunk_by(alike).map(|run| run.len() / MOST * MOST).sum();
    let points: u32 = own.iter().map(|[_, frames, _, walls]| frames - walls.count_ones() + 1).sum();
    let frames: u32 = own.iter().map(|[_, frames, ..]| frames).sum();
    (in_lanes >= LEAST_WALKS && 2 * in_lanes >= own.len()).then(|| Walked {
        rods,
        rounds: own.iter().map(|[_, frames, ..]| frames / 2 + 2).max().unwrap_or(0),
        is_all: points == model.particle_count() as u32 && frames as usize == model.rods.frames.len(),
    })
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
