//! What the near pairs are at the start of a substep: direction, gap, weights and thickness. A pair that carries no force has no weights.
//!
//! Force is carried by a particle above the inside of a triangle and by two edges that cross. A pair whose nearest point is the
//! end of an edge carries force if that end may be touched (rods and points); otherwise other pairs have the same contact, and the pair is only guarded.

use super::near_pairs::{EDGES, PARTICLE, TOUCHES};
use super::nearest::nearest;
use super::touch::START_SHARE;
use crate::math::{Real, Vec4};

crate::kernel! {
    "contact/touch_measure" => touch_measure per Invocation {
        read near: uint4,               // four corners
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read contact_rest: real4,       // xyz at the start [m], w = ρ [m]
        read contact_bodies: uint,      // of each particle
        read contact_rules: real4,      // static and kinetic friction, κ, for each pair of bodies
        write touch_planes: real4,      // n, g [m]
        write touch_weights: real4,     // of the four corners
        write touch_laws: real4,        // thickness [m], static and kinetic friction, κ
    }
}

#[inline(always)]
fn touch_measure<R: Real>(b: &Bindings<R>, k: u32) {
    let pair = b.near[k as usize];
    let (are_edges, corners) = (pair[0] & EDGES != 0, pair.map(|corner| (corner & PARTICLE) as usize));
    let x = corners.map(|p| b.positions[p].xyz());
    let found = nearest(x.map(|corner| corner - x[3]), are_edges);
    let distance = found.vector.length();
    let start = corners.map(|p| b.contact_rest[p]);
    let mut thickness = start[0].w + start[3].w;
    let [body, other] = [corners[0], corners[3]].map(|p| b.contact_bodies[p]);
    if body == other {
        let at_start = nearest(start.map(|corner| corner.xyz() - start[3].xyz()), are_edges).vector.length();
        thickness = thickness.min(R::of(START_SHARE) * at_start);
    }
    let allowed = (0..4).fold(0, |bits, c| bits | u32::from(pair[c] & TOUCHES != 0) << c);
    let carries = found.ends & !allowed == 0 && distance > R::ZERO;
    let rule = b.contact_rules[(body * b.launch.index + other) as usize];
    let weights = if carries { Vec4::from_array(found.weights) } else { Vec4::ZERO };
    let normal = if carries { found.vector / distance } else { found.vector };
    b.touch_planes.set(k, normal.with_w(distance - thickness));
    b.touch_weights.set(k, weights);
    b.touch_laws.set(k, Vec4::new(thickness, rule.x, rule.y, rule.z));
}
