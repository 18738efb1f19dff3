//! Distance constraint, XPBD.
//!
//!   C = |xⱼ − xᵢ| − L        Δλ = (−C − α̃ λ) / (wᵢ + wⱼ + α̃)        α̃ = α / dt²
//!
//! Macklin, Müller, Chentanez 2016, eq. 18. λ is kept over the iterations of one substep; clearing it each
//! iteration would make the stiffness depend on the iteration count. The compliance α may differ between a
//! stretched and a compressed link; a negative one means slack: a tether only pulls. A link's compliance is its
//! material's times the shape factor g of the piece it stands for, so that a few materials serve many links.

use crate::math::{Real, Vec3};
use crate::particles::World;

/// Bits of a particle's index in a link's second end; the bits above hold the material. A buffer of positions
/// fills WebGPU's 128 MiB at 2²³ particles.
pub const PARTICLE_BITS: u32 = 23;
const PARTICLE_MASK: u32 = (1 << PARTICLE_BITS) - 1;

/// A particle's index and a material's in one word.
pub fn pack(particle: u32, material: u32) -> u32 {
    debug_assert!(particle <= PARTICLE_MASK && material < 1 << (32 - PARTICLE_BITS));
    particle | material << PARTICLE_BITS
}

/// The inverse of [`pack`].
#[inline(always)]
pub fn unpack(word: u32) -> (u32, u32) {
    (word & PARTICLE_MASK, word >> PARTICLE_BITS)
}

/// n Δλ, the correction of xⱼ per inverse mass (xᵢ moves the other way), and Δλ.
///
/// Nothing happens to a link without length, which has no direction, or with both ends fixed.
#[inline(always)]
pub fn project<R: Real>(
    d: Vec3<R>,          // xⱼ − xᵢ [m]
    w: R,                // wᵢ + wⱼ [1/kg]
    rest_length: R,      // L [m]
    compliances: [R; 2], // α stretched, α compressed [m/N]; negative: slack
    lambda: R,
    dt: R,
) -> (Vec3<R>, R) {
    let length = d.length();
    let valid = length > R::ZERO && w > R::ZERO;
    let c = length - rest_length;
    let alpha = R::select(c > R::ZERO, compliances[0], compliances[1]);
    let tilde = alpha / (dt * dt);
    let dl = R::select(alpha < R::ZERO, -lambda, (-c - tilde * lambda) / (w + tilde));
    let dl = R::select(valid, dl, R::ZERO);
    let scale = R::select(valid, dl / length, R::ZERO);
    (d * scale, dl)
}

crate::kernel! {
    "constraints/distance" => distance per Invocation {
        uniform world: World,
        read distance_ends: uint2,        // i, j | material << 23
        read distance_rest: real2,        // L [m], shape factor g
        read distance_materials: real2,   // α/g stretched, compressed [m/N]
        write distance_lambdas: real,     // λ [N s²]
        read positions: real4,            // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,             // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn distance<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let [i, packed] = b.distance_ends[k as usize];
    let (j, material) = unpack(packed);
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let (oi, oj) = (b.offsets.get(i), b.offsets.get(j));
    let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
    let lambda = if b.launch.index > 0 { b.distance_lambdas.get(k) } else { R::ZERO };
    let [rest_length, factor] = b.distance_rest[k as usize];
    let compliances = b.distance_materials[material as usize].map(|alpha| alpha * factor);
    let (push, dl) = project(d, oi.w + oj.w, rest_length, compliances, lambda, b.world.dt);
    let push = push * b.world.relaxation;
    if b.launch.flags != 0 {
        b.distance_lambdas.set(k, lambda + dl * b.world.relaxation);
    }
    b.offsets.set(i, (oi.xyz() - push * xi.w).with_w(oi.w));
    b.offsets.set(j, (oj.xyz() + push * xj.w).with_w(oj.w));
}
