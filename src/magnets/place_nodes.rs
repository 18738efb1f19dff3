//! Where the branches and cells of magnets are, and where their moments point, in the world.
//!
//!   d = R a        m = R m₀        from the magnet's centre, so that near bodies keep their digits far from the origin

use crate::frames::turn;
use crate::math::Real;

crate::kernel! {
    "magnets/place_nodes" => place_nodes per Invocation {
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_nodes: uint4,       // magnet, the branch above, the first node not below, 1 for a cell
        read node_rest: real4,          // a [m], w = reach [m]; m₀ [A m²], w = radius [m]
        read frames: real4,             // unit quaternion, then the rotation that rounding kept from it
        write node_places: real4,       // d [m], w = reach [m]; m [A m²], w = radius [m]
    }
}

#[inline(always)]
fn place_nodes<R: Real>(b: &Bindings<R>, id: u32) {
    let magnet = b.magnet_nodes[id as usize][0] as usize;
    let frame = b.magnets[magnet][2] as usize;
    let axes = turn::rotation(b.frames[2 * frame], b.frames[2 * frame + 1].xyz());
    for k in [2 * id, 2 * id + 1] {
        let own = b.node_rest[k as usize];
        b.node_places.set(k, axes.rotate(own.xyz()).with_w(own.w));
    }
}
