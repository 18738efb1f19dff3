//! Projects the constraints of a rod while walking along it once. Twin of `shaders/common/walk.wgsl`.
//!
//! [`super::stretch_shear`] and [`super::bend_twist`] take every second segment, the others, every second joint, the others:
//! four passes, each of which loads and stores what it touches. A constraint only knows its neighbours, so a walk that is
//! two segments ahead with the first of them can do the others right behind it:
//!
//!   segment 2t, segment 2t − 1, joint 2t − 2, joint 2t − 3      for t = 0, 1, …
//!
//! Each constraint still sees what the four passes would have shown it, so the bits are theirs, and every particle and
//! frame is loaded once and left once. Walks are for machines with few cores, of which each takes a rod per lane.

use super::{bend_twist, stretch_shear};
use crate::compute::Shared;
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};
use std::ops::Range;

/// The flag in `rod_walks` of a rod that begins with a wall.
pub const HEAD: u32 = 1;
/// The flag of a rod that ends with one.
pub const TAIL: u32 = 2;

/// A particle on the way.
#[derive(Clone, Copy)]
pub struct Point<L> {
    /// xyz [m], w = 1/mass [1/kg].
    pub x: Vec4<L>,
    /// xyz [m], w = the solver's 1/mass.
    pub offset: Vec4<L>,
}

/// A frame on the way.
#[derive(Clone, Copy)]
pub struct Frame<L> {
    pub q: Vec4<L>,
    /// The turn of this substep.
    pub turn: Vec3<L>,
    /// [1/(kg m²)].
    pub inverse_inertia: Vec3<L>,
}

impl<L: Lane> Point<L> {
    const NONE: Self = Self { x: Vec4::ZERO, offset: Vec4::ZERO };
}

impl<L: Lane> Frame<L> {
    const NONE: Self = Self { q: Vec4::ZERO, turn: Vec3::ZERO, inverse_inertia: Vec3::ZERO };
}

/// What a walk sees of a rod, or of one in each lane. Particles and frames are counted from the rod's own first.
pub trait Path<L: Lane> {
    fn chain(&self) -> &Chain;
    fn per_dt2(&self) -> L;
    fn relaxation(&self) -> L;
    fn point(&self, i: u32) -> Point<L>;
    fn leave_point(&self, i: u32, point: Point<L>);
    fn frame(&self, k: u32) -> Frame<L>;
    fn leave_frame(&self, k: u32, frame: Frame<L>);
    /// A vector of `rod_rest`.
    fn rest(&self, k: u32, vector: u32) -> Vec4<L>;
    /// λ of a frame's segment (0) or joint (1).
    fn multiplier(&self, k: u32, which: u32) -> Vec3<L>;
    fn keep_multiplier(&self, k: u32, which: u32, lambda: Vec3<L>);
}

/// Walks along a rod and projects each of its constraints once.
#[inline(always)]
pub fn walk<L: Lane>(path: &impl Path<L>) {
    let chain = path.chain();
    let (count, segments) = (chain.count, chain.segments());
    let mut carried = Point::NONE;
    let mut behind = [Frame::NONE; 2];
    for t in 0..count / 2 + 2 {
        let even = 2 * t;
        let odd = even.wrapping_sub(1);
        let mut second = if odd < count { path.frame(odd) } else { Frame::NONE };
        let mut first = if even < count { path.frame(even) } else { Frame::NONE };
        // The particle between the two segments.
        let between = even.wrapping_sub(segments.start);
        let mut near = Point::NONE;
        let mut far = Point::NONE;
        let is_carried = segments.contains(&even.wrapping_sub(2));
        if segments.contains(&even) || segments.contains(&odd) {
            near = path.point(between);
        }
        if segments.contains(&even) {
            far = path.point(between + 1);
            stretch(path, even, [&mut near, &mut far], &mut first);
        }
        if segments.contains(&odd) {
            if !is_carried {
                carried = path.point(between - 1);
            }
            stretch(path, odd, [&mut carried, &mut near], &mut second);
        }
        if is_carried || segments.contains(&odd) {
            path.leave_point(between.wrapping_sub(1), carried);
        }
        if segments.contains(&even) || segments.contains(&odd) {
            path.leave_point(between, near);
        }
        carried = far;
        let [mut before, mut middle] = behind;
        if t > 0 && odd < count {
            bend(path, even - 2, [&mut middle, &mut second]);
        }
        if t > 1 && even - 2 < count {
            bend(path, even - 3, [&mut before, &mut middle]);
        }
        if t > 1 && even - 3 < count {
            path.leave_frame(even - 3, before);
        }
        if t > 0 && even - 2 < count {
            path.leave_frame(even - 2, middle);
        }
        behind = [second, first];
    }
}

