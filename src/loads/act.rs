//! Loads change the velocities of particles, before these are predicted: v ← v + dt w Σ f / keep.
//!
//! The prediction multiplies all of v by `keep`, the share that damping leaves. That is for the velocity there was: a load is divided by it first, as
//! otherwise damping would make it weaker than it is, by 1.2 % at 3/s and 240 substeps a second.
//!
//!   fixed:      f = s F                                     F the particle's share, in the world
//!   following:  f = s (F₁ e₁ + F₂ e₂ + F₃ e₃)               e₁ along a − x, e₃ across the plane of a − x and b − x, e₂ = e₃ × e₁
//!   pressing:   f = s (a − x) × (b − x) / 6                 a third of s A n on each corner of a triangle
//!   strung:     f = T (a − x)/|a − x| + T' (b − x)/|b − x|  along a cable, T and T' its tensions before and after
//!
//! Summed over a closed surface, the last is s ∂V/∂x exactly: constant pressure has the potential −p V. The force stays in `acting`, also of
//! particles that are held.

use crate::math::{Real, Vec3};
use crate::particles::World;

/// The kinds of a slot.
pub const FIXED: u32 = 0;
pub const FOLLOWING: u32 = 1;
pub const PRESSING: u32 = 2;
pub const STRUNG: u32 = 3;

crate::kernel! {
    "loads/act" => act per Invocation {
        uniform world: World,
        read strengths: real,           // s, or p [Pa]
        read act_rows: uint4,           // particle; slots: first, end
        read act_slots: uint4,          // load, or of a cable the stretch after it; particles a and b, kind
        read act_vectors: real4,        // F [N]; of a cable 1 where there is a, b
        read tensions: real,            // of cables [N]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,        // xyz [m/s]
        write acting: real4,            // xyz [N]
    }
}

#[inline(always)]
fn act<R: Real>(b: &Bindings<R>, id: u32) {
    let [i, first, end, _] = b.act_rows[id as usize];
    let x = b.positions[i as usize];
    let mut sum = Vec3::ZERO;
    for slot in first..end {
        let [load, p, q, kind] = b.act_slots[slot as usize];
        let s = if kind == STRUNG { R::ZERO } else { b.strengths[load as usize] };
        let given = b.act_vectors[slot as usize].xyz();
        let (u, v) = (b.positions[p as usize].xyz() - x.xyz(), b.positions[q as usize].xyz() - x.xyz());
        sum += match kind {
            FIXED => given * s,
            PRESSING => u.cross(v) * (s / R::of(6.0)),
            STRUNG => {
                let before =
                    if given.x > R::ZERO { unit(u) * b.tensions[load as usize - 1] } else { Vec3::ZERO };
                let after = if given.y > R::ZERO { unit(v) * b.tensions[load as usize] } else { Vec3::ZERO };
                before + after
            }
            _ => along(u, v, given) * s,
        };
    }
    let velocity = b.velocities.get(i);
    let change = sum * (b.launch.dt * x.w / b.world.keep);
    b.velocities.set(i, (velocity.xyz() + change).with_w(velocity.w));
    b.acting.set(i, sum.with_w(R::ZERO));
}

/// The direction of a vector; nothing of nothing.
#[inline(always)]
fn unit<R: Real>(v: Vec3<R>) -> Vec3<R> {
    let length = v.length();
    if length > R::ZERO { v / length } else { Vec3::ZERO }
}

/// A vector given along e₁, e₂ and e₃; nothing where these are not known.
#[inline(always)]
pub fn along<R: Real>(u: Vec3<R>, v: Vec3<R>, given: Vec3<R>) -> Vec3<R> {
    let n = u.cross(v);
    let (length, height) = (u.length(), n.length());
    if length * height == R::ZERO {
        return Vec3::ZERO;
    }
    let (e1, e3) = (u / length, n / height);
    e1 * given.x + e3.cross(e1) * given.y + e3 * given.z
}
