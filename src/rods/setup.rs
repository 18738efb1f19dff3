//! From a model's rods to the tables and passes of their solvers.

use super::corde::{Corde, ExplicitLoads};
use super::parts::parts;
use super::{
    FIRST, JOINT, KERNELS, WORK, bend_twist, gather_rods, project_rods, release_rods, solve_chain,
    stretch_shear, walk, walk_rods,
};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::constraints::iterate::KEEP;
use crate::frames::load_frames::{Load, Loads};
use crate::frames::{self, Drive, Frames, Release};
use crate::math::lane::MOST;
use crate::model::Model;
use crate::model::rods::{Frame, Rod, Rods};
use crate::particles::setup::Drags;
use crate::scene::RodMethod;
use crate::step::{self, Cores, FamilyReport, Member, Stage, StageList, Step};
use glam::DVec3;

/// Rods from which on every core of a small machine has its lanes full.
const LEAST_WALKS: usize = 4 * MOST;

/// Elastic rods, and what their segments share with those of nets.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "rods"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn fields(&self) -> &'static [step::Field] {
        super::measure::FIELDS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        step.parts = parts(model).unwrap_or_default();
        let rods = model.rods.rods.iter().flat_map(|rod| {
            let frames = &model.rods.frames[rod.frames.start as usize..rod.frames.end as usize];
            let segments = frames.iter().filter(|frame| !frame.is_wall());
            segments.map(move |frame| (frame.particles, rod.drag_width))
        });
        step.contributions::<Drags>().0.extend(rods);
        let explicit = model.explicit_frames();
        let rows = (0..).zip(&model.rods.frames).map(|(k, frame)| row(frame, explicit.contains(&k)));
        let first = step.contributions::<Frames>().add(rows);
        debug_assert_eq!(first, 0, "rods and nets count frames from the first of all");
        let loads = model.rods.rods.iter().flat_map(|rod| {
            rod.loads.iter().map(|load| {
                let frame = load.place.map(|place| rod.frames.start + place);
                let axes = frame.filter(|_| load.follows).map(|k| model.rods.frames[k as usize].orientation);
                Load {
                    particle: load.particle,
                    frame,
                    force: load.force,
                    torque: axes.map_or(load.torque, |axes| axes.conjugate() * load.torque),
                    follows: axes.is_some(),
                }
            })
        });
        step.contributions::<Loads>().0.extend(loads);
        Ok(())
    }

    fn complete<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        if !model.rods.is_empty() {
            let rods = RodPasses::new(model, step)?;
            step.join(rods);
        }
        Ok(())
    }
}

/// The rods of a model, ready to append their passes.
struct RodPasses {
    /// Frames that are let go at some time.
    released: u32,
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
}

impl RodPasses {
    /// Adds the tables of all rods. Those that are solved one by one are walked along, where that is possible, unless the
    /// passes are for [`Cores::Many`].
    fn new(model: &Model, step: &mut Step<'_>) -> Result<Self, ComputeError> {
        let rods = &model.rods;
        let loads: ExplicitLoads = step.take_contributions();
        let (cores, buffers) = (step.cores, &mut step.buffers);
        let corde = Corde::new(model, buffers, loads)?;
        let walks = walks(rods);
        let walked = (cores == Cores::Few).then(|| walked(rods, &walks)).flatten();
        buffers.uint4s("rod_walks", Role::Model, if walked.is_some() { walks } else { Vec::new() })?;
        let vector = |v: DVec3, w: f64| [v.x, v.y, v.z, w];
        buffers.uint4s("rods", Role::Model, runs(rods))?;
        buffers.uint4s("rod_segments", Role::Model, segments(rods))?;
        let explicit = model.explicit_frames();
        let rest = (0..).zip(&rods.frames).flat_map(|(k, frame)| {
            let a = frame.stretch_compliance;
            let (rest, bend) =
                frame.joint.map_or((DVec3::ZERO, DVec3::ONE), |joint| (joint.rest, joint.compliance));
            let [kicked, gyroscopic] = gyroscopic(frame, explicit.contains(&k));
            [
                [frame.rest_length, a.x, a.z, kicked],
                vector(rest, 0.0),
                vector(bend, 0.0),
                vector(frame.inverse_inertia, gyroscopic),
            ]
        });
        let released = rods.frames.iter().filter(|frame| frame.release.is_some()).count();
        // What is let go is written anew in every substep.
        let role = if released == 0 { Role::Model } else { Role::Scratch };
        buffers.real4s("rod_rest", role, rest.collect())?;
        buffers.real4s("rod_work", Role::Scratch, vec![[0.0; 4]; WORK as usize * rods.frames.len()])?;
        buffers.gather("segments", rods.frames.len() as u32, &["rod_segments", "rod_rest", "rod_work"])?;
        // Nets count their own.
        let own = &rods.frames[..rods.rods.last().map_or(0, |rod| rod.frames.end as usize)];
        let joints = own.iter().filter(|frame| frame.joint.is_some()).count() as u32;
        let stretched = own.iter().filter(|frame| !frame.is_wall()).count() as u32;
        let family = |name, count| FamilyReport { name, count, colours: None };
        let report = [family("stretch_shear", stretched), family("bend_twist", joints)];
        Ok(Self {
            released: released as u32,
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
            corde,
            report: report.into_iter().filter(|_| !own.is_empty()).collect(),
        })
    }