/// Projects a segment.
#[inline(always)]
fn stretch<L: Lane>(path: &impl Path<L>, k: u32, [near, far]: [&mut Point<L>; 2], frame: &mut Frame<L>) {
    let ends = [(near.x, near.offset), (far.x, far.offset)];
    let lambda = path.multiplier(k, 0);
    let moved = stretch_shear::projected(
        ends,
        (frame.q, frame.turn, frame.inverse_inertia),
        path.rest(k, 0),
        [path.per_dt2(), path.relaxation()],
        lambda,
    );
    path.keep_multiplier(k, 0, lambda + moved.change);
    [near.offset, far.offset] = moved.offsets;
    frame.turn = moved.turn;
}

/// Projects the joint from a frame to the next.
#[inline(always)]
fn bend<L: Lane>(path: &impl Path<L>, k: u32, [first, second]: [&mut Frame<L>; 2]) {
    let lambda = path.multiplier(k, 1);
    let moved = bend_twist::projected(
        [first.q, second.q],
        [first.turn, second.turn],
        [first.inverse_inertia, second.inverse_inertia],
        [path.rest(k, 1).xyz(), path.rest(k, 2).xyz()],
        [path.per_dt2(), path.relaxation()],
        lambda,
    );
    path.keep_multiplier(k, 1, lambda + moved.change);
    [first.turn, second.turn] = moved.turns;
}

/// Where the rods of a walk are, from an entry of `rod_walks`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// The first frame and particle, of the first lane.
    pub frame: u32,
    pub point: u32,
    /// Frames.
    pub count: u32,
    walls: u32,
    /// Frames and particles from one lane to the next.
    pub frames_apart: u32,
    pub points_apart: u32,
}

impl Chain {
    /// One rod.
    #[inline(always)]
    pub fn one([frame, count, point, walls]: [u32; 4]) -> Self {
        Self { frame, point, count, walls, frames_apart: 0, points_apart: 0 }
    }

    /// As many rods as there are lanes; nothing if they differ by more than where they are, or are not at equal distances.
    #[inline(always)]
    pub fn abreast<L: Lanes>(walks: &[[u32; 4]], rod: u32) -> Option<Self> {
        let walks = &walks[rod as usize..rod as usize + L::COUNT];
        let [first, second] = [walks[0], walks[1]];
        let apart = [second[0].wrapping_sub(first[0]), second[2].wrapping_sub(first[2])];
        let place = |lane: u32| {
            let ahead = |k: usize| apart[k].wrapping_mul(lane);
            [first[0].wrapping_add(ahead(0)), first[1], first[2].wrapping_add(ahead(1)), first[3]]
        };
        (0..).zip(walks).all(|(lane, walk)| *walk == place(lane)).then(|| Self {
            frames_apart: apart[0],
            points_apart: apart[1],
            ..Self::one(first)
        })
    }

    /// The frames that stand for a segment.
    #[inline(always)]
    fn segments(&self) -> Range<u32> {
        (self.walls & HEAD)..self.count - (self.walls & TAIL) / TAIL
    }
}

/// How a walk gets at the elements of buffers.
pub trait Reach<L: Lane> {
    /// What buffers hold.
    type Number: Real;

    fn number(x: Self::Number) -> L;
    /// The element at a place, of each lane so much further on.
    fn read(from: &[Vec4<Self::Number>], at: u32, apart: u32) -> Vec4<L>;
    fn get(from: &Shared<'_, Vec4<Self::Number>>, at: u32, apart: u32) -> Vec4<L>;
    fn set(to: &Shared<'_, Vec4<Self::Number>>, at: u32, apart: u32, value: Vec4<L>);
}

/// One rod.
pub struct Alone;

impl<R: Real> Reach<R> for Alone {
    type Number = R;

    #[inline(always)]
    fn number(x: R) -> R {
        x
    }
    #[inline(always)]
    fn read(from: &[Vec4<R>], at: u32, _: u32) -> Vec4<R> {
        from[at as usize]
    }
    #[inline(always)]
    fn get(from: &Shared<'_, Vec4<R>>, at: u32, _: u32) -> Vec4<R> {
        from.get(at)
    }
    #[inline(always)]
    fn set(to: &Shared<'_, Vec4<R>>, at: u32, _: u32, value: Vec4<R>) {
        to.set(at, value);
    }
}

/// A rod in each lane.
pub struct Abreast;

impl<L: Lanes> Reach<L> for Abreast {
    type Number = f32;

    #[inline(always)]
    fn number(x: f32) -> L {
        L::splat(x)
    }
    #[inline(always)]
    fn read(from: &[Vec4<f32>], at: u32, apart: u32) -> Vec4<L> {
        L::strided(from, at, apart)
    }
    #[inline(always)]
    fn get(from: &Shared<'_, Vec4<f32>>, at: u32, apart: u32) -> Vec4<L> {
        from.load_vectors(at, apart)
    }
    #[inline(always)]
    fn set(to: &Shared<'_, Vec4<f32>>, at: u32, apart: u32, value: Vec4<L>) {
        to.store_vectors(at, apart, value);
    }
}
