//! What every segment of a net asks for in one Jacobi iteration; [`super::net_gather`] adds it up.
//!
//! The law is that of [`super::net_stretch`]. All constraints look at the same state, so each may use only its share of the
//! masses; the corrections then use the whole masses, which keeps momentum.

use super::WORK;
use crate::frames::turn;
use crate::math::{Real, Vec3};
use crate::particles::World;
use crate::rods::{self, stretch_shear};

crate::kernel! {
    "nets/net_ask_stretch" => net_ask_stretch per Invocation {
        uniform world: World,
        read rod_segments: uint4,    // particles i, j
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; …; inverse inertia [1/(kg m²)]
        read net_shares: real4,      // constraints that share particles i, j and the frame
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,         // xyz [m], w = the solver's 1/mass
        read turns: real4,           // xyz the turn of this substep
        write net_work: real4,       // λ [N s²]; push [kg m]; torque [kg m²]
    }
}

/// `launch.first` is the first frame, `launch.base` that of all nets.
#[inline(always)]
fn net_ask_stretch<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let [i, j, ..] = b.rod_segments[k as usize];
    if i == j {
        return;
    }
    let place = k - b.launch.base;
    let work = WORK * place;
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let rest = b.rod_rest[(rods::REST * k) as usize];
    let shares = b.net_shares[place as usize];
    let inverse_inertia = b.rod_rest[(rods::REST * k + 3) as usize].xyz() * shares.z;
    let rotation = turn::rotation(b.frames[2 * k as usize], b.turns[k as usize].xyz());
    let d = (xj.xyz() - xi.xyz()) + (b.offsets[j as usize].xyz() - b.offsets[i as usize].xyz());
    let local = rotation.conjugate().rotate(d);
    let c = local - Vec3::new(R::ZERO, R::ZERO, rest.x);
    let lambda = if b.launch.index > 0 { b.net_work.get(work).xyz() } else { Vec3::ZERO };
    let compliance = Vec3::new(rest.y, rest.y, rest.z) / (b.launch.dt * b.launch.dt);
    let weight = xi.w * shares.x + xj.w * shares.y;
    let change =
        stretch_shear::project(local, c, weight, inverse_inertia, compliance, lambda) * b.world.relaxation;
    b.net_work.set(work, (lambda + change).with_w(R::ZERO));
    b.net_work.set(work + 1, rotation.rotate(change).with_w(R::ZERO));
    b.net_work.set(work + 2, change.cross(local).with_w(R::ZERO));
}
