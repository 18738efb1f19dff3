//! Stretch and shear of a segment, XPBD: the frame's third axis and the segment are made one.
//!
//!   Δλ = (A + α̃)⁻¹ (−C − α̃ λ)      A = wᵢ + wⱼ + [b]× W [b]×ᵀ      α̃ = α/dt²
//!
//! in the frame's axes, where the section's stiffness is diagonal; W is the frame's inverse inertia. The three components
//! are solved together, which costs little more than one and needs no assumption about W. See [`super::strain`] for C.

use super::ldl::Ldl;
use super::{REST, WORK, strain};
use crate::constraints::iterate::KEEP;
use crate::frames::turn;
use crate::math::{Lane, Lanes, Quat, Real, Spread, Vec3, Vec4};
use crate::particles::World;

crate::kernel! {
    "rods/stretch_shear" => stretch_shear, lanes stretch_shear_lanes, per Invocation {
        uniform world: World,
        read rod_segments: uint4,    // particles i, j; flags
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; …; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
        write rod_work: real4,       // λ [N s²], …
    }
}

/// `launch.first` is the first frame; every second one follows.
#[inline(always)]
fn stretch_shear<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + 2 * id;
    let [i, j, ..] = b.rod_segments[k as usize];
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let (oi, oj) = (b.offsets.get(i), b.offsets.get(j));
    let rest = b.rod_rest[(REST * k) as usize];
    let inverse_inertia = b.rod_rest[(REST * k + 3) as usize].xyz();
    let g = b.turns.get(k).xyz();
    let lambda = if b.launch.index > 0 { b.rod_work.get(WORK * k).xyz() } else { Vec3::ZERO };
    let per_dt2 = R::ONE / (b.launch.dt * b.launch.dt);
    let frame = (b.frames[2 * k as usize], g, inverse_inertia);
    let moved = projected([(xi, oi), (xj, oj)], frame, rest, [per_dt2, b.world.relaxation], lambda);
    if b.launch.flags & KEEP != 0 {
        b.rod_work.set(WORK * k, (lambda + moved.change).with_w(R::ZERO));
    }
    let [oi, oj] = moved.offsets;
    b.offsets.set(i, oi);
    b.offsets.set(j, oj);
    b.turns.set(k, moved.turn.with_w(R::ZERO));
}

/// As [`stretch_shear`], line by line, for several segments.
#[inline(always)]
fn stretch_shear_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let k = b.launch.first + 2 * id;
    let segments = &b.rod_segments[k as usize..k as usize + 2 * L::COUNT - 1];
    let ends = |lane: usize| segments[2 * lane];
    let [first, ..] = ends(0);
    // Within a rod the particles of every second segment follow each other, two by two.
    let even = (0..L::COUNT).all(|lane| {
        let ([i, j, ..], expected) = (ends(lane), first.wrapping_add(2 * lane as u32));
        i == expected && j == expected.wrapping_add(1)
    });
    let count = b.positions.len();
    let i = Spread::new::<L>(even, [first, 2], count, |lane| ends(lane)[0]);
    let j = Spread::new::<L>(even, [first.wrapping_add(1), 2], count, |lane| ends(lane)[1]);
    let (xi, xj): (Vec4<L>, Vec4<L>) = (L::spread(b.positions, &i), L::spread(b.positions, &j));
    let (oi, oj): (Vec4<L>, Vec4<L>) = (b.offsets.load_spread(&i), b.offsets.load_spread(&j));
    let rest: Vec4<L> = L::strided(b.rod_rest, REST * k, 2 * REST);
    let inverse_inertia = L::strided(b.rod_rest, REST * k + 3, 2 * REST).xyz();
    let g: Vec3<L> = b.turns.load_vectors(k, 2).xyz();
    let lambda =
        if b.launch.index > 0 { b.rod_work.load_vectors(WORK * k, 2 * WORK).xyz() } else { Vec3::ZERO };
    let (dt, relaxation) = (L::splat(b.launch.dt), L::splat(b.world.relaxation));
    let frame = (L::strided(b.frames, 2 * k, 4), g, inverse_inertia);
    let moved = projected([(xi, oi), (xj, oj)], frame, rest, [L::ONE / (dt * dt), relaxation], lambda);
    if b.launch.flags & KEEP != 0 {
        b.rod_work.store_vectors(WORK * k, 2 * WORK, (lambda + moved.change).with_w(L::ZERO));
    }
    let all = L::ONE.above(L::ZERO);
    let [oi, oj] = moved.offsets;
    b.offsets.store_spread(&i, oi, all);
    b.offsets.store_spread(&j, oj, all);
    b.turns.store_vectors(k, 2, moved.turn.with_w(L::ZERO));
}

