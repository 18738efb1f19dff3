//! A point of a soft body that is held by a rigid one, XPBD.
//!
//!   d = p − q        p = Σ sₖ xₖ, q = c + R a        a fixed along the body's axes
//!   ℓ > 0:  C = |d| − ℓ, along n = d₀/|d₀|           ℓ = 0:  C = d, a vector
//!   A Δλ = −(C + α̃ λ + γ Ċ dt)        A = (1 + γ)(Σ sₖ² wₖ + w_c − [r]× I⁻¹ [r]×) + α̃        α̃ = α/dt², γ = α β/dt
//!   Δxₖ = sₖ wₖ Δλ        Δc = −w_c Δλ        T(ξ + δ) = T(ξ) − r × Δλ/dt
//!
//! Macklin, Müller, Chentanez 2016, eq. 18 and 26. Conditions are those of the end of the substep. The direction d₀ and the arm r, from the
//! centre to p, are those of its start: both sides are pushed at the same point or along the line between two, and the torque goes through the
//! map T of the free rotation ([`crate::rigid::spin`]), so that momentum and angular momentum are kept to rounding, at any spin (as in SHAKE:
//! Ryckaert, Ciccotti, Berendsen 1977).
//!
//! One invocation takes all anchors of a body, one after the other: a list, each with the number of the next. Those of one pass share
//! neither bodies nor particles that can move. Release, tearing and reported forces are as in [`super::tie`].

use super::tie::LAST;
use crate::frames::turn;
use crate::math::{Mat3, Quat, Real, Vec3};
use crate::particles::World;
use crate::rigid::motion::swing;
use crate::rigid::spin::push_turn;

/// Vectors of `anchors` for each anchor.
pub const PLACES: u32 = 2;
/// Vectors of `anchor_rest` for each anchor.
pub const REST: u32 = 4;
/// Vectors of `anchor_states` for each anchor.
pub const STATE: u32 = 2;
/// The next of the last anchor of a body.
pub const NONE: u32 = u32::MAX;
/// What A gets more, as a share of its trace: where neither side can move along a direction, A has no inverse.
const REGULAR: f64 = 1e-7;

crate::kernel! {
    "attach/anchor" => anchor per Invocation {
        uniform world: World,
        read clock: uint,             // substeps done
        read anchors: uint4,          // four particles; particle and frame of the body, number of the next anchor
        read anchor_rest: real4,      // s; a [m], w = sign of λ in the force on b; ℓ [m], α [m/N], β [N s/m], most force [N]; 1/I [1/(kg m²)], release [s]
        write anchor_states: real4,   // pull on the soft point so far, |λ| of a length [kg m]; force on b [N], w = 1 when torn
        read positions: real4,        // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,         // xyz [m], w = the solver's 1/mass
        read frames: real4,           // unit quaternion, then the rotation that rounding kept from it
        write turns: real4,           // xyz the rotation of this substep
    }
}

