//! Distance constraint, XPBD.
//!
//!   C = |xⱼ − xᵢ| − L        Δλ = (−C − α̃ λ) / (wᵢ + wⱼ + α̃)        α̃ = α / dt²
//!
//! Macklin, Müller, Chentanez 2016, eq. 18. λ is kept over the iterations of one substep; clearing it each
//! iteration would make the stiffness depend on the iteration count. The compliance α may differ between a
//! stretched and a compressed link; a negative one means slack: a tether only pulls, its λ never gets positive
//! (a slack link then works with the compliance of its other side). A link's compliance is its material's times the shape factor g of the piece it stands for, so that a few materials serve many links.

use crate::math::{Lane, Lanes, Places, Real, Vec3, Vec4};
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

/// Materials that the bits above a particle's index can tell apart.
pub const MATERIALS: usize = 1 << (32 - PARTICLE_BITS);

/// The compliances of all materials, the uniform `distance_materials`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct DistanceMaterials<R> {
    /// α/g stretched, compressed [m/N]; negative: slack.
    pub compliances: [[R; 2]; MATERIALS],
}

// SAFETY: `repr(C)`, values of one plain type only, no padding.
unsafe impl<R: bytemuck::Zeroable> bytemuck::Zeroable for DistanceMaterials<R> {}
// SAFETY: as above.
unsafe impl<R: bytemuck::Pod> bytemuck::Pod for DistanceMaterials<R> {}

/// n Δλ, the correction of xⱼ per inverse mass (xᵢ moves the other way), and Δλ.
///
/// Nothing happens to a link without length, which has no direction, or with both ends fixed.
#[inline(always)]
pub fn project<L: Lane>(
    d: Vec3<L>,          // xⱼ − xᵢ [m]
    w: L,                // wᵢ + wⱼ [1/kg]
    rest_length: L,      // L [m]
    compliances: [L; 2], // α stretched, α compressed [m/N]; negative: slack
    lambda: L,
    dt: L,
) -> (Vec3<L>, L) {
    let length = d.length();
    let valid = length.above(L::ZERO) & w.above(L::ZERO);
    let c = length - rest_length;
    let [stretched, compressed] = compliances;
    let near = L::select(c.above(L::ZERO), stretched, compressed);
    let far = L::select(c.above(L::ZERO), compressed, stretched);
    let alpha = L::select(near.below(L::ZERO), far, near);
    let tilde = L::select(alpha.below(L::ZERO), L::ZERO, alpha) * (L::ONE / (dt * dt));
    // λ + Δλ has the sign of w λ − C. Where the link is slack on that side, it gives back what it has applied in this
    // substep and no more. One division serves n Δλ and Δλ.
    let next = w * lambda - c;
    let lets_go =
        (compressed.below(L::ZERO) & next.above(L::ZERO)) | (stretched.below(L::ZERO) & next.below(L::ZERO));
    let above = L::select(lets_go, -lambda, -c - tilde * lambda);
    let below = L::select(lets_go, length, (w + tilde) * length);
    let scale = L::select(valid, above / below, L::ZERO);
    (d * scale, scale * length)
}

crate::kernel! {
    "constraints/distance" => distance, lanes distance_lanes, per Invocation {
        uniform world: World,
        uniform distance_materials: DistanceMaterials,
        read distance_ends: uint2,        // i, j | material << 23
        read distance_rest: real2,        // L [m], shape factor g
        write distance_lambdas: real,     // λ [N s²]
        read positions: real4,            // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,             // xyz [m], w = the solver's 1/mass
    }
}

/// Ends that cannot move are not written: links of one colour may share them.
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
    let compliances = b.distance_materials.compliances[material as usize].map(|alpha| alpha * factor);
    let (push, dl) = project(d, oi.w + oj.w, rest_length, compliances, lambda, b.launch.dt);
    let push = push * b.world.relaxation;
    if b.launch.flags != 0 {
        b.distance_lambdas.set(k, lambda + dl * b.world.relaxation);
    }
    if xi.w > R::ZERO {
        b.offsets.set(i, (oi.xyz() - push * xi.w).with_w(oi.w));
    }
    if xj.w > R::ZERO {
        b.offsets.set(j, (oj.xyz() + push * xj.w).with_w(oj.w));
    }
}

/// As [`distance`], line by line, for several links.
#[inline(always)]
fn distance_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let k = b.launch.first + id;
    let block = k as usize..k as usize + L::COUNT;
    let ends = &b.distance_ends[block.clone()];
    let count = b.positions.len();
    let i = Places::new::<L>(count, |lane| ends[lane][0]);
    let j = Places::new::<L>(count, |lane| unpack(ends[lane][1]).0);
    let (xi, xj): (Vec4<L>, Vec4<L>) = (L::gather(b.positions, &i), L::gather(b.positions, &j));
    let (oi, oj): (Vec4<L>, Vec4<L>) = (b.offsets.gather(&i), b.offsets.gather(&j));
    let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
    let lambda = if b.launch.index > 0 { b.distance_lambdas.load(k) } else { L::ZERO };
    let [rest_length, factor] = L::load_pairs(&b.distance_rest[block]);
    let compliances = compliances(b.distance_materials, factor, |lane| unpack(ends[lane][1]).1);
    let (push, dl) = project(d, oi.w + oj.w, rest_length, compliances, lambda, L::splat(b.launch.dt));
    let relaxation = L::splat(b.world.relaxation);
    let push = push * relaxation;
    if b.launch.flags != 0 {
        b.distance_lambdas.store(k, lambda + dl * relaxation);
    }
    b.offsets.scatter(&i, (oi.xyz() - push * xi.w).with_w(oi.w), xi.w.above(L::ZERO));
    b.offsets.scatter(&j, (oj.xyz() + push * xj.w).with_w(oj.w), xj.w.above(L::ZERO));
}

/// α of each lane's link, stretched and compressed [m/N].
#[inline(always)]
pub(super) fn compliances<L: Lanes>(
    materials: &DistanceMaterials<f32>,
    factor: L,
    material: impl Fn(usize) -> u32,
) -> [L; 2] {
    let [stretched, compressed] = L::pairs(|lane| &materials.compliances[material(lane) as usize]);
    [stretched * factor, compressed * factor]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_have_the_same_size_in_rust_and_in_wgsl() {
        let reflected = crate::compute::reflect(&KERNEL).unwrap();
        let materials = reflected.bindings.iter().find(|b| b.name == "distance_materials").unwrap();
        assert_eq!(materials.element, "DistanceMaterials");
        assert_eq!(materials.size as usize, size_of::<DistanceMaterials<f32>>());
    }
}
