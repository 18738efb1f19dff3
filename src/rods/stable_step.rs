//! The longest substep at which explicit (CoRdE) rods and nets are stable.
//!
//! Linearised about rest, a rod vibrates in stretch, in twist, and in bending together with the frames' alignment. The
//! highest frequencies are bounded by row sums (Gershgorin); for a uniform rod they are Spillmann's modes,
//!
//!   stretch ω² = 4 Kₛ/(m l)      twist ω² = 4 K₃₃/(l J₃₃)      alignment ω² = 4 κ/(m l) + κ l/J₁₁ + 4 K₁₁/(l J₁₁)
//!
//! and with friction of rate c, z² − (2 − h² ω² − h c) z + 1 − h c has its roots inside the unit circle for
//!
//!   h < (√(c² + 4 ω²) − c)/ω²
//!
//! With n steps of the frames in each substep, what turns frames counts at h/n: its ω² is divided by n² and its friction by n.

use crate::limits;
use crate::model::nets::explicit_joints;
use crate::model::rods::{Frame, Joint};
use crate::model::{Model, ModelError, Settings};
use crate::scene::{NetMethod, RodMethod};
use std::collections::HashMap;
use std::ops::Range;

/// The share of the limit that raised substeps take: room for the load's own stiffness.
const RAISED_SHARE: f64 = 0.5;

/// What acts on a particle or a frame: Σ stiffness and Σ friction, those towards movable neighbours twice, and how many.
#[derive(Clone, Copy, Default)]
struct Row {
    stiffness: [f64; 2],
    friction: f64,
    count: f64,
}

/// The joints of a chain of frames.
pub fn chain_joints(frames: &[Frame]) -> impl Iterator<Item = ([usize; 2], Joint)> {
    frames.iter().enumerate().filter_map(|(k, frame)| frame.joint.map(|joint| ([k, k + 1], joint)))
}

/// The longest stable substep of frames and joints between them [s]; `mass` is that of a particle [kg].
pub fn stable_substep(
    frames: &[Frame],
    joints: impl Iterator<Item = ([usize; 2], Joint)>,
    frame_substeps: u32,
    mass: impl Fn(u32) -> f64,
) -> f64 {
    let turns = f64::from(frame_substeps);
    let segments = || frames.iter().filter(|frame| !frame.is_wall());
    let mut nodes: HashMap<u32, Row> = HashMap::new();
    for frame in segments() {
        for particle in frame.particles {
            let row = nodes.entry(particle).or_default();
            row.stiffness[0] += 2.0 / frame.stretch_compliance.z;
            row.friction += 2.0 * frame.friction / frame.rest_length;
            row.count += 1.0;
        }
    }
    let mut turning = vec![Row::default(); frames.len()];
    for ([a, b], joint) in joints {
        for (own, other) in [(a, b), (b, a)] {
            let share = if frames[other].turns() { 2.0 } else { 1.0 };
            turning[own].stiffness[0] += share / joint.compliance.x.min(joint.compliance.y);
            turning[own].stiffness[1] += share / joint.compliance.z;
            turning[own].friction += share * joint.friction / joint.length;
        }
    }
    let mut limit = f64::INFINITY;
    for (&particle, row) in &nodes {
        limit = limit.min(longest(row.stiffness[0] / mass(particle), row.friction / mass(particle)));
    }
    let (mut bend, mut rub, mut align) = (0.0f64, 0.0f64, 0.0f64);
    for (frame, row) in frames.iter().zip(&turning) {
        let inverse = frame.free_inverse_inertia();
        limit = limit.min(turns * longest(row.stiffness[1] * inverse.z, row.friction * inverse.z));
        bend = bend.max(row.stiffness[0] * inverse.x);
        rub = rub.max(row.friction * inverse.x);
        if !frame.is_wall() {
            let [i, j] = frame.particles.map(|particle| nodes[&particle].count / mass(particle));
            let l = frame.rest_length;
            let turned = l * l * inverse.x / (turns * turns);
            align = align.max((i + j + turned) / frame.stretch_compliance.x);
        }
    }
    limit.min(longest(align + bend / (turns * turns), rub / turns))
}

/// The longest step of a mode with ω² and a rate of friction.
fn longest(square: f64, friction: f64) -> f64 {
    if square == 0.0 {
        return f64::INFINITY;
    }
    // 4/(√(c² + 4ω²) + c) is the same without a difference of large numbers.
    4.0 / ((friction * friction + 4.0 * square).sqrt() + friction)
}

/// The longest stable substep of each body with explicit rods or an explicit net: (body, limit [s]).
pub fn stable_substeps(model: &Model) -> Vec<(u32, f64)> {
    let mut limits: Vec<(u32, f64)> = Vec::new();
    let turns = model.settings.frame_substeps;
    let mass = |particle: u32| model.particles.masses[particle as usize];
    let frames_in = |range: &Range<u32>| &model.rods.frames[range.start as usize..range.end as usize];
    for rod in model.rods.rods.iter().filter(|rod| rod.method == RodMethod::Corde) {
        let frames = frames_in(&rod.frames);
        let limit = stable_substep(frames, chain_joints(frames), turns, mass);
        match limits.last_mut().filter(|(body, _)| *body == rod.body) {
            Some((_, least)) => *least = least.min(limit),
            None => limits.push((rod.body, limit)),
        }
    }
    for net in model.nets.of_method(NetMethod::Corde) {
        let joints = &model.nets.joints[net.joints.start as usize..net.joints.end as usize];
        let joints = explicit_joints(joints, net.frames.start);
        limits.push((net.body, stable_substep(frames_in(&net.frames), joints, turns, mass)));
    }
    limits
}

/// Refuses substeps at which an explicit body would blow up, or raises their number if the scene allows it. `limit` is the longest
/// stable one [s].
pub(crate) fn check_step(
    body: &str,
    limit: Option<f64>,
    raise: bool,
    settings: &mut Settings,
) -> Result<(), ModelError> {
    let Some(limit) = limit else { return Ok(()) };
    let dt = settings.substep();
    if dt <= limit {
        return Ok(());
    }
    let wanted = (settings.time_step / (RAISED_SHARE * limit)).ceil();
    let possible = wanted <= f64::from(limits::SUBSTEPS);
    if raise && possible {
        settings.substeps = wanted as u32;
        return Ok(());
    }
    let cure = if possible {
        format!("set `substeps = {wanted}` or `raise_substeps = true`")
    } else {
        format!(
            "make `time_step` shorter: it would take {wanted} substeps, and {} are the most",
            limits::SUBSTEPS
        )
    };
    Err(ModelError::Body {
        body: body.into(),
        problem: format!(
            "`method = \"corde\"` is stable to substeps of {:.4} ms and the scene has {:.4} ms; {cure}, use longer \
             segments or another method, lower `shear_stiffness`, or raise `frame_substeps` where frames are light",
            1e3 * limit,
            1e3 * dt
        ),
    })
}
