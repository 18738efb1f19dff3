//! What the fields of the scene do to each cell of a magnet.
//!
//!   F = Σ (∇B)ᵀ m        T = m × Σ B + d × F        about the magnet's centre, from which the cell is at d

use super::field::{self, RECORDS};
use super::pair_nodes::centre;
use crate::math::{Real, Vec3};

crate::kernel! {
    "magnets/field_cells" => field_cells per Invocation {
        read field_rows: uint,          // node
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_nodes: uint4,       // magnet, the branch above, the first node not below, 1 for a cell
        read node_places: real4,        // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read field_sources: real4,
        write magnet_loads: real4,      // force on it [N], torque about the centre [N m], and nothing; from row `launch.base` on
    }
}

#[inline(always)]
fn field_cells<R: Real>(b: &Bindings<R>, id: u32) {
    let node = b.field_rows[id as usize];
    let [p, q, ..] = b.magnets[b.magnet_nodes[node as usize][0] as usize];
    let arm = b.node_places[2 * node as usize].xyz();
    let moment = b.node_places[2 * node as usize + 1].xyz();
    let x = centre(b.positions, [p, q]) + arm;
    let (mut force, mut at) = (Vec3::ZERO, Vec3::ZERO);
    for source in 0..b.launch.index as usize {
        let records = [0, 1, 2, 3, 4].map(|k| b.field_sources[RECORDS * source + k]);
        let [own, pull] = field::act(records, x, moment);
        at += own;
        force += pull;
    }
    let row = 3 * (b.launch.base + id);
    let torque = moment.cross(at) + arm.cross(force);
    for (k, load) in (row..).zip([force, torque, Vec3::ZERO]) {
        b.magnet_loads.set(k, load.with_w(R::ZERO));
    }
}
