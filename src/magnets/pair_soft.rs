//! What a magnet that is a rigid body and a triangle or tetrahedron with a moment do to each other; one invocation a pair.
//!
//! As in [`super::pair_nodes`], the magnet's tree is walked. What the soft cell gets is the opposite force and the torque of this field.

use super::field::MU;
use super::pair_nodes::{centre, pair};
use super::soft::PLACES;
use crate::math::{Real, Vec3};

crate::kernel! {
    "magnets/pair_soft" => pair_soft per Invocation {
        read soft_partners: uint,       // magnets that are rigid bodies
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_nodes: uint4,       // magnet, the branch above, the first node not below, 1 for a cell
        read node_places: real4,        // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read soft_places: real4,        // [m], w = radius [m]; moment [A m²]; quaternion
        write magnet_loads: real4,      // force on the magnet [N], B at the cell [T], torque about the magnet's centre [N m]
    }
}

/// `launch.index` is the number of soft cells, `launch.base` the first row.
#[inline(always)]
fn pair_soft<R: Real>(b: &Bindings<R>, id: u32) {
    let cell = PLACES * (id % b.launch.index) as usize;
    let magnet = b.soft_partners[(id / b.launch.index) as usize];
    let [p, q, _, first] = b.magnets[magnet as usize];
    let (place, own) = (b.soft_places[cell], b.soft_places[cell + 1].xyz());
    let between = centre(b.positions, [p, q]) - place.xyz();
    let (mut force, mut field, mut torque) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let (mut n, end) = (first, b.magnet_nodes[first as usize][2]);
    while n < end {
        let [.., next, is_cell] = b.magnet_nodes[n as usize];
        let there = b.node_places[2 * n as usize];
        let r = between + there.xyz();
        if is_cell == 0 && r.length() < there.w {
            n += 1;
            continue;
        }
        let moment = b.node_places[2 * n as usize + 1];
        let [f, _, on_node] = pair([own, moment.xyz()], r, place.w + moment.w);
        force += f;
        field += field_of(moment.xyz(), r, place.w + moment.w);
        torque += on_node + there.xyz().cross(f);
        n = next;
    }
    let row = 3 * (b.launch.base + id);
    for (k, load) in (row..).zip([force, field, torque]) {
        b.magnet_loads.set(k, load.with_w(R::ZERO));
    }
}

/// B of a dipole at r from here, as [`pair`] has it [T].
#[inline(always)]
fn field_of<R: Real>(moment: Vec3<R>, r: Vec3<R>, nearest: R) -> Vec3<R> {
    let length = r.length();
    if length == R::ZERO {
        return Vec3::ZERO;
    }
    let (n, distance) = (r / length, length.max(nearest));
    let share = length / distance;
    let strength = R::of(MU) * share * share / (distance * distance * distance);
    (n * (R::of(3.0) * moment.dot(n)) - moment) * strength
}
