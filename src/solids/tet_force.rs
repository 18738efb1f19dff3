//! Forces of tetrahedra, left at their corners to be gathered.
//!
//!   f = −V (P + (β + τ) dP(Ḟ)) g − α m v        v = (o − r)/dt
//!
//! α and β are Rayleigh's damping of mass and stiffness. v is the velocity that leads to the offsets found so far. For the
//! implicit integrators τ = `launch.weight` dt is the time at which forces count; the corner's own 3×3 block of
//! τ² K + τ D goes to `corner_blocks` for the preconditioner. Explicit ones have τ = 0, and take of a stress that stiffens with
//! strain the share that their step bears: see [`explicit_share`].

use super::elasticity::{Frame, NeoHookean, Rest, Twist, is_folded, unfolded};
use super::laws::{COROTATIONAL, IGNORE, Law, NEO_HOOKEAN, SPRINGS, SolidLaws, factors_of, rotation_of_turn};
use super::springs::Springs;
use super::tet_turn::{edges, rest_of};
use crate::compute::Shared;
use crate::integrate::factors::Kind;
use crate::integrate::{ASSEMBLED, IMPLICIT, TURNING, WHOLE, damping_share, factors, reach, store_block};
use crate::math::{Mat3, Real, Vec3, Vec4};

crate::kernel! {
    "solids/tet_force" => tet_force per Invocation {
        uniform solid_laws: SolidLaws,
        read tet_corners: uint4,        // particles
        read tet_rest: real4,           // g₁, V; g₂, law; g₃, 0 [1/m, m³]
        read tet_turns: real4,          // quaternions, of length 2 what is loose
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
        write corner_forces: real4,     // xyz [N]
        write corner_blocks: real4,     // xx, yy, zz; xy, yz, zx [kg], two per corner; or factors
    }
}

/// A law where a tetrahedron is.
pub enum At<R> {
    Frame(Frame<R>),
    Turning(Frame<R>, Twist<R>),
    NeoHookean(NeoHookean<R>),
    Springs(Springs<R>),
}

/// Which stiffness is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tangent {
    /// Definite, with rotations frozen.
    Frozen,
    /// Definite, as far as the true one is.
    Positive,
    /// The true one.
    Whole,
}

impl Tangent {
    #[inline(always)]
    pub fn of(flags: u32) -> Self {
        match flags & (WHOLE | TURNING) {
            0 => Self::Frozen,
            TURNING => Self::Positive,
            _ => Self::Whole,
        }
    }
}

impl<R: Real> At<R> {
    #[inline(always)]
    pub fn new(law: &Law<R>, rest: &Rest<R>, f: Mat3<R>, turn: Vec4<R>, tangent: Tangent) -> Self {
        let (lambda, mu) = (law.moduli.x, law.moduli.y);
        let whole = tangent == Tangent::Whole;
        if law.model() == NEO_HOOKEAN {
            let here = NeoHookean::new(unfolded(f), lambda, mu, law.moduli.z);
            return Self::NeoHookean(if whole { here } else { here.bearable() });
        }
        let turned = || rotation_of_turn(turn).matrix();
        let framed = |frame: Frame<R>| match tangent {
            Tangent::Frozen => Self::Frame(frame),
            _ => Self::Turning(frame, Twist::new(&frame, f, whole)),
        };
        if law.model() == SPRINGS {
            let springs = law.springs();
            if law.inversion() != IGNORE && is_folded(f) {
                let [lambda, mu] = springs.lame();
                return framed(Frame { rotation: turned(), lambda, mu });
            }
            return Self::Springs(Springs::new(rest, unfolded(f), springs, whole));
        }
        if law.model() != COROTATIONAL {
            return Self::Frame(Frame { rotation: Mat3::IDENTITY, lambda, mu });
        }
        let is_reflected = law.inversion() == IGNORE && f.determinant() < R::ZERO;
        if is_reflected {
            return Self::Frame(Frame { rotation: turned().scale(-R::ONE), lambda, mu });
        }
        framed(Frame { rotation: turned(), lambda, mu })
    }

