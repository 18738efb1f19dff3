//! Where the corners of a driven surface are at the start of a substep, and how far its body carries them.
//!
//!   x = c + R a        o = Δ + R (2 (g × a + g × (g × a))/(1 + g²))
//!
//! g is the turn of the substep, a Gibbs vector, and a the corner along the axes. The inverse mass of a corner is the largest that a push there
//! can meet, 1/m + max (r × n)·I⁻¹(r × n), which the model has.

use super::driven_gather::{OFFSET, RECORDS, TURN};
use crate::math::{Quat, Real, Vec3};

crate::kernel! {
    "contact/driven_place" => driven_place per Invocation {
        read driven_owners: uint,       // the body of each driven corner
        read driven_arms: real4,        // xyz along the axes [m], w = 1/mass of a push there [1/kg]
        read driven_motions: real4,     // five records a body
        write corner_places: real4,     // xyz [m], w = 1/mass [1/kg]
        write corner_ways: real4,       // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn driven_place<R: Real>(b: &Bindings<R>, d: u32) {
    let (arm, first) = (b.driven_arms[d as usize], RECORDS * b.driven_owners[d as usize]);
    let record = |k: u32| b.driven_motions[(first + k) as usize];
    let axes = Quat::from_vec4(record(1));
    let corner = b.launch.base + d;
    b.corner_places.set(corner, (record(0).xyz() + axes.rotate(arm.xyz())).with_w(arm.w));
    let way = record(OFFSET).xyz() + axes.rotate(swing(record(TURN).xyz(), arm.xyz()));
    b.corner_ways.set(corner, way.with_w(record(0).w));
}

/// How far a turn moves a point.
#[inline(always)]
pub fn swing<R: Real>(g: Vec3<R>, a: Vec3<R>) -> Vec3<R> {
    let once = g.cross(a);
    (once + g.cross(once)) * (R::of(2.0) / (R::ONE + g.dot(g)))
}
