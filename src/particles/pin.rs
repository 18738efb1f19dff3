//! Where each pin stands at the end of the substep; a rigid pin takes its particle along.
//!
//! A rigid pin is a particle of infinite mass until its release, when it gets its mass back. In its first free
//! substep `predict` has still left it alone: it is given gravity's share and the solver's mass here. A compliant
//! pin only leaves its target for the `attachment` constraint.

use super::World;
use super::track::Tracks;
use crate::math::Real;

/// The flag of a pin that holds its particle rigidly.
pub const PIN_RIGID: u32 = 1;
/// The track of a pin that stands still.
pub const PIN_STILL: u32 = u32::MAX;

crate::kernel! {
    "particles/pin" => pin per Invocation {
        uniform world: World,
        read clock: uint,           // substeps done
        read pins: uint4,           // particle, track, flags
        read pin_rest: real4,       // anchor [m], 1/mass; release [s], α [m/N], the solver's 1/mass
        read tracks: uint2,
        read track_keys: real4,
        write pin_targets: real4,   // xyz [m], w = 1 while it holds
        write positions: real4,     // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,       // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn pin<R: Real>(b: &Bindings<R>, k: u32) {
    let [i, track, flags, _] = b.pins[k as usize];
    let (rest, more) = (b.pin_rest[2 * k as usize], b.pin_rest[2 * k as usize + 1]);
    let time = b.world.time(b.clock[0], b.launch.dt);
    let holds = time < more.x;
    let mut target = rest.xyz();
    if track != PIN_STILL {
        target = Tracks { tracks: b.tracks, keys: b.track_keys }.point(track, time, target);
    }
    b.pin_targets.set(k, target.with_w(R::select(holds, R::ONE, R::ZERO)));
    if flags != PIN_RIGID {
        return;
    }
    let x = b.positions.get(i);
    if holds {
        b.offsets.set(i, (target - x.xyz()).with_w(R::ZERO));
    } else if x.w == R::ZERO {
        b.positions.set(i, x.xyz().with_w(rest.w));
        let fall = b.world.gravity.xyz() * (b.launch.dt * b.launch.dt);
        b.offsets.set(i, (b.offsets.get(i).xyz() + fall).with_w(more.z));
    }
}
