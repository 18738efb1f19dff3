//! One cluster: the best motion of its rest shape, and the pull of its members towards it, XPBD.
//!
//!   c = Σ μᵢ xᵢ        F = Σ xᵢ dᵢᵀ        R = rotation of F M (`fit`) or of F (`gradient`)
//!   gᵢ = c + T qᵢ      T = R (rigid) or β F + (1 − β) R (linear; F divided by ∛det F where volume is kept)
//!   δᵢ = −(xᵢ − gᵢ + a Λᵢ)/(1 + a)        a = α/dt²        Λᵢ the sum of all δᵢ of this substep
//!
//! q are the members at rest about their centre, μ their shares of the cluster's mass, M = Σ μ q qᵀ, and d = μ M⁻¹ q, so that F is the
//! linear map that fits the members best in the sense of least squares. Quadratic clusters add the six products of the coordinates
//! (Müller et al. 2005, sec. 4.3), about their means, to q and d. The pull is that of the energy Σ mᵢ |xᵢ − gᵢ|²/2α, with the multipliers of
//! Macklin, Müller, Chentanez 2016 divided by the members' masses: α [s²] is the square of a time, and means the same at any number of substeps and
//! iterations.
//!
//! Which rotation? The R that minimises Σ μ |x − R q|² is that of F M = Σ μ x qᵀ (the orthogonal Procrustes problem), and for it
//! the pull has no angular momentum: Σ μ (x − c) × R q is the antisymmetric part of F M Rᵀ, which is symmetric for this R alone. The rotation of F
//! is that of the continuum, which differs where a cluster is longer in one direction than in another and deformed; its pull then turns free
//! bodies. It is here to compare.
//!
//! A plastic cluster has flowed by D (det D = 1): its rest shape is D q. In the last iteration of a substep the deviator e of the stretch flows as far as it is
//! beyond the limit: D ← (1 + s (1 − γ/|e|) e) D, s = min(1, dt × rate).

use crate::math::{Mat3, Quat, Real, Vec3};
use crate::solids::rotation::{SMALLEST, extract};

/// Vectors of `cluster_laws` for each cluster.
pub const LAW: u32 = 6;
/// Vectors of `cluster_states` for each cluster: its rotation, then the columns of D.
pub const STATE: u32 = 4;
/// Vectors of `member_pulls` for each member: δ, then Λ.
pub const PULL: u32 = 2;
/// Vectors of `member_rest` for each member of a scene with quadratic clusters, and of any other.
pub const REST_QUADRATIC: u32 = 4;
pub const REST: u32 = 2;

/// Codes of a cluster's kind, the first number of its law.
pub const RIGID: u32 = 0;
pub const LINEAR: u32 = 1;
pub const QUADRATIC: u32 = 2;
pub const KINDS: u32 = 3;
/// Added to the kind: the rotation is that of F.
pub const GRADIENT: u32 = 4;
/// Added to the kind: the linear part keeps its volume.
pub const KEEPS_VOLUME: u32 = 8;

/// The flag of the last iteration.
pub const LAST: u32 = 1;

/// det F below which it says nothing about the volume.
const LEAST_VOLUME: f64 = 1e-3;

crate::kernel! {
    "clusters/cluster_match" => cluster_match per Invocation {
        read cluster_starts: uint,      // where each cluster's members begin, and one end
        read cluster_laws: real4,       // kind, β, α [s²], 1/radius [1/m]; columns of M of trace 3, w: yield, rate [1/s], most; means of products
        read cluster_members: uint,     // particles
        read member_rest: real4,        // q [m], μ; d [1/m]; of quadratic clusters d of xx, yy, zz; d of xy, yz, zx
        write cluster_states: real4,    // rotation; columns of D
        write member_pulls: real4,      // δ [m]; Λ [m]
        read positions: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
    }
}

