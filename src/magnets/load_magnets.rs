//! What all others and the field of the scene do to a magnet.
//!
//!   v ← v + dt w (Σ F + (∇B)ᵀ m) / keep        τ = Rᵀ (Σ T + m × B)        B = B₀ + G x
//!
//! Forces are those of the state that the last substep left (symplectic Euler); the torque is part of the rotation's own step
//! ([`crate::rigid::predict_bodies`]), so that pairs keep their angular momentum. `keep` is the share of v that damping leaves in the
//! prediction that follows; it must not weaken the force. Pairs are added in the order of the other magnet's number.

use crate::frames::turn;
use crate::math::{Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "magnets/load_magnets" => load_magnets per Invocation {
        uniform world: World,
        read magnets: uint2,            // particle, frame
        read magnet_bodies: uint,       // row of `rigid_torques`
        read magnet_moments: real4,     // along the frame's axes [A m²], w = radius [m]; then B₀ [T] and the columns of G [T/m]
        read magnet_forces: real4,      // force on b [N], torque on a and on b [N m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read frames: real4,             // unit quaternion, then the rotation that rounding kept from it
        write velocities: real4,        // xyz [m/s]
        write rigid_torques: real4,     // about the principal axes [N m], body by body
    }
}

#[inline(always)]
fn load_magnets<R: Real>(b: &Bindings<R>, id: u32) {
    let count = b.launch.count;
    let [particle, frame] = b.magnets[id as usize];
    let x = b.positions[particle as usize];
    let axes = turn::rotation(b.frames[2 * frame as usize], b.frames[2 * frame as usize + 1].xyz());
    let moment = axes.rotate(b.magnet_moments[id as usize].xyz());
    let field = |k: u32| b.magnet_moments[(count + k) as usize].xyz();
    let columns = [field(1), field(2), field(3)];
    let at = field(0) + columns[0] * x.x + columns[1] * x.y + columns[2] * x.z;
    let mut force = Vec3::new(columns[0].dot(moment), columns[1].dot(moment), columns[2].dot(moment));
    let mut torque = moment.cross(at);
    for other in 0..count {
        if other == id {
            continue;
        }
        let row = 3 * pair_row(id.min(other), id.max(other), count) as usize;
        // The second of a pair gets F and the last torque, the first −F and the torque between.
        let is_second = other < id;
        let (f, t) = (b.magnet_forces[row].xyz(), b.magnet_forces[row + 1 + usize::from(is_second)].xyz());
        force = if is_second { force + f } else { force - f };
        torque += t;
    }
    let v = b.velocities.get(particle);
    b.velocities.set(particle, (v.xyz() + force * (b.launch.dt * x.w / b.world.keep)).with_w(v.w));
    b.rigid_torques.set(b.magnet_bodies[id as usize], axes.conjugate().rotate(torque).with_w(R::ZERO));
}

/// The row of the pair a < b of `count` magnets, where those of the first magnet come first.
#[inline(always)]
pub fn pair_row(a: u32, b: u32, count: u32) -> u32 {
    a * (2 * count - a - 1) / 2 + (b - a - 1)
}