    #[inline(always)]
    pub fn change(&self, df: Mat3<R>) -> Mat3<R> {
        match self {
            Self::Frame(frame) => frame.change(df),
            Self::Turning(frame, twist) => frame.change(df) + twist.change(df),
            Self::NeoHookean(here) => here.change(df),
            Self::Springs(here) => here.change(df),
        }
    }

    #[inline(always)]
    fn block(&self, g: Vec3<R>) -> [Vec3<R>; 2] {
        match self {
            Self::Frame(frame) | Self::Turning(frame, _) => frame.block(g),
            Self::NeoHookean(here) => here.block(g),
            Self::Springs(here) => here.block(g),
        }
    }
}

/// The mass that a corner of a tetrahedron has of it [kg].
#[inline(always)]
pub fn corner_mass<R: Real>(law: &Law<R>, volume: R) -> R {
    R::of(0.25) * law.moduli.w * volume
}

/// The share of a tetrahedron's stress that an explicit step bears, all of it at rest.
///
/// A step is stable while (dt² + β dt) ω² + α dt ≤ 4, and no frequency of a body is above that of its stiffest tetrahedron on its own,
/// ω² ≤ 4 κ γ/ρ with κ the stiffness and γ = |Σ g gᵀ|. Far from rest κ of a law grows with the fourth power of strain. There the
/// stress is scaled as if the stiffness had stopped where the step, or the tetrahedron at rest, has its limit. Momenta stay, and so does
/// what is in balance.
#[inline(always)]
fn explicit_share<R: Real>(
    law: &Law<R>,
    rest: &Rest<R>,
    dt: R,
    bound: R,                // κ [Pa]
    at_rest: impl Fn() -> R, // κ of F = 1 [Pa]
) -> R {
    let mut g = Mat3::ZERO;
    for v in rest.gradients() {
        g = g + Mat3::new(v * v.x, v * v.y, v * v.z);
    }
    let (mass_damping, stiffness_damping) = (law.kind.z, law.kind.w);
    let four = R::of(4.0);
    let borne = law.moduli.w * (four - mass_damping * dt).max(R::ZERO)
        / (four * g.dot(g).sqrt() * (dt * dt + stiffness_damping * dt));
    if bound <= borne {
        return R::ONE;
    }
    (borne.max(at_rest()) / bound).min(R::ONE)
}

/// Leaves the factors of a tetrahedron: rotated gradients of the laws that are no more than a frame, blocks of the others.
#[inline(always)]
fn store_factors<R: Real>(
    to: Shared<'_, Vec4<R>>,
    place: u32,
    here: &At<R>,
    has_frame: bool,
    rest: &Rest<R>,
    [scale, own]: [R; 2],
) {
    if let (At::Frame(frame), true) = (here, has_frame) {
        let w = rest.g.map(|g| frame.rotation.apply(g));
        to.set(place, w[0].with_w(frame.lambda * scale));
        to.set(place + 1, w[1].with_w(frame.mu * scale));
        to.set(place + 2, w[2].with_w(own));
        return;
    }
    let mut place = place;
    for a in 0..3 {
        for c in a..3 {
            // The force on corner a of a displacement of corner c along each axis, one column each.
            let g = rest.g[c] * scale;
            let column =
                |axis: Vec3<R>| here.change(Mat3::new(axis * g.x, axis * g.y, axis * g.z)).apply(rest.g[a]);
            let Mat3 { x, y, z } = Mat3::IDENTITY;
            let block = Mat3::new(column(x), column(y), column(z));
            if a == c {
                let Mat3 { x, y, z } = block;
                let symmetric = [Vec3::new(x.x, y.y, z.z), Vec3::new(y.x, z.y, z.x)];
                factors::store_symmetric(to, place, symmetric, own);
                place += 2;
            } else {
                factors::store_block(to, place, block);
                place += 3;
            }
        }
    }
}