#[inline(always)]
fn cluster_match<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let rows = b.launch.base;
    let law = |row: u32| b.cluster_laws[(LAW * k + row) as usize];
    let rest = |s: u32, row: u32| b.member_rest[(rows * s + row) as usize];
    let state = |row: u32| b.cluster_states.get(STATE * k + row);
    let members = b.cluster_starts[k as usize]..b.cluster_starts[k as usize + 1];
    let (settings, kind) = (law(0), law(0).x.to_f64() as u32);
    let is_quadratic = kind % GRADIENT == QUADRATIC;
    let first = b.cluster_members[members.start as usize] as usize;
    let (x0, o0) = (b.positions[first].xyz(), b.offsets[first].xyz());
    // From the first member: differences of neighbours keep their digits far from the origin.
    let place = |s: u32| {
        let i = b.cluster_members[s as usize] as usize;
        (b.positions[i].xyz() - x0) + (b.offsets[i].xyz() - o0)
    };
    let (mut centre, mut f) = (Vec3::ZERO, Mat3::ZERO);
    let (mut squares, mut products) = (Mat3::ZERO, Mat3::ZERO);
    for s in members.clone() {
        let (x, d) = (place(s), rest(s, 1));
        centre += x * rest(s, 0).w;
        f = f + outer(x, d.xyz());
        if is_quadratic {
            squares = squares + outer(x, rest(s, 2).xyz());
            products = products + outer(x, rest(s, 3).xyz());
        }
    }
    let flowed = Mat3::new(state(1).xyz(), state(2).xyz(), state(3).xyz());
    let gradient = f * flowed.cofactors().transpose().scale(R::ONE / flowed.determinant());
    let moments = Mat3::new(law(1).xyz(), law(2).xyz(), law(3).xyz());
    let fitted = if kind & GRADIENT != 0 { gradient } else { f * moments * flowed.transpose() };
    let before = Quat::from_vec4(state(0));
    let (turn, _) = extract(fitted, [Vec3::ZERO; 4], SMALLEST, before, 0);
    let rotation = turn.matrix();
    let mut target = rotation;
    if kind % GRADIENT != RIGID {
        let beta = settings.y;
        let volume = gradient.determinant();
        let keeps = kind & KEEPS_VOLUME != 0 && volume > R::of(LEAST_VOLUME);
        let size = R::select(keeps, cube_root(R::ONE / volume.max(R::of(LEAST_VOLUME))), R::ONE);
        target = gradient.scale(beta * size) + rotation.scale(R::ONE - beta);
        squares = squares.scale(beta);
        products = products.scale(beta);
        if is_quadratic {
            centre = centre - squares.apply(law(4).xyz()) - products.apply(law(5).xyz());
        }
    }
    let to = target * flowed;
    let a = settings.z / (b.launch.dt * b.launch.dt);
    for s in members {
        let q = rest(s, 0).xyz();
        let mut goal = centre + to.apply(q);
        if is_quadratic {
            let u = q * settings.w;
            goal = goal
                + squares.apply(Vec3::new(u.x * u.x, u.y * u.y, u.z * u.z))
                + products.apply(Vec3::new(u.x * u.y, u.y * u.z, u.z * u.x));
        }
        let sum = if b.launch.index > 0 { b.member_pulls.get(PULL * s + 1).xyz() } else { Vec3::ZERO };
        let pull = (goal - place(s) - sum * a) / (R::ONE + a);
        b.member_pulls.set(PULL * s, pull.with_w(R::ZERO));
        b.member_pulls.set(PULL * s + 1, (sum + pull).with_w(R::ZERO));
    }
    b.cluster_states.set(STATE * k, crate::math::Vec4::new(turn.x, turn.y, turn.z, turn.w));
    let [limit, rate, most] = [law(1).w, law(2).w, law(3).w];
    if b.launch.flags & LAST != 0 && limit > R::ZERO {
        let share = (b.launch.dt * rate).min(R::ONE);
        let flowed = flow(rotation.transposed_times(gradient), flowed, [limit, share, most]);
        b.cluster_states.set(STATE * k + 1, flowed.x.with_w(R::ZERO));
        b.cluster_states.set(STATE * k + 2, flowed.y.with_w(R::ZERO));
        b.cluster_states.set(STATE * k + 3, flowed.z.with_w(R::ZERO));
    }
}

/// x yᵀ.
#[inline(always)]
fn outer<R: Real>(x: Vec3<R>, y: Vec3<R>) -> Mat3<R> {
    Mat3::new(x * y.x, x * y.y, x * y.z)
}

/// Of a positive number.
#[inline(always)]
fn cube_root<R: Real>(x: R) -> R {
    (x.ln() / R::of(3.0)).exp()
}

/// D after the flow of one substep, from RᵀF and D before: as much of the deviatoric stretch as is beyond the limit, times the share; of volume one,
/// and not further from the identity than `most`.
#[inline(always)]
pub fn flow<R: Real>(stretch: Mat3<R>, flowed: Mat3<R>, [limit, share, most]: [R; 3]) -> Mat3<R> {
    let symmetric = (stretch + stretch.transpose()).scale(R::of(0.5));
    let mean = (symmetric.x.x + symmetric.y.y + symmetric.z.z) / R::of(3.0);
    let e = symmetric - Mat3::diagonal(Vec3::new(mean, mean, mean));
    let size = e.dot(e).sqrt();
    let is_beyond = size > limit;
    if !is_beyond {
        return flowed;
    }
    let mut next = (Mat3::IDENTITY + e.scale(share * (R::ONE - limit / size))) * flowed;
    next = next.scale(cube_root(R::ONE / next.determinant().max(R::of(LEAST_VOLUME))));
    let change = next - Mat3::IDENTITY;
    let distance = change.dot(change).sqrt();
    if distance > most {
        next = Mat3::IDENTITY + change.scale(most / distance);
        next = next.scale(cube_root(R::ONE / next.determinant().max(R::of(LEAST_VOLUME))));
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uniaxial strain e yields where |dev ε| = e √⅔ passes the limit, and flows until just the limit is left.
    #[test]
    fn stretch_beyond_the_limit_flows_and_the_limit_is_left() {
        let limit = 0.01;
        let at = |e: f64| Mat3::diagonal(Vec3::new(1.0 + e, 1.0, 1.0));
        let below = flow(at(0.01224), Mat3::IDENTITY, [limit, 1.0, 10.0]);
        assert_eq!(below, Mat3::IDENTITY);
        let flowed = flow(at(0.02), Mat3::IDENTITY, [limit, 1.0, 10.0]);
        assert!((flowed.determinant() - 1.0).abs() < 1e-12);
        let mut d = flowed;
        // What is left of the stretch, relative to the flowed shape, comes down to the limit.
        for _ in 0..20 {
            let left = at(0.02) * d.cofactors().transpose().scale(1.0 / d.determinant());
            d = flow(left, d, [limit, 1.0, 10.0]);
        }
        let left = at(0.02) * d.cofactors().transpose().scale(1.0 / d.determinant());
        let mean = (left.x.x + left.y.y + left.z.z) / 3.0;
        let e = left - Mat3::diagonal(Vec3::new(mean, mean, mean));
        assert!((e.dot(e).sqrt() - limit).abs() < 1e-2 * limit, "{}", e.dot(e).sqrt());
        let capped = flow(at(3.0), Mat3::IDENTITY, [limit, 1.0, 0.05]);
        let change = capped - Mat3::IDENTITY;
        assert!(change.dot(change).sqrt() < 0.051);
    }
}
