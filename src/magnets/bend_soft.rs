//! The forces on the corners of triangles and tetrahedra with moments, of all magnets and of the scene's fields ([`super::soft`]).

use super::field::{self, RECORDS};
use super::place_soft::{edges, rest_of};
use super::soft::{NO_CORNER, PLACES, forces};
use crate::math::{Quat, Real, Vec3};

crate::kernel! {
    "magnets/bend_soft" => bend_soft per Invocation {
        read soft_corners: uint4,       // particles; a triangle has none last
        read soft_rest: real4,          // gradients [1/m], w = moment along an axis [A m²]; radius [m], 1 where it goes with F
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read soft_places: real4,        // [m], w = radius [m]; moment [A m²]; quaternion
        read magnet_loads: real4,       // force on the magnet [N], B at the cell [T], torque about the magnet's centre [N m]
        read field_sources: real4,
        write soft_forces: real4,       // on each corner [N]
    }
}

/// `launch.index` is the number of the scene's fields, `launch.flags` that of magnets, and `launch.base` the first row of their pairs with the cells.
#[inline(always)]
fn bend_soft<R: Real>(b: &Bindings<R>, id: u32) {
    let corners = b.soft_corners[id as usize];
    let [place, moment, turn] = [0, 1, 2].map(|k| b.soft_places[PLACES * id as usize + k]);
    let (mut at, mut pull) = (Vec3::ZERO, Vec3::ZERO);
    for partner in 0..b.launch.flags {
        let row = 3 * (b.launch.base + partner * b.launch.count + id) as usize;
        pull -= b.magnet_loads[row].xyz();
        at += b.magnet_loads[row + 1].xyz();
    }
    for source in 0..b.launch.index as usize {
        let records = [0, 1, 2, 3, 4].map(|k| b.field_sources[RECORDS * source + k]);
        let [own, force] = field::act(records, place.xyz(), moment.xyz());
        at += own;
        pull += force;
    }
    let is_sheet = corners[3] == NO_CORNER;
    let (rest, edges) = (rest_of(b.soft_rest, id), edges(b.positions, corners));
    let [e, f, g] = forces(&rest, edges, is_sheet, Quat::from_vec4(turn), at);
    let share = pull * R::of(if is_sheet { 1.0 / 3.0 } else { 0.25 });
    let last = if is_sheet { Vec3::ZERO } else { g + share };
    for (k, force) in (4 * id..).zip([share - (e + f + g), e + share, f + share, last]) {
        b.soft_forces.set(k, force.with_w(R::ZERO));
    }
}