/// A segment after its projection.
pub(super) struct Moved<L> {
    /// Δλ, in the frame's axes [N s²].
    pub change: Vec3<L>,
    /// Of the particles at its ends.
    pub offsets: [Vec4<L>; 2],
    /// Of its frame.
    pub turn: Vec3<L>,
}

/// Projects one segment, given its ends' x and offset, its frame's q, turn and inverse inertia, 1/dt² and the relaxation.
#[inline(always)]
pub(super) fn projected<L: Lane>(
    [(xi, oi), (xj, oj)]: [(Vec4<L>, Vec4<L>); 2],
    (q, g, inverse_inertia): (Vec4<L>, Vec3<L>, Vec3<L>),
    rest: Vec4<L>,
    [per_dt2, relaxation]: [L; 2],
    lambda: Vec3<L>,
) -> Moved<L> {
    let rotation = turn::rotation(q, g);
    let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
    let (change, local) = correction(rotation, d, rest, xi.w + xj.w, inverse_inertia, per_dt2, lambda);
    let change = change * relaxation;
    let push = rotation.rotate(change);
    let torque = change.cross(local).scaled(inverse_inertia);
    Moved {
        change,
        offsets: [(oi.xyz() - push * xi.w).with_w(oi.w), (oj.xyz() + push * xj.w).with_w(oj.w)],
        turn: turn::compose(g, torque * L::constant(0.5)),
    }
}

/// Δλ of one segment, in the frame's axes [N s²], and the segment in them [m].
#[inline(always)]
pub fn correction<L: Lane>(
    rotation: Quat<L>,
    d: Vec3<L>,               // xⱼ − xᵢ [m]
    rest: Vec4<L>,            // l [m], α of shear, stretch [m/N]
    w: L,                     // wᵢ + wⱼ [1/kg]
    inverse_inertia: Vec3<L>, // W [1/(kg m²)]
    per_dt2: L,               // 1/dt² [1/s²]
    lambda: Vec3<L>,          // λ [N s²]
) -> (Vec3<L>, Vec3<L>) {
    let local = rotation.conjugate().rotate(d);
    let c = local - Vec3::new(L::ZERO, L::ZERO, rest.x);
    let compliance = Vec3::new(rest.y, rest.y, rest.z) * per_dt2;
    (project(local, c, w, inverse_inertia, compliance, lambda), local)
}

/// Δλ of one segment, in the frame's axes [N s²].
#[inline(always)]
pub fn project<L: Lane>(
    local: Vec3<L>,           // b [m]
    c: Vec3<L>,               // C [m]
    w: L,                     // wᵢ + wⱼ [1/kg]
    inverse_inertia: Vec3<L>, // W [1/(kg m²)]
    compliance: Vec3<L>,      // α̃ [1/kg]
    lambda: Vec3<L>,          // λ [N s²]
) -> Vec3<L> {
    let system = strain::crossed(local, inverse_inertia).plus(compliance + Vec3::new(w, w, w));
    Ldl::plain(system).solve(-c - compliance.scaled(lambda))
}
