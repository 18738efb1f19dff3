//! How often the ring of corners around an edge goes around it, every [`PERIOD`] substeps.
//!
//! Seen along the edge the ring is a polygon. Counted are its sides that cross the ray from the edge to its first corner: upward with
//! the edge to their left, less downward with it to their right. An upright mesh has 1, and no side that goes back: that is one of a
//! tetrahedron inside out, whose neighbours hold it there.

use crate::math::{Real, Vec3};

/// Substeps from one look to the next: a tangle is there for long, and looking costs.
pub const PERIOD: u32 = 16;

crate::kernel! {
    "solids/ring_winding" => ring_winding per Invocation {
        read clock: uint,               // substeps done
        read ring_starts: uint,         // where each ring begins among the particles, and one end
        read ring_particles: uint,      // the ends of the edge, then the corners around it
        read positions: real4,          // xyz [m]
        write ring_wounds: uint,        // 1 for a ring that does not go around once and forward
    }
}

/// The winding number of a ring about the edge from `a` to `b`, and whether any side goes back.
#[inline(always)]
pub fn winding<R: Real>(
    a: Vec3<R>,
    b: Vec3<R>,
    ring: impl ExactSizeIterator<Item = Vec3<R>> + Clone,
) -> (i32, bool) {
    let edge = b - a;
    let Some(first) = ring.clone().next().map(|x| x - a) else { return (0, false) };
    // Across the edge, and along the ray.
    let across = edge.cross(first);
    let along = across.cross(edge);
    let seen = |x: Vec3<R>| (along.dot(x - a), across.dot(x - a));
    let start = seen(first + a);
    let mut before = start;
    let (mut turns, mut goes_back) = (0, false);
    let count = ring.len();
    for (place, x) in ring.cycle().skip(1).take(count).enumerate() {
        // The last side comes back to the very numbers it began with.
        let next = if place + 1 == count { start } else { seen(x) };
        let left = before.0 * next.1 - before.1 * next.0;
        goes_back |= left < R::ZERO;
        if before.1 < R::ZERO && next.1 >= R::ZERO && left > R::ZERO {
            turns += 1;
        }
        if before.1 >= R::ZERO && next.1 < R::ZERO && left < R::ZERO {
            turns -= 1;
        }
        before = next;
    }
    (turns, goes_back)
}

#[inline(always)]
fn ring_winding<R: Real>(b: &Bindings<R>, id: u32) {
    if !b.clock[0].is_multiple_of(PERIOD) {
        return;
    }
    let range = b.ring_starts[id as usize] as usize..b.ring_starts[id as usize + 1] as usize;
    let particles = &b.ring_particles[range];
    let at = |p: &u32| b.positions[*p as usize].xyz();
    let (turns, goes_back) = winding(at(&particles[0]), at(&particles[1]), particles[2..].iter().map(at));
    b.ring_wounds.set(id, u32::from(turns != 1 || goes_back));
}
