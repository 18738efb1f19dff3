//! What is shown of every cell: the mean damage of its faces, and the largest stress over strength.

use super::bond_force::{BLOCK, FORCE, MOMENT};
use crate::math::Real;

crate::kernel! {
    "bonds/cell_show" => cell_show per Invocation {
        read cell_starts: uint2,        // where each cell's bonds begin, its place on the diagonal; and one end
        read cell_bonds: uint,          // twice the bond, and 1 for its second cell
        read bond_blocks: real4,        // twelve per bond
        write damage: real,
        write utilisation: real,
    }
}

#[inline(always)]
fn cell_show<R: Real>(b: &Bindings<R>, id: u32) {
    let (start, end) = (b.cell_starts[id as usize][0], b.cell_starts[id as usize + 1][0]);
    let (mut damage, mut load) = (R::ZERO, R::ZERO);
    for s in start..end {
        let bond = BLOCK * (b.cell_bonds[s as usize] >> 1);
        damage += b.bond_blocks[(bond + MOMENT) as usize].w;
        load = load.max(b.bond_blocks[(bond + FORCE) as usize].w);
    }
    b.damage.set(id, damage / R::of(f64::from((end - start).max(1))));
    b.utilisation.set(id, load);
}
