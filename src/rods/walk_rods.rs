//! One iteration on stretch, shear, bending and twist of a rod, by walking along it: [`super::stretch_shear`] and
//! [`super::bend_twist`] in one pass, with their bits. See [`super::walk`].

use super::walk::{Abreast, Alone, Chain, Frame, Path, Point, Reach, walk};
use super::{REST, WORK};
use crate::constraints::iterate::KEEP;
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};
use crate::particles::World;
use std::marker::PhantomData;

crate::kernel! {
    "rods/walk_rods" => walk_rods, lanes walk_rods_lanes, per Walk {
        uniform world: World,
        read rod_walks: uint4,       // first frame, frames, first particle, walls
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; C₀; α [rad/(N m)]; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
        write rod_work: real4,       // λ of the segment [N s²], of the joint [N m s²], …
    }
}

/// `launch.first` is the first rod.
#[inline(always)]
fn walk_rods<R: Real>(b: &Bindings<R>, id: u32) {
    let chain = Chain::one(b.rod_walks[(b.launch.first + id) as usize]);
    walk(&Iteration::<R, Alone> { b, chain, reach: PhantomData });
}

/// As [`walk_rods`], for several rods.
#[inline(always)]
fn walk_rods_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    match Chain::abreast::<L>(b.rod_walks, b.launch.first + id) {
        Some(chain) => walk(&Iteration::<L, Abreast> { b, chain, reach: PhantomData }),
        None => (id..id + L::COUNT as u32).for_each(|id| walk_rods(b, id)),
    }
}

struct Iteration<'a, L: Lane, A: Reach<L>> {
    b: &'a Bindings<'a, A::Number>,
    chain: Chain,
    reach: PhantomData<(L, A)>,
}

impl<L: Lane, A: Reach<L>> Iteration<'_, L, A> {
    /// Where λ is.
    #[inline(always)]
    fn work(&self, k: u32, which: u32) -> (u32, u32) {
        (WORK * (self.chain.frame + k) + which, WORK * self.chain.frames_apart)
    }
}

impl<L: Lane, A: Reach<L>> Path<L> for Iteration<'_, L, A> {
    #[inline(always)]
    fn chain(&self) -> &Chain {
        &self.chain
    }
    #[inline(always)]
    fn per_dt2(&self) -> L {
        let dt = A::number(self.b.launch.dt);
        L::ONE / (dt * dt)
    }
    #[inline(always)]
    fn relaxation(&self) -> L {
        A::number(self.b.world.relaxation)
    }
    #[inline(always)]
    fn point(&self, i: u32) -> Point<L> {
        let (at, apart) = (self.chain.point + i, self.chain.points_apart);
        Point { x: A::read(self.b.positions, at, apart), offset: A::get(&self.b.offsets, at, apart) }
    }
    #[inline(always)]
    fn leave_point(&self, i: u32, point: Point<L>) {
        A::set(&self.b.offsets, self.chain.point + i, self.chain.points_apart, point.offset);
    }
    #[inline(always)]
    fn frame(&self, k: u32) -> Frame<L> {
        let (at, apart) = (self.chain.frame + k, self.chain.frames_apart);
        Frame {
            q: A::read(self.b.frames, 2 * at, 2 * apart),
            turn: A::get(&self.b.turns, at, apart).xyz(),
            inverse_inertia: self.rest(k, 3).xyz(),
        }
    }
    #[inline(always)]
    fn leave_frame(&self, k: u32, frame: Frame<L>) {
        let at = self.chain.frame + k;
        A::set(&self.b.turns, at, self.chain.frames_apart, frame.turn.with_w(L::ZERO));
    }
    #[inline(always)]
    fn rest(&self, k: u32, vector: u32) -> Vec4<L> {
        A::read(self.b.rod_rest, REST * (self.chain.frame + k) + vector, REST * self.chain.frames_apart)
    }
    #[inline(always)]
    fn multiplier(&self, k: u32, which: u32) -> Vec3<L> {
        let (at, apart) = self.work(k, which);
        if self.b.launch.index > 0 { A::get(&self.b.rod_work, at, apart).xyz() } else { Vec3::ZERO }
    }
    #[inline(always)]
    fn keep_multiplier(&self, k: u32, which: u32, lambda: Vec3<L>) {
        let (at, apart) = self.work(k, which);
        if self.b.launch.flags & KEEP != 0 {
            A::set(&self.b.rod_work, at, apart, lambda.with_w(L::ZERO));
        }
    }
}
