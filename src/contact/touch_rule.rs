//! What holds for a near pair as long as it is listed: thickness, friction, and the core that the guard keeps free: half the thickness, but all of an
//! obstacle's; and how far a force presses it together.
//!
//!   compliance = d/(E A)
//!
//! d is the thickness, E the compression of the two surfaces [Pa], A the area that the pair stands for: that of its particle, or d² where edges cross.
//!
//! What is caught in a body through which it goes at the start has no thickness there: less than 0.

use super::guard_share::CORE;
use super::near_pairs::{EDGES, PARTICLE};
use super::nearest::nearest;
use super::touch::START_SHARE;
use crate::math::{Real, Vec4};

crate::kernel! {
    "contact/touch_rule" => touch_rule per Invocation {
        read near: uint4,               // four corners
        read contact_rest: real4,       // xyz at the start [m], w = ρ [m]
        read contact_bodies: uint,      // of each particle
        read contact_rules: real4,      // static and kinetic friction, radius of an obstacle or less than 0 [m], E or 0 [Pa]
        read contact_tangles: uint2,    // tangles that a corner is caught in; those whose other side it is on
        read contact_areas: real,       // that a particle stands for [m²]
        write touch_laws: real4,        // thickness or less than 0 [m], static and kinetic friction, core [m]
        write touch_compliances: real,  // [m/N]
    }
}

#[inline(always)]
fn touch_rule<R: Real>(b: &Bindings<R>, k: u32) {
    let pair = b.near[k as usize];
    let corners = pair.map(|corner| (corner & PARTICLE) as usize);
    let start = corners.map(|p| b.contact_rest[p]);
    let mut thickness = start[0].w + start[3].w;
    let [body, other] = [corners[0], corners[3]].map(|p| b.contact_bodies[p]);
    if body == other {
        let local = start.map(|corner| corner.xyz() - start[3].xyz());
        let at_start = nearest(local, pair[0] & EDGES != 0).vector.length();
        thickness = thickness.min(R::of(START_SHARE) * at_start);
    }
    let rule = b.contact_rules[(body * b.launch.index + other) as usize];
    let hard = rule.z.max(R::ZERO);
    let are_edges = pair[0] & EDGES != 0;
    let (mut caught, mut sides) = ([0; 2], [0; 2]);
    for (c, &corner) in corners.iter().enumerate() {
        let (side, [tangled, other]) = (usize::from(c > usize::from(are_edges)), b.contact_tangles[corner]);
        caught[side] |= tangled;
        sides[side] |= other;
    }
    let is_caught = caught[0] & sides[1] | caught[1] & sides[0] != 0;
    let area = if are_edges { thickness * thickness } else { b.contact_areas[corners[0]] };
    let stiffness = rule.w * area;
    let compliance = if stiffness > R::ZERO { thickness / stiffness } else { R::ZERO };
    let kept = if is_caught { -R::ONE } else { thickness };
    b.touch_laws.set(k, Vec4::new(kept, rule.x, rule.y, hard + R::of(CORE) * (thickness - hard)));
    b.touch_compliances.set(k, compliance);
}
