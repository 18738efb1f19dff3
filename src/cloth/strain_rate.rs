//! A limit on how fast strains change, after contacts have had their say: no strain by more than `launch.weight` in one
//! substep.
//!
//!   ε̇ = sym(Rᵀ Ḟ)        d = clamp(ε̇, ±rate/dt) − ε̇        Δvᵢ = R (D + w J) Lᵢ
//!
//! The correction of [`super::strain_limit`] for velocities. Positions stay; both momenta of free triangles stay. Gauss–Seidel
//! over colours. Bridson, Fedkiw, Anderson 2002 ask for 10 % a step; Thomaszewski 2010, alg. 3.2.

use super::{green, stretch};
use crate::math::Real;

crate::kernel! {
    "cloth/strain_rate" => strain_rate per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,        // xyz [m/s]
    }
}

#[inline(always)]
fn strain_rate<R: Real>(b: &Bindings<R>, id: u32) {
    let t = (b.launch.first + id) as usize;
    let [i, j, k, _] = b.membrane_corners[t];
    let rest = b.membrane_rest[2 * t];
    let [x, y, z] = [i, j, k].map(|p| b.positions[p as usize]);
    let f = green::gradient(rest, [y.xyz() - x.xyz(), z.xyz() - x.xyz()]);
    let Some((u, r)) = stretch::polar(f) else { return };
    let [v, w, q] = [i, j, k].map(|p| b.velocities.get(p).xyz());
    let rate = green::strain_change(r, green::gradient(rest, [w - v, q - v]));
    let highest = b.launch.weight / b.launch.dt;
    let d = rate.map(|rate| rate.clamp(-highest, highest) - rate);
    if d.iter().all(|d| *d == R::ZERO) {
        return;
    }
    let changes = stretch::correction(rest, u, d, [x.w, y.w, z.w]);
    for ((particle, w), [a, c]) in [i, j, k].into_iter().zip([x.w, y.w, z.w]).zip(changes) {
        if w > R::ZERO {
            let v = b.velocities.get(particle);
            b.velocities.set(particle, (v.xyz() + r[0] * a + r[1] * c).with_w(v.w));
        }
    }
}