    /// Appends one iteration.
    fn iterate(&self, list: &mut StageList<'_>, iteration: u32, flags: u32) -> Result<(), ComputeError> {
        let renamed = [("offsets", *list.offsets)];
        let launch = Launch { index: iteration, ..Launch::range(&self.direct) };
        list.run_on_offsets(&solve_chain::KERNEL, launch)?;
        if !self.direct.is_empty() {
            list.passes.note_walk(2 * self.longest);
        }
        let launch = Launch { index: iteration, flags, ..Launch::range(&self.jacobi) };
        list.run_in_parts(&project_rods::KERNEL, launch, &renamed, ("frames", 1))?;
        list.run_in_parts(&gather_rods::KERNEL, launch, &renamed, ("frames", 1))?;
        if let Some(walked) = &self.walked {
            let launch = Launch { index: iteration, flags, ..Launch::range(&walked.rods) };
            list.run_in_parts(&walk_rods::KERNEL, launch, &renamed, ("rods", 1))?;
            list.passes.note_walk(walked.rounds);
            return Ok(());
        }
        let count = self.coloured.end - self.coloured.start;
        let every_second = |parity: u32| Launch {
            first: self.coloured.start + parity,
            index: iteration,
            flags,
            ..Launch::over((count + 1 - parity) / 2)
        };
        for parity in 0..2 {
            list.run_in_parts(&stretch_shear::KERNEL, every_second(parity), &renamed, ("frames", 2))?;
        }
        for parity in 0..2 {
            list.run_in_parts(&bend_twist::KERNEL, every_second(parity), &[], ("frames", 2))?;
        }
        Ok(())
    }
}

impl Member for RodPasses {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let corde = self.corde.as_ref();
        match stage {
            Stage::Force => corde.map_or(Ok(()), |corde| corde.forces(list)),
            Stage::Predict => list.run(&release_rods::KERNEL, Launch::over(self.released)),
            Stage::Integrate => corde.map_or(Ok(()), |corde| corde.integrate(list)),
            Stage::Project { iteration, last } => self.iterate(list, iteration, if last { 0 } else { KEEP }),
            Stage::Finish => corde.map_or(Ok(()), |corde| corde.finish(list)),
            _ => Ok(()),
        }
    }

    fn report(&self) -> Vec<FamilyReport> {
        self.report.clone()
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
fn walked(rods: &Rods, walks: &[[u32; 4]]) -> Option<Walked> {
    let rods = rods.of_method(RodMethod::Coloured);
    let own = walks.get(rods.start as usize..rods.end as usize)?;
    let alike = |a: &[u32; 4], b: &[u32; 4]| a[1] == b[1] && a[3] == b[3];
    let in_lanes: usize = own.chunk_by(alike).map(|run| run.len() / MOST * MOST).sum();
    (in_lanes >= LEAST_WALKS && 2 * in_lanes >= own.len())
        .then(|| Walked { rods, rounds: own.iter().map(|[_, frames, ..]| frames / 2 + 2).max().unwrap_or(0) })
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

/// The gyroscopic factor of a frame: where it is kicked, and where it is predicted. Explicit frames precess between their
/// kicks, the others when they are predicted.
fn gyroscopic(frame: &Frame, is_explicit: bool) -> [f64; 2] {
    let factor = if frame.is_wall() { 0.0 } else { 1.0 - frame.inertia.z / frame.inertia.x };
    if is_explicit { [factor, 0.0] } else { [0.0, factor] }
}

/// A segment's row of the table of frames.
fn row(frame: &Frame, is_explicit: bool) -> frames::Frame {
    let [_, gyroscopic] = gyroscopic(frame, is_explicit);
    frames::Frame {
        particles: frame.particles,
        orientation: frame.orientation,
        inverse_inertia: frame.inverse_inertia,
        gyroscopic,
        spin: frame.spin,
        release: frame.release.map(|r| Release { time: r.time, inverse_inertia: r.inverse_inertia }),
        drive: frame.track.map(|track| Drive { track, rest: frame.drive_rest }),
    }
}
