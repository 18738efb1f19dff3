//! What the contacts that take part at each particle have together of its motion, Σ |a|: each gets the share |a| / Σ |a| of its mass.

use super::near_pairs::PARTICLE;
use super::touch::part;
use crate::math::{Real, Vec3};

crate::kernel! {
    "contact/touch_share" => touch_share per Invocation {
        read touch_starts: uint,       // where each particle's slots begin
        read touch_slots: uint2,       // particle, 4 pair + corner
        read near: uint4,               // four corners
        read touch_planes: real4,       // n, g [m]
        read touch_weights: real4,      // of the four corners
        read touch_laws: real4,         // thickness [m], …
        read offsets: real4,            // xyz [m]
        write touch_shares: real,       // Σ |a|
    }
}

#[inline(always)]
fn touch_share<R: Real>(b: &Bindings<R>, i: u32) {
    let mut sum = R::ZERO;
    let room = b.touch_slots.len();
    let slots =
        (b.touch_starts[i as usize] as usize).min(room)..(b.touch_starts[i as usize + 1] as usize).min(room);
    for &[_, slot] in &b.touch_slots[slots] {
        let k = (slot / 4) as usize;
        let weights = b.touch_weights[k].to_array();
        if weights[slot as usize % 4] == R::ZERO {
            continue;
        }
        let plane = b.touch_planes[k];
        let mut moved = Vec3::ZERO;
        for (corner, weight) in b.near[k].into_iter().zip(weights) {
            moved += b.offsets[(corner & PARTICLE) as usize].xyz() * weight;
        }
        sum += weights[slot as usize % 4].abs() * part(plane.w, plane.xyz().dot(moved), b.touch_laws[k].x);
    }
    b.touch_shares.set(i, sum);
}
