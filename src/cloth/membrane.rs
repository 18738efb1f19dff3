//! Membrane forces, one triangle each, left at its corners for `kick` or `cg_start` to gather.
//!
//!   f = −A F (C:E + C_v:Ė) ∇N − τ K v        v = (o − r)/dt
//!
//! The law is that of [`super::sheet_law`], with a viscous stress of the strain rate, which a rotation does not have. v is
//! the velocity that leads to the offsets found so far: of a free particle the predicted one, of a pinned one that of
//! its pin.
//!
//! For the implicit integrators τ = `launch.weight` dt is the time at which forces count, and the first of them is
//! known: the change K v on the way there, K the stiffness with the stress S₊ (midpoint: S). The corner's own 3×3 block of
//! τ² K + τ D goes to `corner_blocks` for the preconditioner, or the triangle's factors for the matrix.

use super::{green, sheet_law};
use crate::integrate::{ASSEMBLED, IMPLICIT, WHOLE, damping_share, factors, reach, store_block};
use crate::math::{Real, Vec3, Vec4};

crate::kernel! {
    "cloth/membrane" => membrane per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read fabrics: real4,            // a₁₁, a₂₂, a₁₂, G [N/m]; the same of the viscous stress [N s/m]; law
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
        write corner_forces: real4,     // xyz [N]
        write corner_blocks: real4,     // xx, yy, zz; xy, yz, zx [kg], two per corner; or factors
    }
}

/// The edges of a triangle from its first corner [m]; the residuals are the digits that positions have lost.
#[inline(always)]
pub fn edges<R: Real>(positions: &[Vec4<R>], residuals: &[Vec4<R>], [i, j, k]: [u32; 3]) -> [Vec3<R>; 2] {
    let [x, y, z] = [i, j, k].map(|p| positions[p as usize].xyz());
    let [r, s, t] = [i, j, k].map(|p| residuals[p as usize].xyz());
    [(y - x) + (s - r), (z - x) + (t - r)]
}

#[inline(always)]
fn membrane<R: Real>(b: &Bindings<R>, id: u32) {
    let [i, j, k, fabric] = b.membrane_corners[id as usize];
    let material = b.membrane_rest[2 * id as usize];
    let elastic = b.fabrics[3 * fabric as usize];
    let viscous = b.fabrics[3 * fabric as usize + 1];
    let f = green::gradient(material, edges(b.positions, b.residuals, [i, j, k]));
    let law = b.fabrics[3 * fabric as usize + 2];
    let sheet_law::Stressed { rest, axes: f, stress, moduli, turning } =
        sheet_law::stressed(f, material, elastic, law);
    let way = |p: u32| b.offsets[p as usize].xyz() - b.residuals[p as usize].xyz();
    let (wi, rate) = (way(i), R::ONE / b.launch.dt);
    let fdot = green::gradient(rest, [(way(j) - wi) * rate, (way(k) - wi) * rate]);

    let strain_rate = green::strain_change(f, fdot);
    let s = sheet_law::with_limits(stress, b.membrane_rest[2 * id as usize + 1]);
    let damped = green::stress(viscous, strain_rate);
    let total = [s[0] + damped[0], s[1] + damped[1], s[2] + damped[2]];
    let mut p = green::product(f, total);
    if b.launch.flags & IMPLICIT != 0 {
        let tau = b.launch.weight * b.launch.dt;
        let taut = if b.launch.flags & WHOLE != 0 { s } else { green::tension(s) };
        let taut = taut.map(|s| s * turning);
        let (straight, turned) =
            (green::product(fdot, taut), green::product(f, green::stress(moduli, strain_rate)));
        let reach = reach(&b.launch);
        p = [0, 1].map(|c| p[c] + (straight[c] + turned[c]) * reach);
        let moduli = mixed(moduli, viscous, tau, damping_share(&b.launch));
        let taut = taut.map(|s| s * (tau * tau));
        let gradients = green::shape_gradients(rest);
        if b.launch.flags & ASSEMBLED != 0 {
            let place = b.launch.index + factors::Kind::Triangle.length() * id;
            let own = |c: usize| green::block(rest, f, moduli, taut, gradients[c]);
            factors::store_symmetric(b.corner_blocks, place, own(1), R::ZERO);
            let cross = green::pair(rest, f, moduli, taut, gradients[1], gradients[2]);
            factors::store_block(b.corner_blocks, place + 2, cross);
            factors::store_symmetric(b.corner_blocks, place + 5, own(2), R::ZERO);
        } else {
            for (c, a) in gradients.into_iter().enumerate() {
                store_block(b.corner_blocks, 3 * id + c as u32, green::block(rest, f, moduli, taut, a));
            }
        }
    }
    for (c, force) in green::corners(rest, p).into_iter().enumerate() {
        b.corner_forces.set(b.launch.base + 3 * id + c as u32, (-force).with_w(R::ZERO));
    }
}

/// τ² C + τ C_v: the moduli with which a change of velocity acts over τ; `share` of the viscous ones.
#[inline(always)]
pub fn mixed<R: Real>(elastic: Vec4<R>, viscous: Vec4<R>, tau: R, share: R) -> Vec4<R> {
    let mix = |e: R, v: R| tau * (tau * e + v * share);
    Vec4::new(
        mix(elastic.x, viscous.x),
        mix(elastic.y, viscous.y),
        mix(elastic.z, viscous.z),
        mix(elastic.w, viscous.w),
    )
}
