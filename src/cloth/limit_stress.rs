//! The impulses of the strain limits as a stress, which acts among the forces of the next substep.
//!
//!   S = U⁻¹ Σ λₖ ∂Uₖ/∂F/(A dt²)
//!
//! A second Piola–Kirchhoff stress turns with its triangle. It stands among the elastic stresses, so that implicit
//! integration knows how it resists sideways motion, as a string's tension does. Applied as impulses along directions known
//! beforehand, it would be stable only while waves along the taut sheet cross less than a triangle in a substep.

use super::strain_limit::edges;
use super::{green, stretch};
use crate::math::{Real, Vec3};

crate::kernel! {
    "cloth/limit_stress" => limit_stress per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m]
        read limit_impulses: real4,     // λ of weft, warp, shear [kg m²]
        write membrane_rest: real4,     // D⁻¹ by rows [1/m]; the limits' stress [N/m]
    }
}

#[inline(always)]
fn limit_stress<R: Real>(b: &Bindings<R>, t: u32) {
    let impulse = b.limit_impulses[t as usize];
    let impulse = [impulse.x, impulse.y, impulse.z];
    let mut stress = Vec3::ZERO;
    if impulse.iter().any(|x| *x != R::ZERO) {
        let [i, j, k, _] = b.membrane_corners[t as usize];
        let rest = b.membrane_rest.get(2 * t);
        let f = green::gradient(rest, edges(b.positions, |p| b.offsets[p as usize], [i, j, k]));
        if let Some((u, _)) = stretch::polar(f) {
            let scale = R::ONE / (green::area(rest) * b.launch.dt * b.launch.dt);
            let [s11, s22, s12] = stretch::stress(u, impulse);
            stress = Vec3::new(s11, s22, s12) * scale;
        }
    }
    b.membrane_rest.set(2 * t + 1, stress.with_w(R::ZERO));
}
