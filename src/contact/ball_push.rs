//! A ball that somebody pushes things with: the host moves it between steps.
//!
//!   depth = r − |x + o − c| > 0:    o ← as in `collide`, with a ball that stands still during the substep
//!
//! As `grab` it acts at the end of an iteration, on every particle. A particle at the very centre stays there.

use super::collide::contact;
use crate::compute::{ColumnId, ComputeError, Data, Executor, Role, Tables};
use crate::math::{Real, Vec3};
use glam::DVec3;

/// Coulomb friction coefficient of the ball: a little, so that it takes along what it touches.
const FRICTION: f64 = 0.3;

crate::kernel! {
    "contact/ball_push" => ball_push per Invocation {
        read ball: real4,               // c [m], w = r [m]; 0 for none
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn ball_push<R: Real>(b: &Bindings<R>, i: u32) {
    let (sphere, x) = (b.ball[0], b.positions[i as usize]);
    if sphere.w == R::ZERO || x.w == R::ZERO {
        return;
    }
    let offset = b.offsets.get(i);
    let o = offset.xyz();
    let arm = (x.xyz() - sphere.xyz()) + o;
    let distance = arm.length();
    let depth = sphere.w - distance;
    if depth > R::ZERO && distance > R::ZERO {
        let pushed = contact(o, arm / distance, depth, Vec3::ZERO, R::of(FRICTION));
        b.offsets.set(i, pushed.with_w(offset.w));
    }
}

/// Where the ball is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// [m].
    pub centre: DVec3,
    /// [m].
    pub radius: f64,
}

/// The buffer through which the host moves the ball.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    buffer: ColumnId,
}

impl Ball {
    /// Adds the ball, which is not there yet.
    pub fn add_buffers(buffers: &mut Tables) -> Result<(), ComputeError> {
        buffers.real4s("ball", Role::Scratch, vec![[0.0; 4]]).map(drop)
    }

    /// The ball of a step that has one.
    pub fn of(buffers: &Tables) -> Option<Self> {
        Some(Self { buffer: buffers.find("ball")? })
    }

    /// Puts the ball somewhere from the next substep on, or takes it away.
    pub fn place(&self, executor: &mut dyn Executor, sphere: Option<Sphere>) -> Result<(), ComputeError> {
        let [x, y, z, r] = sphere.map_or([0.0; 4], |s| s.centre.extend(s.radius).to_array());
        executor.write(self.buffer, &Data::Reals(vec![x, y, z, r]))
    }
}
