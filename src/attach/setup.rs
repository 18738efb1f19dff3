//! From a model's joins to their table and passes.

use super::KERNELS;
use super::anchor::{self, NONE};
use super::tie::{self, CORNERS, LAST};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::model::Model;
use crate::model::joins::{Anchor, Join, Joins, Tie};
use crate::step::{self, FamilyReport, Member, Stage, StageList, Step};

/// A time that never comes, a force that is never reached: the largest number both precisions have.
const NEVER: f64 = f32::MAX as f64;

/// Attachments and seams.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "attach"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let joins = &model.joins;
        if joins.ties.is_empty() && joins.anchors.is_empty() {
            return Ok(());
        }
        if !joins.ties.is_empty() {
            add_ties(joins, step)?;
        }
        if !joins.anchors.is_empty() {
            add_anchors(model, step)?;
        }
        step.join(Ties(joins));
        Ok(())
    }
}

fn add_ties(joins: &Joins, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let buffers = &mut step.buffers;
    let count = joins.ties.len();
    buffers.uint4s("ties", Role::Model, joins.ties.iter().flat_map(corners).collect())?;
    let rest = joins.ties.iter().flat_map(|tie| rest(joins, tie));
    buffers.real4s("tie_rest", Role::Model, rest.collect())?;
    buffers.real4s("tie_lambdas", Role::Scratch, vec![[0.0; 4]; count])?;
    buffers.real4s("tie_forces", Role::State, vec![[0.0; 4]; count])?;
    buffers.gather("ties", count as u32, &["ties", "tie_rest", "tie_lambdas", "tie_forces"])?;
    buffers.refer("ties", 4, "particles")
}

fn add_anchors(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let (buffers, joins) = (&mut step.buffers, &model.joins);
    let count = joins.anchors.len();
    let places = joins.anchors.iter().flat_map(|anchor| {
        let at = |c: usize| anchor.corners.get(c).unwrap_or(&anchor.corners[0]).0;
        let body = &model.rigid[anchor.rigid as usize];
        [[0, 1, 2, 3].map(at), [body.particle, body.frame, anchor.next.unwrap_or(NONE), 0]]
    });
    buffers.uint4s("anchors", Role::Model, places.collect())?;
    let rest = joins.anchors.iter().flat_map(|anchor| anchored(model, anchor));
    buffers.real4s("anchor_rest", Role::Model, rest.collect())?;
    buffers.real4s("anchor_states", Role::State, vec![[0.0; 4]; count * anchor::STATE as usize])?;
    buffers.gather("anchors", count as u32, &["anchors", "anchor_rest", "anchor_states"])?;
    buffers.refer("anchors", 1, "particles")
}

/// The vectors of `anchor_rest`.
fn anchored(model: &Model, anchor: &Anchor) -> [[f64; 4]; anchor::REST as usize] {
    let join = &model.joins.joins[anchor.join as usize];
    let weight = |c: usize| anchor.corners.get(c).map_or(0.0, |corner| corner.1);
    let sign = if anchor.is_b { -1.0 } else { 1.0 };
    let inverse = model.rigid[anchor.rigid as usize].moments.recip();
    [
        [0, 1, 2, 3].map(weight),
        anchor.arm.extend(sign).to_array(),
        law(join, anchor.length),
        inverse.extend(join.release.unwrap_or(NEVER)).to_array(),
    ]
}

/// ℓ [m], α [m/N], β [N s/m], most force [N].
fn law(join: &Join, length: f64) -> [f64; 4] {
    [length, join.compliance, join.damping, join.break_force.unwrap_or(NEVER)]
}

/// Its particles, those of unused places its first.
fn corners(tie: &Tie) -> [[u32; 4]; 2] {
    let at = |c: usize| tie.corners.get(c).unwrap_or(&tie.corners[0]).0;
    [[0, 1, 2, 3].map(at), [4, 5, 6, 7].map(at)]
}

fn rest(joins: &Joins, tie: &Tie) -> [[f64; 4]; 4] {
    debug_assert!(tie.corners.len() <= CORNERS as usize);
    let weight = |c: usize| tie.corners.get(c).map_or(0.0, |corner| corner.1);
    let join = &joins.joins[tie.join as usize];
    // A seam that closes at once is closed from the start.
    let (length, [from, rate]) = match join.closing {
        Some([from, to]) if to > from => (tie.length, [from, 1.0 / (to - from)]),
        Some(_) => (0.0, [NEVER, 0.0]),
        None => (tie.length, [NEVER, 0.0]),
    };
    [
        [0, 1, 2, 3].map(weight),
        [4, 5, 6, 7].map(weight),
        law(join, length),
        [join.release.unwrap_or(NEVER), from, rate, 0.0],
    ]
}

/// The ties of a model, ready to append their passes.
struct Ties<'m>(&'m Joins);

impl Member for Ties<'_> {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let Stage::Project { iteration, last } = stage else { return Ok(()) };
        let flags = if last { LAST } else { 0 };
        for colour in &self.0.colours {
            let launch = Launch { index: iteration, flags, ..Launch::range(colour) };
            list.run_on_offsets(&tie::KERNEL, launch)?;
        }
        for colour in &self.0.anchor_colours {
            let launch = Launch { index: iteration, flags, ..Launch::range(colour) };
            list.run_on_offsets(&anchor::KERNEL, launch)?;
        }
        Ok(())
    }

    fn report(&self) -> Vec<FamilyReport> {
        vec![FamilyReport {
            name: "tie",
            count: (self.0.ties.len() + self.0.anchors.len()) as u32,
            colours: None,
        }]
    }
}
