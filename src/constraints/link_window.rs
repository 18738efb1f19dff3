//! Projects the links of a walk while going from particle to particle, the last thirteen at hand. Twin of
//! `shaders/common/link_window.wgsl`.
//!
//! A coloured pass loads and stores both ends of every link. A walk loads a particle when it comes to it, stores it when the
//! thirteenth after it has come, and in between projects its links with particles that are one to five or eight steps away:
//! a grid's particles are visited twice for twelve link ends.
//!
//! In each round there is a link of each span, at ages of which no two are the same, so that six links are projected at once
//! (such an arrangement of the spans 1 to n is a sequence of Skolem, 1957):
//!
//!   age    0 1 2 3 4 5 6 7 8 9 10 11 12
//!   span   8 5 2 4 2 - 5 4 8 3  1  1  3
//!
//! Walks are for software adapters, where a store costs as much as projecting two links and a pass as much as thousands:
//! see [`crate::solver::Cores`]. The constraint is [`super::distance`].

use super::distance::project;
use super::link_walks::{ABREAST, AGES, HELD, NOBODY, REST, SPANS, rest_place};
use crate::compute::Shared;
use crate::math::{Real, Vec3, Vec4};
use crate::particles::World;

/// λ of the links of a cell, by span [N s²].
pub type Lambdas<R> = [R; SPANS.len()];

/// What the links of each cell have applied in this substep.
pub trait Applied<R> {
    fn of(&self, cell: u32) -> Lambdas<R>;
    fn keep(&self, cell: u32, next: Lambdas<R>);
}

/// The only iteration starts from nothing, and nobody asks what it has applied.
pub struct Nothing;

impl<R: Real> Applied<R> for Nothing {
    #[inline(always)]
    fn of(&self, _: u32) -> Lambdas<R> {
        [R::ZERO; SPANS.len()]
    }
    #[inline(always)]
    fn keep(&self, _: u32, _: Lambdas<R>) {}
}

/// What a walk sees.
pub struct Ground<'a, R> {
    pub world: World<R>,
    pub nodes: &'a [u32],
    pub rests: &'a [Vec4<R>],
    pub offsets: Shared<'a, Vec4<R>>,
}

#[derive(Clone, Copy)]
struct Point<R> {
    /// xyz [m], w = 1/mass [1/kg], also for the solver.
    x: Vec4<R>,
    offset: Vec3<R>,
    particle: u32,
}

impl<R: Real> Ground<'_, R> {
    /// Walks from a cell on. `position` gives x and 1/mass of a particle.
    #[inline(always)]
    pub fn walk(
        &self,
        [first, rounds]: [u32; 2],
        position: impl Fn(u32) -> Vec4<R>,
        applied: &impl Applied<R>,
    ) {
        let nobody = Point { x: Vec4::ZERO, offset: Vec3::ZERO, particle: 0 };
        let mut held = [nobody; HELD];
        for t in 0..rounds {
            let cell = first + ABREAST as u32 * t;
            let aged = |age: usize| (t as usize + HELD - age) % HELD;
            let next = &mut held[aged(0)];
            // One that cannot move may be at hand elsewhere, too.
            if next.x.w > R::ZERO {
                self.offsets.set(next.particle, next.offset.with_w(next.x.w));
            }
            let node = self.nodes[cell as usize];
            // Nothing of a particle that another walk may be changing, or that has become non-finite, may get in here.
            *next = match node {
                NOBODY => nobody,
                _ => Point { x: position(node), offset: self.offsets.get(node).xyz(), particle: node },
            };
            let rest: [[R; 4]; REST] =
                std::array::from_fn(|k| self.rests[REST * cell as usize + k].to_array());
            let mut lambda = applied.of(cell);
            for (span, [far, near]) in AGES.into_iter().enumerate() {
                let [mut near_point, mut far_point] = [held[aged(near)], held[aged(far)]];
                let ends = [&mut near_point, &mut far_point];
                let rest = [0, 1, 2].map(|what| {
                    let [vector, component] = rest_place(span, what);
                    rest[vector][component]
                });
                lambda[span] += self.link(ends, rest, lambda[span]);
                [held[aged(near)], held[aged(far)]] = [near_point, far_point];
            }
            applied.keep(cell, lambda);
        }
    }

    /// Projects the link between two particles at hand; returns Δλ.
    #[inline(always)]
    fn link(&self, [near, far]: [&mut Point<R>; 2], rest: [R; 3], lambda: R) -> R {
        let [rest_length, stretched, compressed] = rest;
        let (wi, wj) = (near.x.w, far.x.w);
        let d = (far.x.xyz() - near.x.xyz()) + (far.offset - near.offset);
        // Links that are not there have a negative length.
        let w = R::select(rest_length >= R::ZERO, wi + wj, R::ZERO);
        let (push, change) = project(d, w, rest_length, [stretched, compressed], lambda, self.world.dt);
        let push = push * self.world.relaxation;
        near.offset -= push * wi;
        far.offset += push * wj;
        change * self.world.relaxation
    }
}
