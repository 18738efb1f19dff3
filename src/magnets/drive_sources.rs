//! Where the fields of a scene are in this substep, and how strong.
//!
//!   s = k(t) cos(2π f t + φ)        k is linear between keys and constant outside of them

use super::field::RECORDS;
use crate::frames::turn;
use crate::math::{Quat, Real, Vec4};
use crate::particles::World;
use crate::particles::track::Tracks;
use std::f64::consts::TAU;

/// The track of what stands still.
pub const STILL: u32 = u32::MAX;

crate::kernel! {
    "magnets/drive_sources" => drive_sources per Invocation {
        uniform world: World,
        read clock: uint,               // substeps done
        read source_laws: uint4,        // keys: first, end; track
        read source_keys: real4,        // time [s], k
        read source_rest: real4,        // as at the start; then f [1/s], φ [rad]
        read tracks: uint2,
        read track_keys: real4,
        write field_sources: real4,
    }
}

/// Records of `source_rest` for each source: one more, f and φ.
pub const REST: u32 = RECORDS as u32 + 1;

#[inline(always)]
fn drive_sources<R: Real>(b: &Bindings<R>, id: u32) {
    let [first, end, track, _] = b.source_laws[id as usize];
    let time = b.world.time(b.clock[0], b.launch.dt);
    let mut k = R::ONE;
    for i in first..end {
        let at = b.source_keys[i as usize];
        if i == first || time >= at.x {
            k = at.y;
        }
        if i + 1 < end && time >= at.x {
            let next = b.source_keys[i as usize + 1];
            k = at.y + (next.y - at.y) * ((time - at.x) / (next.x - at.x)).min(R::ONE);
        }
    }
    let rest = |n: u32| b.source_rest[(REST * id + n) as usize];
    let wave = rest(5);
    let turns = time * wave.x;
    let strength = k * (R::of(TAU) * (turns - turns.floor()) + wave.y).cos();
    let mut place = rest(0);
    let mut axes = rest(1);
    if track != STILL {
        let tracks = Tracks { tracks: b.tracks, keys: b.track_keys };
        place = tracks.point(track, time, place.xyz()).with_w(place.w);
        let Quat { x, y, z, w } = tracks.pose(track, time).rotation;
        axes = turn::product(Vec4::new(x, y, z, w), axes);
    }
    let start = RECORDS as u32 * id;
    b.field_sources.set(start, place);
    b.field_sources.set(start + 1, axes);
    b.field_sources.set(start + 2, rest(2));
    b.field_sources.set(start + 3, rest(3));
    b.field_sources.set(start + 4, rest(4).xyz().with_w(strength));
}
