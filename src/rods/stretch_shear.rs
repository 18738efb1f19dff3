//! Stretch and shear of a segment, XPBD: the frame's third axis and the segment are made one.
//!
//!   Δλ = (A + α̃)⁻¹ (−C − α̃ λ)      A = wᵢ + wⱼ + [b]× W [b]×ᵀ      α̃ = α/dt²
//!
//! in the frame's axes, where the section's stiffness is diagonal; W is the frame's inverse inertia. The three components
//! are solved together, which costs little more than one and needs no assumption about W. See [`super::strain`] for C.

use super::ldl::Ldl;
use super::{REST, WORK, strain, turn};
use crate::constraints::iterate::KEEP;
use crate::math::{Mat3, Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "rods/stretch_shear" => stretch_shear per Invocation {
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
    let rotation = turn::rotation(b.frames[2 * k as usize], g);
    let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
    let local = rotation.conjugate().rotate(d);
    let c = local - Vec3::new(R::ZERO, R::ZERO, rest.x);
    let lambda = if b.launch.index > 0 { b.rod_work.get(WORK * k).xyz() } else { Vec3::ZERO };
    let compliance = Vec3::new(rest.y, rest.y, rest.z) / (b.world.dt * b.world.dt);
    let change = project(local, c, xi.w + xj.w, inverse_inertia, compliance, lambda) * b.world.relaxation;
    if b.launch.flags & KEEP != 0 {
        b.rod_work.set(WORK * k, (lambda + change).with_w(R::ZERO));
    }
    let push = rotation.rotate(change);
    b.offsets.set(i, (oi.xyz() - push * xi.w).with_w(oi.w));
    b.offsets.set(j, (oj.xyz() + push * xj.w).with_w(oj.w));
    let turned = change.cross(local).scaled(inverse_inertia) * R::of(0.5);
    b.turns.set(k, turn::compose(g, turned).with_w(R::ZERO));
}

/// Δλ of one segment, in the frame's axes [N s²].
#[inline(always)]
pub fn project<R: Real>(
    local: Vec3<R>,           // b [m]
    c: Vec3<R>,               // C [m]
    w: R,                     // wᵢ + wⱼ [1/kg]
    inverse_inertia: Vec3<R>, // W [1/(kg m²)]
    compliance: Vec3<R>,      // α̃ [1/kg]
    lambda: Vec3<R>,          // λ [N s²]
) -> Vec3<R> {
    let system = Mat3::diagonal(compliance + Vec3::new(w, w, w))
        + strain::congruence(Mat3::cross(local), inverse_inertia);
    let scale = Vec3::new(system.x.x, system.y.y, system.z.z);
    Ldl::new(system, scale).solve(-c - compliance.scaled(lambda))
}
