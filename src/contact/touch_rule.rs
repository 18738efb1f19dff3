//! What holds for a near pair as long as it is listed: thickness, friction, and the core that the guard keeps free: half the thickness, but all of an
//! obstacle's.

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
        read contact_rules: real4,      // static and kinetic friction, radius of an obstacle or less than 0 [m]
        write touch_laws: real4,        // thickness [m], static and kinetic friction, core [m]
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
    b.touch_laws.set(k, Vec4::new(thickness, rule.x, rule.y, hard + R::of(CORE) * (thickness - hard)));
}
