//! Forces on magnets change the velocities of their particles.
//!
//!   v ← v + dt w Σ f / keep        f = F, or F/2 ± (T × d)/d² at the ends of a rod's segment, d from one to the other
//!
//! The couple turns a segment as T does across its axis. Its particles have far more inertia than its frame, which the torque would turn by radians
//! in a substep before the rod's stiffness holds it; about the axis there is nothing but the frame ([`super::turn_segments`]).
//!
//! Forces are those of the state that the last substep left (symplectic Euler). `keep` is the share of v that damping leaves in the
//! prediction that follows; it must not weaken the force.

use crate::math::{Real, Vec3};
use crate::particles::World;

/// What a particle is to a magnet: its only one, or the first or second end of a segment.
pub const WHOLE: u32 = 0;
pub const FIRST: u32 = 1;
pub const SECOND: u32 = 2;
/// The least square of a length that is divided by [m²].
const LEAST: f64 = 1e-30;

crate::kernel! {
    "magnets/push_magnets" => push_magnets per Invocation {
        uniform world: World,
        read pushed: uint4,             // particle; magnets: first, end
        read pushing: uint2,            // magnet, what the particle is to it
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_sums: real4,        // force [N], torque about the centre [N m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,        // xyz [m/s]
    }
}

#[inline(always)]
fn push_magnets<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, first, end, _] = b.pushed[id as usize];
    let mut force = Vec3::ZERO;
    for entry in first..end {
        let [magnet, end] = b.pushing[entry as usize];
        let own = b.magnet_sums[2 * magnet as usize].xyz();
        if end == WHOLE {
            force += own;
            continue;
        }
        let [p, q, ..] = b.magnets[magnet as usize];
        let d = b.positions[q as usize].xyz() - b.positions[p as usize].xyz();
        let couple = b.magnet_sums[2 * magnet as usize + 1].xyz().cross(d) / d.dot(d).max(R::of(LEAST));
        force += own * R::of(0.5) + if end == SECOND { couple } else { -couple };
    }
    let v = b.velocities.get(particle);
    let change = force * (b.launch.dt * b.positions[particle as usize].w / b.world.keep);
    b.velocities.set(particle, (v.xyz() + change).with_w(v.w));
}
