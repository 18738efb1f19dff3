//! A whole substep of rods that nothing else touches, with one iteration, by walking along each of them once:
//! `predict`, [`super::predict_frames`], [`super::walk_rods`], `finish` and [`super::finish_frames`], with their bits.
//!
//! What passes between those five stays in registers, and a step of a hundred rods no longer is fifty passes of which
//! each waits for the one before. See [`super::walk`].

use super::walk::{Abreast, Alone, Chain, Frame, Path, Point, Reach, walk};
use super::{REST, finish_frames, predict_frames};
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};
use crate::particles::{World, finish, predict};
use std::marker::PhantomData;

crate::kernel! {
    "rods/step_rods" => step_rods, lanes step_rods_lanes, per Walk {
        uniform world: World,
        read rod_walks: uint4,       // first frame, frames, first particle, walls
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; C₀; α [rad/(N m)]; inverse inertia [1/(kg m²)]
        write frames: real4,         // unit quaternion, then the turn that rounding kept from it
        write spins: real4,          // xyz [rad/s], about the frame's axes
        write positions: real4,      // xyz [m], w = 1/mass [1/kg]
        write residuals: real4,      // xyz [m], w = multiplicity
        write velocities: real4,     // xyz [m/s]
        write clock: uint,           // substeps done
    }
}

#[inline(always)]
fn step_rods<R: Real>(b: &Bindings<R>, id: u32) {
    if id == 0 {
        b.clock.set(0, b.clock.get(0).wrapping_add(1));
    }
    walk(&Substep::<R, Alone> { b, chain: Chain::one(b.rod_walks[id as usize]), reach: PhantomData });
}

/// As [`step_rods`], for several rods.
#[inline(always)]
fn step_rods_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let Some(chain) = Chain::abreast::<L>(b.rod_walks, id) else {
        return (id..id + L::COUNT as u32).for_each(|id| step_rods(b, id));
    };
    if id == 0 {
        b.clock.set(0, b.clock.get(0).wrapping_add(1));
    }
    walk(&Substep::<L, Abreast> { b, chain, reach: PhantomData });
}

struct Substep<'a, L: Lane, A: Reach<L>> {
    b: &'a Bindings<'a, A::Number>,
    chain: Chain,
    reach: PhantomData<(L, A)>,
}

impl<L: Lane, A: Reach<L>> Substep<'_, L, A> {
    #[inline(always)]
    fn dt(&self) -> L {
        A::number(self.b.world.dt)
    }
}

impl<L: Lane, A: Reach<L>> Path<L> for Substep<'_, L, A> {
    #[inline(always)]
    fn chain(&self) -> &Chain {
        &self.chain
    }
    #[inline(always)]
    fn per_dt2(&self) -> L {
        L::ONE / (self.dt() * self.dt())
    }
    #[inline(always)]
    fn relaxation(&self) -> L {
        A::number(self.b.world.relaxation)
    }
    #[inline(always)]
    fn point(&self, i: u32) -> Point<L> {
        let (at, apart) = (self.chain.point + i, self.chain.points_apart);
        let x = A::get(&self.b.positions, at, apart);
        let residual = A::get(&self.b.residuals, at, apart);
        let g = self.b.world.gravity;
        let gravity = Vec3::new(A::number(g.x), A::number(g.y), A::number(g.z));
        let factors = [self.dt(), A::number(self.b.world.keep)];
        let v = predict::advance(A::get(&self.b.velocities, at, apart), x.w, gravity, factors);
        Point { x, offset: predict::offset(residual, v, x.w, self.dt()), residual }
    }
    #[inline(always)]
    fn leave_point(&self, i: u32, point: Point<L>) {
        let (at, apart) = (self.chain.point + i, self.chain.points_apart);
        let (x, residual, v) = finish::finished(point.x, point.residual, point.offset.xyz(), self.dt());
        A::set(&self.b.velocities, at, apart, v.with_w(L::ZERO));
        A::set(&self.b.residuals, at, apart, residual);
        A::set(&self.b.positions, at, apart, x);
    }
    #[inline(always)]
    fn frame(&self, k: u32) -> Frame<L> {
        let (at, apart) = (self.chain.frame + k, self.chain.frames_apart);
        let residual = A::get(&self.b.frames, 2 * at + 1, 2 * apart).xyz();
        let inertia = self.rest(k, 3);
        let factors = [self.dt(), A::number(self.b.world.keep)];
        let spin = A::get(&self.b.spins, at, apart).xyz();
        let (_, turn) = predict_frames::predicted(spin, inertia, residual, factors);
        let q = A::get(&self.b.frames, 2 * at, 2 * apart);
        Frame { q, residual, turn, inverse_inertia: inertia.xyz() }
    }
    #[inline(always)]
    fn leave_frame(&self, k: u32, frame: Frame<L>) {
        let (at, apart) = (self.chain.frame + k, self.chain.frames_apart);
        let (spin, q, residual) = finish_frames::finished(frame.q, frame.residual, frame.turn, self.dt());
        A::set(&self.b.spins, at, apart, spin.with_w(L::ZERO));
        A::set(&self.b.frames, 2 * at + 1, 2 * apart, residual.with_w(L::ZERO));
        A::set(&self.b.frames, 2 * at, 2 * apart, q);
    }
    #[inline(always)]
    fn rest(&self, k: u32, vector: u32) -> Vec4<L> {
        A::read(self.b.rod_rest, REST * (self.chain.frame + k) + vector, REST * self.chain.frames_apart)
    }
    #[inline(always)]
    fn multiplier(&self, _: u32, _: u32) -> Vec3<L> {
        Vec3::ZERO
    }
    #[inline(always)]
    fn keep_multiplier(&self, _: u32, _: u32, _: Vec3<L>) {}
}
