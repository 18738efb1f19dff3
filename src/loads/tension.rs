//! The tension of a cable along the points that it runs through, from the end at which it is pulled.
//!
//!   T₀ = s        T_{k+1} = T_k exp(−μ θ_k)
//!
//! θ is the angle by which the cable turns at a point, μ its friction there (Euler and Eytelwein): while it is pulled in, every bend takes its share.

use crate::math::Real;

crate::kernel! {
    "loads/tension" => tension per Invocation {
        read strengths: real,           // s [N]
        read tendons: uint4,            // points: first, end; load; first stretch
        read tendon_friction: real,     // μ
        read tendon_points: uint,       // particles
        read positions: real4,          // xyz [m]
        write tensions: real,           // of each stretch between two points [N]
    }
}

#[inline(always)]
fn tension<R: Real>(b: &Bindings<R>, id: u32) {
    let [first, end, load, stretch] = b.tendons[id as usize];
    let x = |k: u32| b.positions[b.tendon_points[k as usize] as usize].xyz();
    let mut pull = b.strengths[load as usize];
    for k in first..end - 1 {
        b.tensions.set(stretch + k - first, pull);
        if k + 2 < end {
            let (u, v) = (x(k + 1) - x(k), x(k + 2) - x(k + 1));
            let angle = u.cross(v).length().atan2(u.dot(v));
            pull *= (-b.tendon_friction[id as usize] * angle).exp();
        }
    }
}