#[inline(always)]
fn tet_force<R: Real>(b: &Bindings<R>, id: u32) {
    let (rest, law) = rest_of(b.tet_rest, id);
    let turn = b.tet_turns[id as usize];
    let law = &b.solid_laws.laws[law].of_turn(turn);
    let particles = b.tet_corners[id as usize];
    let f = rest.gradient(edges(b.positions, b.residuals, particles));
    let rate = R::ONE / b.launch.dt;
    let v = particles.map(|p| (b.offsets[p as usize].xyz() - b.residuals[p as usize].xyz()) * rate);
    let fdot = rest.gradient([v[1] - v[0], v[2] - v[0], v[3] - v[0]]);
    let implicit = b.launch.flags & IMPLICIT != 0;
    let reach = if implicit { reach(&b.launch) } else { R::ZERO };
    let (mass_damping, stiffness_damping) = (law.kind.z, law.kind.w);

    let here = At::new(law, &rest, f, turn, Tangent::of(b.launch.flags));
    let share = |bound: R, at_rest: &dyn Fn() -> R| {
        if implicit { R::ONE } else { explicit_share(law, &rest, b.launch.dt, bound, at_rest) }
    };
    let (stress, share) = match &here {
        At::Frame(frame) | At::Turning(frame, _) => (frame.stress(f), R::ONE),
        At::NeoHookean(_) => {
            let of = |f: Mat3<R>| NeoHookean::new(f, law.moduli.x, law.moduli.y, law.moduli.z);
            let exact = of(unfolded(f));
            (exact.stress(), share(exact.bound(), &|| of(Mat3::IDENTITY).bound()))
        }
        At::Springs(here) => {
            let at_rest = || Springs::new(&rest, Mat3::IDENTITY, law.springs(), false).bound();
            (here.stress(), share(here.bound(), &at_rest))
        }
    };
    let p = (stress + here.change(fdot).scale(stiffness_damping + reach)).scale(share);
    let mass = corner_mass(law, rest.volume);
    let slot = b.launch.base + 4 * id;
    for (c, pull) in rest.corners(p).into_iter().enumerate() {
        let force = -(pull + v[c] * (mass * mass_damping));
        b.corner_forces.set(slot + c as u32, force.with_w(R::ZERO));
    }
    if implicit {
        store_stiffness(b, id, here, rest, law);
    }
}

/// Leaves what implicit integrators ask of a tetrahedron: its factors, or the blocks of its corners.
///
/// Never inlined: explicit steps, which do not come here, keep their values in registers.
#[inline(never)]
fn store_stiffness<R: Real>(b: &Bindings<R>, id: u32, here: At<R>, rest: Rest<R>, law: &Law<R>) {
    let tau = b.launch.weight * b.launch.dt;
    let (mass_damping, stiffness_damping) = (law.kind.z, law.kind.w);
    let scale = rest.volume * tau * (tau + stiffness_damping * damping_share(&b.launch));
    let own = tau * corner_mass(law, rest.volume) * mass_damping * damping_share(&b.launch);
    if b.launch.flags & ASSEMBLED != 0 {
        let place = b.launch.index + b.launch.first * id;
        let is_turning = Tangent::of(b.launch.flags) != Tangent::Frozen;
        let has_frame = factors_of(law.model(), is_turning) == Kind::Frame;
        store_factors(b.corner_blocks, place, &here, has_frame, &rest, [scale, own]);
        return;
    }
    for (c, g) in rest.gradients().into_iter().enumerate() {
        let [diagonal, off] = here.block(g);
        let block = [diagonal * scale + Vec3::new(own, own, own), off * scale];
        store_block(b.corner_blocks, b.launch.base + 4 * id + c as u32, block);
    }
}
