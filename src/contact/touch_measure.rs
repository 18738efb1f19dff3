//! What the listed pairs are at the start of a substep: direction, gap and weights. A pair that carries no force has no weights; one
//! that is out of reach in this substep, or caught, is also left alone by the guard, as if it were not listed.
//!
//! Force is carried by a particle above the inside of a triangle and by two edges that cross. A pair whose nearest point is the
//! end of an edge carries force if that end may be touched (rods and points); otherwise other pairs have the same contact, and the pair is only guarded.
//!
//! Sheets push each other across a face, or across both edges, never along: a particle just beyond the rim of its triangle is over the next one, and edges
//! that run beside each other leave the contact to faces. (Across the nearest points, what slides would be predicted to run into the edges ahead of it.)

use super::near_pairs::{EDGES, PARTICLE, TOUCHES};
use super::nearest::{PARALLEL, nearest};
use crate::math::{Real, Vec3, Vec4};

/// The gap of a pair that is out of reach in this substep [m].
pub const AWAY: f64 = 1e30;

crate::kernel! {
    "contact/touch_measure" => touch_measure per Invocation {
        read near: uint4,               // four corners
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read contact_reaches: real2,    // reach [m], b [m]
        read touch_laws: real4,         // thickness or less than 0 [m], …
        read touch_compliances: real,   // [m/N]
        write touch_planes: real4,      // n, g [m]
        write touch_weights: real4,     // of the four corners
        write touch_impulses: real4,    // …; …, least α̃ [1/kg]
    }
}

#[inline(always)]
fn touch_measure<R: Real>(b: &Bindings<R>, k: u32) {
    let pair = b.near[k as usize];
    let (are_edges, corners) = (pair[0] & EDGES != 0, pair.map(|corner| (corner & PARTICLE) as usize));
    let x = corners.map(|p| b.positions[p].xyz());
    let found = nearest(x.map(|corner| corner - x[3]), are_edges);
    let reaches = corners.map(|p| b.contact_reaches[p][0]);
    let [r0, r1, r2, r3] = reaches;
    let reach = if are_edges { r0.max(r1) + r2.max(r3) } else { r0 + r1.max(r2).max(r3) };
    let is_near = found.vector.dot(found.vector) <= reach * reach;
    let thickness = b.touch_laws[k as usize].x;
    if !is_near || thickness < R::ZERO || reaches.iter().any(|reach| *reach < R::ZERO) {
        b.touch_planes.set(k, Vec3::ZERO.with_w(R::of(AWAY)));
        b.touch_weights.set(k, Vec4::ZERO);
        return;
    }
    let allowed = (0..4).fold(0, |bits, c| bits | u32::from(pair[c] & TOUCHES != 0) << c);
    let has_rim = found.weights[1..].contains(&R::ZERO);
    let (mut vector, mut carries) = (found.vector, found.ends & !allowed == 0);
    if carries && if are_edges { allowed == 0 } else { has_rim } {
        let [a, b, c, d] = x;
        let (u, v) = if are_edges { (b - a, d - c) } else { (c - b, d - b) };
        let across = u.cross(v);
        let square = across.dot(across);
        carries = square > R::of(PARALLEL) * u.dot(u) * v.dot(v);
        if carries {
            vector = across * (across.dot(vector) / square);
        }
    }
    let distance = vector.length();
    carries &= distance > R::ZERO;
    let weights = if carries { Vec4::from_array(found.weights) } else { Vec4::ZERO };
    let normal = if carries { vector / distance } else { vector };
    b.touch_planes.set(k, normal.with_w(distance - thickness));
    b.touch_weights.set(k, weights);
    let dt = b.launch.dt;
    b.touch_impulses.set(2 * k + 1, Vec3::ZERO.with_w(b.touch_compliances[k as usize] / (dt * dt)));
}
