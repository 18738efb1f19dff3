//! The guard: the largest share of the way of each corner of a driven surface that keeps it on its side of the planes at it, and within its reach.

use super::near_pairs::EDGES;
use crate::math::Real;

crate::kernel! {
    "contact/driven_room" => driven_room per Invocation {
        read touch_starts: uint,       // where each corner's slots begin
        read touch_slots: uint2,       // corner, 4 pair + its place there
        read guard_planes: real4,       // n, how far the first side may go against it [m]
        read guard_limits: real,        // how far the second side may go along it [m]
        read near: uint4,               // four corners
        read contact_reaches: real2,    // reach [m], b [m]
        read corner_ways: real4,        // xyz [m]
        write driven_rooms: real,       // share of the way of each driven corner
    }
}

#[inline(always)]
fn driven_room<R: Real>(b: &Bindings<R>, d: u32) {
    let corner = (b.launch.base + d) as usize;
    let way = b.corner_ways[corner].xyz();
    let room = b.touch_slots.len();
    let slots = (b.touch_starts[corner] as usize).min(room)..(b.touch_starts[corner + 1] as usize).min(room);
    let mut share = R::ONE;
    for &[_, slot] in &b.touch_slots[slots] {
        let k = (slot / 4) as usize;
        let plane = b.guard_planes[k];
        let first = slot % 4 <= u32::from(b.near[k][0] & EDGES != 0);
        let (towards, limit) =
            if first { (-plane.xyz().dot(way), plane.w) } else { (plane.xyz().dot(way), b.guard_limits[k]) };
        if towards > limit {
            share = share.min(limit / towards);
        }
    }
    let (length, budget) = (way.length(), b.contact_reaches[corner][1]);
    if length > budget {
        share = share.min(budget / length);
    }
    b.driven_rooms.set(d, share);
}
