//! Moves and turns each driven body by the pushes at its corners.
//!
//!   Δ ← Δ + Σ j / m        θ = R I⁻¹ Rᵀ Σ r × j        g ← g ∘ Rᵀ θ/2        R the axes at the end of the substep

use super::driven_gather::{OFFSET, RECORDS, TURN};
use crate::frames::turn;
use crate::math::{Real, Vec3};

crate::kernel! {
    "contact/driven_push" => driven_push per Invocation {
        read driven_bodies: uint4,      // particle, frame, first driven corner, corners
        read driven_arms: real4,        // xyz along the axes [m], w = 1/mass of a push there [1/kg]
        read driven_pushes: real4,      // of each driven corner [kg m]
        write driven_motions: real4,    // five records a body
    }
}

#[inline(always)]
fn driven_push<R: Real>(b: &Bindings<R>, id: u32) {
    let [_, _, first, count] = b.driven_bodies[id as usize];
    let record = |k: u32| b.driven_motions.get(RECORDS * id + k);
    let g = record(TURN).xyz();
    let axes = turn::rotation(record(1), g);
    let (mut push, mut lever) = (Vec3::ZERO, Vec3::ZERO);
    for d in first..first + count {
        let (arm, j) = (b.driven_arms[d as usize].xyz(), b.driven_pushes[d as usize].xyz());
        push += j;
        // Along the axes, where the inertia is.
        lever += arm.cross(axes.conjugate().rotate(j));
    }
    let half = record(2).xyz().scaled(lever) * R::of(0.5);
    let offset = record(OFFSET).xyz() + push * record(0).w;
    b.driven_motions.set(RECORDS * id + OFFSET, offset.with_w(R::ZERO));
    b.driven_motions.set(RECORDS * id + TURN, turn::compose(g, half).with_w(R::ZERO));
}
