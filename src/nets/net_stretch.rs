//! Stretch and shear of the segments of a net, XPBD, a colour at a time. [`crate::rods::stretch_shear`] has the equations.

use super::WORK;
use crate::constraints::iterate::KEEP;
use crate::frames::turn;
use crate::math::{Real, Vec3};
use crate::particles::World;
use crate::rods::{self, stretch_shear};

crate::kernel! {
    "nets/net_stretch" => net_stretch per Invocation {
        uniform world: World,
        read net_order: uint,        // frames by colour
        read rod_segments: uint4,    // particles i, j
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; …; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
        write net_work: real4,       // λ [N s²], …
    }
}

/// `launch.first` is the first place of a colour, `launch.base` the first frame of the nets.
#[inline(always)]
fn net_stretch<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.net_order[(b.launch.first + id) as usize];
    let [i, j, ..] = b.rod_segments[k as usize];
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let (oi, oj) = (b.offsets.get(i), b.offsets.get(j));
    let rest = b.rod_rest[(rods::REST * k) as usize];
    let inverse_inertia = b.rod_rest[(rods::REST * k + 3) as usize].xyz();
    let g = b.turns.get(k).xyz();
    let rotation = turn::rotation(b.frames[2 * k as usize], g);
    let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
    let local = rotation.conjugate().rotate(d);
    let c = local - Vec3::new(R::ZERO, R::ZERO, rest.x);
    let work = WORK * (k - b.launch.base);
    let lambda = if b.launch.index > 0 { b.net_work.get(work).xyz() } else { Vec3::ZERO };
    let compliance = Vec3::new(rest.y, rest.y, rest.z) / (b.launch.dt * b.launch.dt);
    let change = stretch_shear::project(local, c, xi.w + xj.w, inverse_inertia, compliance, lambda)
        * b.world.relaxation;
    if b.launch.flags & KEEP != 0 {
        b.net_work.set(work, (lambda + change).with_w(R::ZERO));
    }
    let push = rotation.rotate(change);
    // Held particles may have two segments of one colour.
    if xi.w > R::ZERO {
        b.offsets.set(i, (oi.xyz() - push * xi.w).with_w(oi.w));
    }
    if xj.w > R::ZERO {
        b.offsets.set(j, (oj.xyz() + push * xj.w).with_w(oj.w));
    }
    let turned = change.cross(local).scaled(inverse_inertia) * R::of(0.5);
    b.turns.set(k, turn::compose(g, turned).with_w(R::ZERO));
}
