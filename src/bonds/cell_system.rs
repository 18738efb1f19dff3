//! A cell's blocks on the diagonal of the matrix, and its right sides.
//!
//!   M + dt² Σ Bᵀ K B        r = dt Σ f − M Σ Δv        over the bonds of the cell and what touches it, and over the changes of this substep so far

use super::bond_force::{ARM, BLOCK, FORCE, MOMENT};
use super::bond_system::blocks;
use super::cell_pose::POSE;
use super::cell_touch::TOUCH;
use crate::integrate::galerkin_rigid::part;
use crate::integrate::pcg_assemble::store;
use crate::integrate::pcg_assemble::store_both;
use crate::math::{Mat3, Real, Vec3};

crate::kernel! {
    "bonds/cell_system" => cell_system per Invocation {
        read cell_starts: uint2,        // where each cell's bonds begin, its first block on the diagonal; and one end
        read cell_bonds: uint,          // twice the bond, and 1 for its second cell
        read bond_blocks: real4,        // twelve per bond
        read cell_poses: real4,         // three per cell
        read cell_touches: real4,       // eleven per cell
        read cell_changes: real4,       // Σ Δv [m/s], Σ Δω [rad/s], by cell
        write values: real,             // nine per block
        write cg_residuals: real4,      // xyz [N s], [N m s], by cell
    }
}

#[inline(always)]
fn cell_system<R: Real>(b: &Bindings<R>, id: u32) {
    let [mass, moment] = [0, 1].map(|k| b.cell_poses[(POSE * id + k) as usize].w);
    let touch = |k: u32| b.cell_touches[(TOUCH * id + k) as usize].xyz();
    let (mut force, mut torque) = (touch(0), touch(1));
    let mut sum = [2, 5, 8].map(|k| Mat3::new(touch(k), touch(k + 1), touch(k + 2)));
    for s in b.cell_starts[id as usize][0]..b.cell_starts[id as usize + 1][0] {
        let (bond, is_second) = (b.cell_bonds[s as usize] >> 1, b.cell_bonds[s as usize] & 1 == 1);
        let row = |k: u32| b.bond_blocks[(BLOCK * bond + k) as usize].xyz();
        let sign = R::select(is_second, -R::ONE, R::ONE);
        let arm = row(ARM) * sign;
        let pull = row(FORCE) * sign;
        force += pull;
        torque += arm.cross(pull) + row(MOMENT) * sign;
        let [tt, tr, _, rr] = blocks(b.bond_blocks, bond, arm, arm);
        sum = [sum[0] + tt, sum[1] + tr, sum[2] + rr];
    }
    let dt = b.launch.dt;
    let uniform = |m: R| Mat3::diagonal(Vec3::new(m, m, m));
    let block = |m: Mat3<R>, is_free: bool| m.scale(R::select(is_free, dt * dt, R::ZERO));
    let (moves, turns) = (mass > R::ZERO, moment > R::ZERO);
    let place = b.cell_starts[id as usize][1];
    let mixed = block(sum[1], moves && turns);
    store_both(b.values, [place; 2], block(sum[0], moves) + uniform(mass));
    store(b.values, part(place, 0, 1), mixed);
    store(b.values, part(place, 1, 0), mixed.transpose());
    store_both(b.values, [part(place, 1, 1); 2], block(sum[2], turns) + uniform(moment));
    let right = |is_free: bool, f: Vec3<R>, m: R, k: u32| {
        let change = b.cell_changes[(2 * id + k) as usize].xyz();
        let r = f * R::select(is_free, dt, R::ZERO) - change * m;
        b.cg_residuals.set(2 * id + k, r.with_w(R::ZERO));
    };
    right(moves, force, mass, 0);
    right(turns, torque, moment, 1);
}
