//! What contact between bodies amounts to in a state: how many contacts carry, how much, and how deep they are.
//!
//! The state holds the pairs of the last substep with their impulses λ [kg m]; the force of a contact is λ/dt². Depths are those of the
//! present positions, in f64, as a share of the thickness. What obstacles carry without a pair, a floor under particles, is among the reactions.

use super::carry::POSE_RECORDS;
use super::near_pairs::{EDGES, PARTICLE};
use super::touch::START_SHARE;
use super::verify::{point_triangle, segment_segment};
use crate::compute::{ComputeError, Data};
use crate::model::Model;
use crate::scene::ContactStart;
use crate::step::{Columns, Measure};
use glam::{DQuat, DVec3};

/// Contacts of a state together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Series {
    /// Pairs that carry a force.
    pub contacts: u32,
    /// The sum of their normal forces [N].
    pub force: f64,
    /// The largest of them [N].
    pub largest: f64,
    /// The deepest penetration, as a share of the thickness there; 0 where nothing is nearer than its thickness.
    pub depth: f64,
}

/// Adds the columns of a state's contacts; nothing for a scene without any.
pub fn measure(model: &Model, state: &mut dyn Columns, into: &mut Vec<Measure>) -> Result<(), ComputeError> {
    let Some(counts) = state.column("contact_counts")? else { return Ok(()) };
    let series = Series::of(model, state)?.unwrap_or_default();
    let count = |k: usize| counts.uints().get(k).map_or(0.0, |&count| f64::from(count));
    let columns = [
        ("contacts", "", f64::from(series.contacts)),
        ("contact_force", "N", series.force),
        ("largest_contact_force", "N", series.largest),
        ("depth", "", series.depth),
        ("held_back", "", count(0)),
        ("lists_made", "", count(1)),
    ];
    into.extend(columns.map(|(name, unit, value)| Measure { name: name.into(), unit, value }));
    let allowed = model.settings.contact.as_ref().map(|contact| contact.start);
    if allowed == Some(ContactStart::Allow)
        && let Some(marks) = state.column("contact_tangles")?
    {
        let caught = marks.uints().chunks_exact(2).filter(|mark| mark[0] != 0).count();
        into.push(Measure { name: "caught".into(), unit: "", value: caught as f64 });
    }
    Ok(())
}

impl Series {
    /// The contacts of a state, if its scene has contact between bodies.
    pub fn of(model: &Model, state: &mut dyn Columns) -> Result<Option<Self>, ComputeError> {
        let columns =
            ["near_before", "near_before_starts", "touch_memories", "contact_rest", "contact_bodies"];
        let mut found = Vec::new();
        for name in columns {
            let Some(column) = state.column(name)? else { return Ok(None) };
            found.push(column);
        }
        let [pairs, starts, memories, rest, bodies] = &found[..] else { return Ok(None) };
        let x = corners(state)?;
        let count = starts.uints().last().map_or(0, |&end| end as usize);
        let dt = model.settings.substep();
        let mut series = Self::default();
        let both = pairs.uints().chunks_exact(4).zip(memories.reals().chunks_exact(4));
        for (pair, memory) in both.take(count) {
            if memory[3] > 0.0 {
                let force = memory[3] / (dt * dt);
                series.contacts += 1;
                series.force += force;
                series.largest = series.largest.max(force);
            }
            let four = [0, 1, 2, 3].map(|k| (pair[k] & PARTICLE) as usize);
            let are_edges = pair[0] & EDGES != 0;
            let corner = |p: usize| &rest.reals()[4 * p..4 * p + 4];
            let mut thickness = corner(four[0])[3] + corner(four[3])[3];
            if bodies.uints()[four[0]] == bodies.uints()[four[3]] {
                let at_start = distance(four.map(|p| DVec3::from_slice(corner(p))), are_edges);
                thickness = thickness.min(START_SHARE * at_start);
            }
            if thickness > 0.0 {
                let depth = 1.0 - distance(four.map(|p| x[p]), are_edges) / thickness;
                series.depth = series.depth.max(depth);
            }
        }
        Ok(Some(series))
    }
}

fn distance([a, b, c, d]: [DVec3; 4], are_edges: bool) -> f64 {
    if are_edges { segment_segment([a, b], [c, d]) } else { point_triangle(a, [b, c, d]) }
}

/// Where all corners are: particles, then those that rigid bodies and obstacles drive [m].
fn corners(state: &mut dyn Columns) -> Result<Vec<DVec3>, ComputeError> {
    let Some(positions) = state.column("positions")? else { return Ok(Vec::new()) };
    let mut x: Vec<DVec3> = positions.reals().chunks_exact(4).map(DVec3::from_slice).collect();
    let Some(owners) = state.column("driven_owners")? else { return Ok(x) };
    let mut reals = |name: &str| -> Result<Vec<f64>, ComputeError> {
        Ok(state.column(name)?.map_or(Vec::new(), |column| column.reals().to_vec()))
    };
    let (arms, frames, poses) = (reals("driven_arms")?, reals("frames")?, reals("collider_poses")?);
    let bodies =
        state.column("driven_bodies")?.as_ref().map_or(Vec::new(), |column: &Data| column.uints().to_vec());
    let rigid: u32 = bodies.chunks_exact(4).map(|body| body[3]).sum();
    for (d, (&owner, arm)) in (0u32..).zip(owners.uints().iter().zip(arms.chunks_exact(4))) {
        let owner = owner as usize;
        let (centre, axes) = if d < rigid {
            let [particle, frame] = [0, 1].map(|k| bodies[4 * owner + k] as usize);
            (x[particle], DQuat::from_slice(&frames[8 * frame..8 * frame + 4]))
        } else {
            let pose = 4 * POSE_RECORDS as usize * owner;
            (DVec3::from_slice(&poses[pose..pose + 3]), DQuat::from_slice(&poses[pose + 4..pose + 8]))
        };
        x.push(centre + axes.normalize() * DVec3::from_slice(arm));
    }
    Ok(x)
}
