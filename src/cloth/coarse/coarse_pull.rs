//! A link of a coarse net shortens what is longer than its threads.
//!
//!   C = |xⱼ − xᵢ| − L > 0        dᵢ += wᵢ C n/(wᵢ + wⱼ)        dⱼ −= wⱼ C n/(wᵢ + wⱼ)
//!
//! x is where a node's particle is with its offset and what its net has moved it by so far, w the inverse mass of the node. Links of a pass share no node.

use crate::math::Real;

crate::kernel! {
    "cloth/coarse/coarse_pull" => coarse_pull per Invocation {
        read coarse_ends: uint2,        // nodes
        read coarse_rest: real,         // L [m]
        read coarse_particles: uint,    // of each node
        read coarse_weights: real,      // w of each node
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m]
        write coarse_moves: real4,      // d of each node, xyz [m]
    }
}

#[inline(always)]
fn coarse_pull<R: Real>(b: &Bindings<R>, id: u32) {
    let k = (b.launch.first + id) as usize;
    let [i, j] = b.coarse_ends[k];
    let [p, q] = [i, j].map(|node| b.coarse_particles[node as usize] as usize);
    let (xi, xj) = (b.positions[p], b.positions[q]);
    // What a pin holds stays.
    let weight = |node: u32, w: R| R::select(w > R::ZERO, b.coarse_weights[node as usize], R::ZERO);
    let (wi, wj) = (weight(i, xi.w), weight(j, xj.w));
    let (di, dj) = (b.coarse_moves.get(i).xyz(), b.coarse_moves.get(j).xyz());
    let way = (xj.xyz() - xi.xyz()) + ((b.offsets[q].xyz() - b.offsets[p].xyz()) + (dj - di));
    let length = way.length();
    let c = length - b.coarse_rest[k];
    if !(c > R::ZERO && wi + wj > R::ZERO) {
        return;
    }
    let pull = way * (c / ((wi + wj) * length));
    b.coarse_moves.set(i, (di + pull * wi).with_w(R::ZERO));
    b.coarse_moves.set(j, (dj - pull * wj).with_w(R::ZERO));
}
