//! The guard: a plane between the two sides of every near pair, and how far each side may go towards it in this substep.
//!
//!   room = γ (s − ½ d − slack)        δ = largest approach of a side's corners, −n·o or n·o
//!
//! s is how far the plane keeps both sides apart at the start of the substep, certified by the distances of all four corners in local
//! coordinates; d is the thickness, half of which is the core that nothing enters; the slack covers rounding. If both sides
//! together would use more than the room, each gets it in proportion to its approach; a corner that is held has its way first. Particles go
//! straight, half-spaces of the two sides are disjoint and a triangle or an edge is the hull of its corners, so that nothing crosses at any
//! time of the substep (Chen et al. 2026). A pair that is already nearer than its core may slide and part but not approach.
//! Any plane will do that keeps the sides apart. The one across their nearest points leaves most room, but what slides along a sheet would run into those
//! of all the edges ahead of it: where the room does not suffice, planes along which the sides slide past each other are tried, and the one that takes
//! least of the motion is used.
//! Two parts of a body that was cut are free until they have parted.

use super::near_pairs::{EDGES, PARTICLE};
use super::nearest::{Plane, dividing_plane, nearest, sliding_planes};
use super::touch_measure::AWAY;
use crate::math::{Real, Vec4};

/// The part of the room that is used.
pub const USED: f64 = 0.9;
/// The core that is kept free, as a share of the thickness.
pub const CORE: f64 = 0.5;
/// The limit of a side that is not limited [m].
pub const FREE: f64 = 1e30;

crate::kernel! {
    "contact/guard_share" => guard_share per Invocation {
        read near: uint4,               // four corners
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read touch_laws: real4,         // thickness [m], …, core [m]
        read contact_rest: real4,       // xyz at the start [m], …
        read offsets: real4,            // xyz [m]
        read touch_planes: real4,       // n, g [m]
        write guard_planes: real4,      // n, how far the first side may go against it [m]
        write guard_limits: real,       // how far the second side may go along it [m]
    }
}

#[inline(always)]
fn guard_share<R: Real>(b: &Bindings<R>, k: u32) {
    if b.touch_planes[k as usize].w >= R::of(AWAY) {
        b.guard_planes.set(k, Vec4::new(R::ZERO, R::ZERO, R::ZERO, R::of(FREE)));
        b.guard_limits.set(k, R::of(FREE));
        return;
    }
    let pair = b.near[k as usize];
    let (are_edges, corners) = (pair[0] & EDGES != 0, pair.map(|corner| (corner & PARTICLE) as usize));
    let x = corners.map(|p| b.positions[p]);
    let local = x.map(|corner| corner.xyz() - x[3].xyz());
    let plane = dividing_plane(local, are_edges);
    let largest = |v: crate::math::Vec3<R>| v.x.abs().max(v.y.abs()).max(v.z.abs());
    let (mut far, mut size) = (R::ZERO, R::ZERO);
    for c in 0..4 {
        far = far.max(largest(x[c].xyz()));
        size = size.max(largest(local[c]));
    }
    let slack = (R::of(4.0) * far + R::of(8.0) * size) * R::EPSILON;
    let core = b.touch_laws[k as usize].w;
    // What was cut apart lies together at first, and no plane says which side is which: it is guarded once it has parted. Only
    // parts of one body have no thickness there; points of two bodies that are attached to each other do.
    let start = corners.map(|p| b.contact_rest[p].xyz());
    let apart = nearest(start.map(|corner| corner - start[3]), are_edges).vector.length();
    let has_thickness = b.touch_laws[k as usize].x > slack;
    let is_cut = !has_thickness && apart <= slack && plane.separation <= slack;
    let ways = corners.map(|p| b.offsets[p].xyz());
    let room = |plane: &Plane<R>| (R::of(USED) * (plane.separation - core - slack)).max(R::ZERO);
    // Approach of the corners that move freely and of those that are held, on each side.
    let approach = |plane: &Plane<R>| {
        let (mut free, mut held) = ([R::ZERO; 2], [R::ZERO; 2]);
        for c in 0..4 {
            let side = usize::from(c > usize::from(are_edges));
            let along = plane.normal.dot(ways[c]);
            let towards = if side == 0 { -along } else { along };
            if x[c].w > R::ZERO {
                free[side] = free[side].max(towards);
            } else {
                held[side] = held[side].max(towards);
            }
        }
        (free, held)
    };
    let excess = |plane: &Plane<R>| {
        let (free, held) = approach(plane);
        free[0].max(held[0]) + free[1].max(held[1]) - room(plane)
    };
    let (mut plane, mut least) = (plane, excess(&plane));
    if !is_cut && least > R::ZERO {
        for other in sliding_planes(local, are_edges, ways) {
            let more = excess(&other);
            if other.separation > core + slack && more < least {
                (plane, least) = (other, more);
            }
        }
    }
    let (room, (free, held)) = (room(&plane), approach(&plane));
    let mut limits = [R::of(FREE); 2];
    if !is_cut && least > R::ZERO {
        let left = (room - held[0] - held[1]).max(R::ZERO);
        let more = [(free[0] - held[0]).max(R::ZERO), (free[1] - held[1]).max(R::ZERO)];
        let sum = more[0] + more[1];
        for side in 0..2 {
            limits[side] = held[side] + R::select(sum > R::ZERO, left * more[side] / sum, R::ZERO);
        }
    }
    b.guard_planes.set(k, Vec4::new(plane.normal.x, plane.normal.y, plane.normal.z, limits[0]));
    b.guard_limits.set(k, limits[1]);
}
