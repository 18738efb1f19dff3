//! The right side of a cell that fields magnetise: H of all magnets with moments of their own, and of the scene.
//!
//!   b = √(v/c) Rᵀ B/μ₀

use super::field;
use super::induction::{RECORDS, dipole};
use super::pair_nodes::centre;
use crate::math::{Quat, Real, Vec3};
use crate::scene::VACUUM;

crate::kernel! {
    "magnets/induce_fields" => induce_fields per Invocation {
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_nodes: uint4,       // magnet, the branch above, the first node not below, 1 for a cell
        read node_places: real4,        // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read field_sources: real4,
        read induced_places: real4,     // [m], w = radius [m]; grid against world
        read induced_rest: real4,       // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
        write induced_fields: real4,    // b
    }
}

/// `launch.base` nodes are of magnets with moments of their own; `launch.index` is the number of the scene's fields; `launch.flags` is the
/// magnet from whose centre places are.
#[inline(always)]
fn induce_fields<R: Real>(b: &Bindings<R>, id: u32) {
    let i = id as usize;
    let place = b.induced_places[RECORDS * i];
    let [p, q, ..] = b.magnets[b.launch.flags as usize];
    let origin = centre(b.positions, [p, q]);
    let mut at = Vec3::ZERO;
    let mut n = 0;
    while n < b.launch.base {
        let [magnet, _, next, is_cell] = b.magnet_nodes[n as usize];
        let [p, q, ..] = b.magnets[magnet as usize];
        let there = b.node_places[2 * n as usize];
        let r = place.xyz() - (centre(b.positions, [p, q]) - origin) - there.xyz();
        if is_cell == 1 || r.length() >= there.w {
            let moment = b.node_places[2 * n as usize + 1];
            at += dipole(r, place.w + moment.w, moment.xyz());
            n = next;
        } else {
            n += 1;
        }
    }
    let x = origin + place.xyz();
    for source in 0..b.launch.index as usize {
        let records = [0, 1, 2, 3, 4].map(|k| b.field_sources[field::RECORDS * source + k]);
        at += field::act(records, x, Vec3::ZERO)[0] * R::of(1.0 / VACUUM);
    }
    let rest = b.induced_rest[RECORDS * i];
    let axes = Quat::from_vec4(b.induced_places[RECORDS * i + 1]);
    b.induced_fields.set(id, (axes.conjugate().rotate(at) * (rest.y * rest.z)).with_w(R::ZERO));
}
