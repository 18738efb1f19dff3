//! A tie: two points of bodies that are joined, XPBD.
//!
//!   d = p_b − p_a = Σ sₖ xₖ        Σ sₖ = 0
//!   ℓ > 0:  C = |d| − ℓ,  ∇ₖC = sₖ d/|d|        ℓ = 0:  C = d, a vector, ∇ₖC = sₖ
//!   Δλ = −(C + α̃ λ + γ Ċ dt) / ((1 + γ) Σ sₖ² wₖ + α̃)        Δxₖ = wₖ ∇ₖC Δλ        α̃ = α/dt², γ = α β/dt
//!
//! Macklin, Müller, Chentanez 2016, eq. 18 and 26, with a damper β beside the spring 1/α. Each point moves with up to four particles,
//! by their barycentric weights s: those of b as they are, those of a negative. What one side gets the other gives: momentum is kept to
//! rounding, and angular momentum as by any position-based link, to first order in dt.
//!
//! ℓ shrinks to nothing while a seam closes. A tie that is released by the clock, or was torn, does nothing. The last iteration of a substep
//! leaves the force on b, and tears what has carried too much. No two ties of a pass share a particle that can move.

use crate::math::{Real, Vec3};
use crate::particles::World;

/// Particles of a tie, four for each of its points.
pub const CORNERS: u32 = 8;
/// Vectors of `tie_rest` for each tie.
pub const REST: u32 = 4;
/// The flag of the last iteration.
pub const LAST: u32 = 1;

crate::kernel! {
    "attach/tie" => tie per Invocation {
        uniform world: World,
        read clock: uint,           // substeps done
        read ties: uint4,           // four particles of a; four of b
        read tie_rest: real4,       // s of a; s of b; ℓ [m], α [m/N], β [N s/m], most force [N]; release [s], closes from [s], 1/duration [1/s]
        write tie_lambdas: real4,   // pull on b so far, |λ| of a length [N s²]
        write tie_forces: real4,    // force on b [N], w = 1 when torn
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,       // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn tie<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let rest = |row: u32| b.tie_rest[(REST * k + row) as usize];
    let (law, times, state) = (rest(2), rest(3), b.tie_forces.get(k));
    let time = b.world.time(b.clock[0], b.launch.dt);
    if time >= times.x || state.w != R::ZERO {
        b.tie_forces.set(k, Vec3::ZERO.with_w(state.w));
        return;
    }
    let [us, them] = [b.ties[2 * k as usize], b.ties[2 * k as usize + 1]];
    let [ours, theirs] = [rest(0).to_array(), rest(1).to_array()];
    let (x0, o0) = (b.positions[us[0] as usize].xyz(), b.offsets.get(us[0]).xyz());
    let (mut d, mut moved, mut weight) = (Vec3::ZERO, Vec3::ZERO, R::ZERO);
    for (i, s) in us.into_iter().zip(ours).chain(them.into_iter().zip(theirs)) {
        let (x, o) = (b.positions[i as usize], b.offsets.get(i).xyz());
        // Differences of neighbours come first; as the weights add up to nothing, so may the first corner.
        d += ((x.xyz() - x0) + (o - o0)) * s;
        moved += o * s;
        weight += s * s * x.w;
    }
    let lambda = if b.launch.index > 0 { b.tie_lambdas.get(k) } else { Vec3::ZERO.with_w(R::ZERO) };
    let closed = R::ZERO.max((time - times.y) * times.z).min(R::ONE);
    let length = law.x * (R::ONE - closed);
    let tilde = law.y / (b.launch.dt * b.launch.dt);
    let gamma = law.y * law.z / b.launch.dt;
    let denominator = (R::ONE + gamma) * weight + tilde;
    let gain = R::select(weight > R::ZERO, R::ONE / denominator, R::ZERO);
    let distance = d.length();
    let (mut pull, mut change) = (-(d + lambda.xyz() * tilde + moved * gamma) * gain, R::ZERO);
    if length > R::ZERO {
        let n = if distance > R::ZERO { d / distance } else { Vec3::ZERO };
        change = -(distance - length + tilde * lambda.w + gamma * n.dot(moved)) * gain;
        pull = n * change;
    }
    let total = lambda.xyz() + pull;
    b.tie_lambdas.set(k, total.with_w(lambda.w + change));
    for (i, s) in us.into_iter().zip(ours).chain(them.into_iter().zip(theirs)) {
        let w = b.positions[i as usize].w;
        // What cannot move is not written: ties of one pass may share it.
        if s != R::ZERO && w > R::ZERO {
            let o = b.offsets.get(i);
            b.offsets.set(i, (o.xyz() + pull * (s * w)).with_w(o.w));
        }
    }
    if b.launch.flags & LAST != 0 {
        let force = total / (b.launch.dt * b.launch.dt);
        let torn = R::select(force.length() > law.w, R::ONE, R::ZERO);
        b.tie_forces.set(k, force.with_w(torn));
    }
}
