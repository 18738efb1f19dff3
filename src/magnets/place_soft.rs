//! Where the triangles and tetrahedra that are magnets are, and where their moments point.

use super::soft::{NO_CORNER, PLACES, REST, Rest, moment};
use crate::math::{Real, Vec3, Vec4};

crate::kernel! {
    "magnets/place_soft" => place_soft per Invocation {
        read soft_corners: uint4,       // particles; a triangle has none last
        read soft_rest: real4,          // gradients [1/m], w = moment along an axis [A m²]; radius [m], 1 where it goes with F
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write soft_places: real4,       // [m], w = radius [m]; moment [A m²]; quaternion
    }
}

/// A cell at rest.
#[inline(always)]
pub fn rest_of<R: Real>(soft_rest: &[Vec4<R>], id: u32) -> Rest<R> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| soft_rest[REST * id as usize + k]);
    Rest {
        gradients: [a.xyz(), b.xyz(), c.xyz()],
        moment: Vec3::new(a.w, b.w, c.w),
        stretches: d.y > R::ZERO,
    }
}

/// From the first corner to the others [m].
#[inline(always)]
pub fn edges<R: Real>(positions: &[Vec4<R>], corners: [u32; 4]) -> [Vec3<R>; 3] {
    let [o, a, b, _] = corners;
    let last = if corners[3] == NO_CORNER { o } else { corners[3] };
    let start = positions[o as usize].xyz();
    [a, b, last].map(|p| positions[p as usize].xyz() - start)
}

#[inline(always)]
fn place_soft<R: Real>(b: &Bindings<R>, id: u32) {
    let corners = b.soft_corners[id as usize];
    let is_sheet = corners[3] == NO_CORNER;
    let edges = edges(b.positions, corners);
    let (moment, turn) = moment(&rest_of(b.soft_rest, id), edges, is_sheet);
    let share = R::of(if is_sheet { 1.0 / 3.0 } else { 0.25 });
    let place = b.positions[corners[0] as usize].xyz() + (edges[0] + edges[1] + edges[2]) * share;
    let first = PLACES as u32 * id;
    b.soft_places.set(first, place.with_w(b.soft_rest[REST * id as usize + 3].x));
    b.soft_places.set(first + 1, moment.with_w(R::ZERO));
    b.soft_places.set(first + 2, Vec4::new(turn.x, turn.y, turn.z, turn.w));
}