#[inline(always)]
fn anchor<R: Real>(b: &Bindings<R>, id: u32) {
    let mut k = b.launch.first + id;
    let h = b.launch.dt;
    let time = b.world.time(b.clock[0], h);
    let [centre, frame, ..] = b.anchors[(PLACES * k + 1) as usize];
    let (c, q) = (b.positions[centre as usize], b.frames[2 * frame as usize]);
    let residual = b.frames[2 * frame as usize + 1].xyz();
    let before = turn::rotation(q, residual);
    let (mut offset, mut turned) = (b.offsets.get(centre), b.turns.get(frame).xyz());
    while k != NONE {
        let (places, next) = (b.anchors[(PLACES * k) as usize], b.anchors[(PLACES * k + 1) as usize][2]);
        let rest = |row: u32| b.anchor_rest[(REST * k + row) as usize];
        let (shares, point, law, body) = (rest(0).to_array(), rest(1), rest(2), rest(3));
        let known = b.anchor_states.get(STATE * k + 1);
        let this = k;
        k = next;
        if time >= body.w || known.w != R::ZERO {
            b.anchor_states.set(STATE * this + 1, Vec3::ZERO.with_w(known.w));
            continue;
        }
        let (mut arm, mut way, mut weight) = (Vec3::ZERO, Vec3::ZERO, R::ZERO);
        for (i, s) in places.into_iter().zip(shares) {
            let x = b.positions[i as usize];
            arm += (x.xyz() - c.xyz()) * s;
            way += b.offsets.get(i).xyz() * s;
            weight += s * s * x.w;
        }
        // How far the body's point is carried, in full digits also where that is little.
        let carried = before.rotate(swing(turn::compose(-residual, turned), point.xyz()));
        let moved = way - offset.xyz() - carried;
        let start = arm - before.rotate(point.xyz());
        let d = start + moved;
        let lambda =
            if b.launch.index > 0 { b.anchor_states.get(STATE * this) } else { Vec3::ZERO.with_w(R::ZERO) };
        let response = Response { weight: weight + c.w, arm, before, inverse: body.xyz() };
        let (tilde, gamma) = (law.y / (h * h), law.y * law.z / h);
        let (mut pull, mut change) = (Vec3::ZERO, R::ZERO);
        if law.x > R::ZERO {
            let (distance, apart) = (d.length(), start.length());
            let along = if apart > R::ZERO { start / apart } else { Vec3::ZERO };
            let give = along.dot(response.of(along));
            if give > R::ZERO {
                let error = distance - law.x + tilde * lambda.w + gamma * along.dot(moved);
                change = -error / ((R::ONE + gamma) * give + tilde);
                pull = along * change;
            }
        } else {
            pull = response.solve(-(d + lambda.xyz() * tilde + moved * gamma), R::ONE + gamma, tilde);
        }
        let total = lambda.xyz() + pull;
        b.anchor_states.set(STATE * this, total.with_w(lambda.w + change));
        for (i, s) in places.into_iter().zip(shares) {
            let w = b.positions[i as usize].w;
            // What cannot move is not written: anchors of one pass may share it.
            if s != R::ZERO && w > R::ZERO {
                let o = b.offsets.get(i);
                b.offsets.set(i, (o.xyz() + pull * (s * w)).with_w(o.w));
            }
        }
        offset = (offset.xyz() - pull * c.w).with_w(offset.w);
        let impulse = before.conjugate().rotate(pull.cross(arm)) / h;
        turned = push_turn(turned, residual, body.xyz(), impulse, h);
        if b.launch.flags & LAST != 0 {
            let force = total * (point.w / (h * h));
            let torn = R::select(force.length() > law.w, R::ONE, R::ZERO);
            b.anchor_states.set(STATE * this + 1, force.with_w(torn));
        }
    }
    b.offsets.set(centre, offset);
    b.turns.set(frame, turned.with_w(R::ZERO));
}

/// How the two sides give way to a pull.
struct Response<R> {
    /// Σ s² w + w_c [1/kg].
    weight: R,
    /// r [m].
    arm: Vec3<R>,
    before: Quat<R>,
    /// Inverse principal moments [1/(kg m²)].
    inverse: Vec3<R>,
}

impl<R: Real> Response<R> {
    /// How far d goes by a pull.
    #[inline(always)]
    fn of(&self, pull: Vec3<R>) -> Vec3<R> {
        let about = self.before.conjugate().rotate(self.arm.cross(pull));
        pull * self.weight + self.before.rotate(self.inverse.scaled(about)).cross(self.arm)
    }

    /// The pull by which d goes as wanted; nothing where neither side can move.
    #[inline(always)]
    fn solve(&self, wanted: Vec3<R>, share: R, give: R) -> Vec3<R> {
        let one = R::ONE;
        let [x, y, z] = [(one, R::ZERO, R::ZERO), (R::ZERO, one, R::ZERO), (R::ZERO, R::ZERO, one)]
            .map(|(x, y, z)| self.of(Vec3::new(x, y, z)));
        let trace = x.x + y.y + z.z;
        if trace <= R::ZERO {
            return Vec3::ZERO;
        }
        let more = give + R::of(REGULAR) * trace;
        let a = Mat3::new(x, y, z).scale(share) + Mat3::diagonal(Vec3::new(more, more, more));
        let cofactors = a.cofactors();
        cofactors.apply_transposed(wanted) / a.x.dot(cofactors.x)
    }
}
