//! CoRdE: the forces of a segment that is stretched, and of a frame that has left its direction.
//!
//!   V = (l/2) Kₛ (|d|/l − 1)² + (l/2) κ |t − d₃|²        t = d/|d|,  b = Rᵀ t
//!   force on the far end    F = −Kₛ (|d|/l − 1) t − (γₜ/l)(Δv·t) t + κ (l/|d|)(d₃ − t (t·d₃))
//!   torque on the frame     τ = κ l (−b₂, b₁, 0)
//!
//! and −F on the near end: neither momentum changes. Where frames take several steps in a substep, each adds its share of the last
//! term of F. Friction acts on the rate of stretch alone, so that no rigid motion
//! feels it. Spillmann & Teschner 2007; Spillmann 2008, (3.8), (3.13), (3.22), with the signs that its energies demand.

use crate::frames::turn;
use crate::math::{Lane, Quat, Real, Vec3};

crate::kernel! {
    "rods/corde_segment" => corde_segment per Invocation {
        read rod_segments: uint4,    // particles i, j; flags
        read corde_rest: real4,      // l [m], Kₛ, κ [N], γₜ [kg m/s]
        read positions: real4,       // xyz [m]
        read residuals: real4,       // xyz [m], what rounding kept from the positions
        read velocities: real4,      // xyz [m/s]
        read frames: real4,          // unit quaternion, then the turn that rounding kept from it
        read turns: real4,           // xyz the turn of this substep so far
        write corde_loads: real4,    // per segment: force on its far end [N], torque on its frame [N m]
    }
}

/// `launch.first` is the first frame of all CoRdE rods, whose loads come first; `launch.index` is the step of the frames in this
/// substep and `launch.weight` its share.
#[inline(always)]
fn corde_segment<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let slot = 2 * id;
    let [i, j, ..] = b.rod_segments[k as usize].map(|p| p as usize);
    let rest = b.corde_rest[id as usize];
    let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    if i != j {
        let d = (b.positions[j].xyz() - b.positions[i].xyz()) + (b.residuals[j].xyz() - b.residuals[i].xyz());
        let first = b.launch.index == 0;
        let turned = if first { b.frames[2 * k as usize + 1] } else { b.turns[k as usize] };
        let rotation = turn::rotation(b.frames[2 * k as usize], turned.xyz());
        let velocity = b.velocities[j].xyz() - b.velocities[i].xyz();
        // Particles stay where they are while frames turn: what does not depend on frames counts once.
        let [stretch, friction] = if first { [rest.y, rest.w] } else { [R::ZERO; 2] };
        let share = b.launch.weight;
        (force, torque) = loads(d, velocity, rotation, rest.x, [stretch, rest.z * share, friction]);
        torque = torque / share;
        if !first {
            force += b.corde_loads.get(slot).xyz();
        }
    }
    b.corde_loads.set(slot, force.with_w(R::ZERO));
    b.corde_loads.set(slot + 1, torque.with_w(R::ZERO));
}

/// The share of the rest length below which a segment has no direction but that of its frame.
const NO_DIRECTION: f64 = 1e-6;

/// Force on the far end [N] and torque on the frame, about its own axes [N m].
#[inline(always)]
pub fn loads<L: Lane>(
    d: Vec3<L>,                             // xⱼ − xᵢ [m]
    velocity: Vec3<L>,                      // Δv [m/s]
    rotation: Quat<L>,                      // R
    rest_length: L,                         // l [m]
    [stretch, alignment, friction]: [L; 3], // Kₛ, κ [N], γₜ [kg m/s]
) -> (Vec3<L>, Vec3<L>) {
    let length = d.length();
    let directed = length.above(rest_length * L::constant(NO_DIRECTION));
    let inverse = L::ONE / L::select(directed, length, rest_length);
    let local = rotation.conjugate().rotate(d) * inverse;
    let b = Vec3::select(directed, local, Vec3::new(L::ZERO, L::ZERO, L::ONE));
    let t = rotation.rotate(b);
    let tension = stretch * (length - rest_length) / rest_length + friction * velocity.dot(t) / rest_length;
    // d₃ − t (t·d₃) in the frame's axes, where 1 − b₃² is a sum of squares and keeps its digits.
    let across = Vec3::new(-(b.x * b.z), -(b.y * b.z), b.x * b.x + b.y * b.y);
    let force = rotation.rotate(across) * (alignment * rest_length * inverse) - t * tension;
    let arm = alignment * rest_length;
    (force, Vec3::new(-(b.y * arm), b.x * arm, L::ZERO))
}
