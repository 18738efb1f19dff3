//! The force and the torques between two magnets, made of dipoles.
//!
//!   F = (3μ₀/4π r⁴) [(a·n) b + (b·n) a + (a·b) n − 5 (a·n)(b·n) n]      on b, and −F on a; n from a to b
//!   T = (μ₀/4π r³) m × [3 (m'·n) n − m']                                on the moment m by the other, m'
//!
//! Exact for uniformly magnetised balls, at any distance. One invocation for each node of the magnet with fewer of them: it acts if the other
//! magnet sees it as one dipole, and nothing above it so; then it walks the other's tree. Both magnets get the same
//! numbers, so that no rounding pushes the two together. T_a + T_b + r × F = 0.
//!
//! Nearer than the sum of the radii, where dipoles would go to infinity, r is that sum and F and T shrink by s = r/r_min and s²:
//! angular momentum is still kept.
//!
//! Barnes and Hut 1986 for the tree.

use super::field::MU;
use crate::math::{Real, Vec3, Vec4};

crate::kernel! {
    "magnets/pair_nodes" => pair_nodes per Invocation {
        read pair_rows: uint2,          // node of one magnet, the other magnet
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_nodes: uint4,       // magnet, the branch above, the first node not below, 1 for a cell
        read node_places: real4,        // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write magnet_loads: real4,      // force on the other [N], torques about their centres on the one and the other [N m]
    }
}

/// The middle of two particles.
#[inline(always)]
pub fn centre<R: Real>(positions: &[Vec4<R>], [a, b]: [u32; 2]) -> Vec3<R> {
    (positions[a as usize].xyz() + positions[b as usize].xyz()) * R::of(0.5)
}

#[inline(always)]
fn pair_nodes<R: Real>(b: &Bindings<R>, id: u32) {
    let [node, other] = b.pair_rows[id as usize];
    let [own, mut above, _, is_cell] = b.magnet_nodes[node as usize];
    let ([p, q, ..], [r, s, _, first]) = (b.magnets[own as usize], b.magnets[other as usize]);
    let between = centre(b.positions, [r, s]) - centre(b.positions, [p, q]);
    let arm = |n: u32| b.node_places[2 * n as usize];
    let moment = |n: u32| b.node_places[2 * n as usize + 1];
    let radius = moment(first).w;
    let is_far = |n: u32| (between + arm(first).xyz() - arm(n).xyz()).length() - radius >= arm(n).w;
    let mut acts = is_cell == 1 || is_far(node);
    let mut below = node;
    while acts && above != below {
        acts = !is_far(above);
        below = above;
        above = b.magnet_nodes[below as usize][1];
    }
    let (mut force, mut on_one, mut on_other) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let (mut n, end) = (first, b.magnet_nodes[first as usize][2]);
    let (place, own_moment) = (arm(node).xyz(), moment(node));
    while acts && n < end {
        let [.., next, is_cell] = b.magnet_nodes[n as usize];
        let (there, its_moment) = (arm(n), moment(n));
        let r = between + there.xyz() - place;
        if is_cell == 1 || r.length() >= there.w {
            let moments = [own_moment.xyz(), its_moment.xyz()];
            let [f, on_a, on_b] = pair(moments, r, own_moment.w + its_moment.w);
            force += f;
            on_one += on_a - place.cross(f);
            on_other += on_b + there.xyz().cross(f);
            n = next;
        } else {
            n += 1;
        }
    }
    for (k, load) in (0..).zip([force, on_one, on_other]) {
        b.magnet_loads.set(3 * id + k, load.with_w(R::ZERO));
    }
}

/// F on the second [N], T on the first and on the second [N m].
#[inline(always)]
pub fn pair<R: Real>([a, b]: [Vec3<R>; 2], r: Vec3<R>, nearest: R) -> [Vec3<R>; 3] {
    let length = r.length();
    if length == R::ZERO {
        return [Vec3::ZERO; 3];
    }
    let n = r / length;
    let distance = length.max(nearest);
    let share = length / distance;
    let field = R::of(MU) / (distance * distance * distance);
    let (an, bn) = (a.dot(n), b.dot(n));
    let force = b * an + a * bn + n * (a.dot(b) - R::of(5.0) * an * bn);
    let (of_a, of_b) = (n * (R::of(3.0) * an) - a, n * (R::of(3.0) * bn) - b);
    let torque = field * share * share;
    [force * (R::of(3.0) * field / distance * share), a.cross(of_b) * torque, b.cross(of_a) * torque]
}
