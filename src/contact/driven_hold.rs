//! The guard: a driven body goes and turns as far as all of its corners may.
//!
//! A corner goes along an arc, and a part of a turn is not quite the same part of its way: by up to g² a/2, which the tenth of the room that
//! nobody uses covers.

use super::driven_gather::{OFFSET, RECORDS, TURN};
use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "contact/driven_hold" => driven_hold per Invocation {
        read driven_bodies: uint4,      // particle, frame, first driven corner, corners
        read driven_rooms: real,        // share of the way of each driven corner
        write driven_motions: real4,    // five records a body
        atomic contact_counts: uint,    // particles held back, lists made
    }
}

#[inline(always)]
fn driven_hold<R: Real>(b: &Bindings<R>, id: u32) {
    let [_, _, first, count] = b.driven_bodies[id as usize];
    let mut share = R::ONE;
    for d in first..first + count {
        share = share.min(b.driven_rooms[d as usize]);
    }
    if share < R::ONE {
        b.contact_counts[0].fetch_add(1, Ordering::Relaxed);
        for k in [OFFSET, TURN] {
            let record = b.driven_motions.get(RECORDS * id + k).xyz();
            b.driven_motions.set(RECORDS * id + k, (record * share).with_w(R::ZERO));
        }
    }
}
