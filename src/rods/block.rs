//! Rods as a solver that walks along them sees them: one alone, or several equal ones in the lanes of a register.
//!
//! Rods of one run are copies: their frames and particles follow each other at the same distance, so that lane by lane an
//! element is a constant number of places further on. What a solver keeps while it walks is stored by run, the same vector of
//! all its rods side by side: neighbouring threads then touch neighbouring memory.

use super::solve_chain::Bindings;
use super::{REST, WORK};
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};

/// One rod, or one in each lane. Frames are counted from the rod's own first.
pub trait Block<L: Lane> {
    /// Frames of each rod.
    fn count(&self) -> u32;
    /// The flags of a frame, the same in all lanes.
    fn flags(&self, k: u32) -> u32;
    /// Whether a frame is a wall, in all lanes.
    fn is_wall(&self, k: u32) -> bool;
    /// 1/dt².
    fn per_dt2(&self) -> L;
    /// Position with 1/mass, and offset, of the particle at the near (0) or far (1) end of a frame's segment.
    fn particle(&self, k: u32, end: usize) -> [Vec4<L>; 2];
    fn set_offset(&self, k: u32, end: usize, offset: Vec4<L>);
    fn frame(&self, k: u32) -> Vec4<L>;
    fn turn(&self, k: u32) -> Vec3<L>;
    fn set_turn(&self, k: u32, turn: Vec3<L>);
    fn rest(&self, k: u32, vector: u32) -> Vec4<L>;
    fn work(&self, k: u32, vector: u32) -> Vec4<L>;
    fn set_work(&self, k: u32, vector: u32, value: Vec4<L>);
}

/// One rod.
pub struct One<'a, R: Real> {
    b: &'a Bindings<'a, R>,
    first: u32,
    count: u32,
    work: Work,
}

/// Where a run keeps its vectors.
#[derive(Clone, Copy)]
struct Work {
    /// Of the run's first rod, or of the lanes' first.
    start: u32,
    /// Rods in the run.
    rods: u32,
}

impl Work {
    #[inline(always)]
    fn new([first, count, run, rods]: [u32; 4], rod: u32) -> Self {
        let place = rod - run;
        Self { start: WORK * (first - place * count) + place, rods }
    }

    #[inline(always)]
    fn place(self, k: u32, vector: u32) -> u32 {
        self.start + (WORK * k + vector) * self.rods
    }
}

impl<'a, R: Real> One<'a, R> {
    #[inline(always)]
    pub fn new(b: &'a Bindings<'a, R>, rod: u32) -> Self {
        let record = b.rods[rod as usize];
        Self { b, first: record[0], count: record[1], work: Work::new(record, rod) }
    }
}

impl<R: Real> Block<R> for One<'_, R> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.count
    }
    #[inline(always)]
    fn flags(&self, k: u32) -> u32 {
        self.b.rod_segments[(self.first + k) as usize][2]
    }
    #[inline(always)]
    fn is_wall(&self, k: u32) -> bool {
        let [i, j, ..] = self.b.rod_segments[(self.first + k) as usize];
        i == j
    }
    #[inline(always)]
    fn per_dt2(&self) -> R {
        R::ONE / (self.b.launch.dt * self.b.launch.dt)
    }
    #[inline(always)]
    fn particle(&self, k: u32, end: usize) -> [Vec4<R>; 2] {
        let particle = self.b.rod_segments[(self.first + k) as usize][end];
        [self.b.positions[particle as usize], self.b.offsets.get(particle)]
    }
    #[inline(always)]
    fn set_offset(&self, k: u32, end: usize, offset: Vec4<R>) {
        self.b.offsets.set(self.b.rod_segments[(self.first + k) as usize][end], offset);
    }
    #[inline(always)]
    fn frame(&self, k: u32) -> Vec4<R> {
        self.b.frames[2 * (self.first + k) as usize]
    }
    #[inline(always)]
    fn turn(&self, k: u32) -> Vec3<R> {
        self.b.turns.get(self.first + k).xyz()
    }
    #[inline(always)]
    fn set_turn(&self, k: u32, turn: Vec3<R>) {
        self.b.turns.set(self.first + k, turn.with_w(R::ZERO));
    }
    #[inline(always)]
    fn rest(&self, k: u32, vector: u32) -> Vec4<R> {
        self.b.rod_rest[(REST * (self.first + k) + vector) as usize]
    }
    #[inline(always)]
    fn work(&self, k: u32, vector: u32) -> Vec4<R> {
        self.b.rod_work.get(self.work.place(k, vector))
    }
    #[inline(always)]
    fn set_work(&self, k: u32, vector: u32, value: Vec4<R>) {
        self.b.rod_work.set(self.work.place(k, vector), value);
    }
}

/// As many rods of a run as a register has lanes.
pub struct Many<'a> {
    b: &'a Bindings<'a, f32>,
    first: u32,
    count: u32,
    /// Particles from a rod to the next.
    particles: u32,
    work: Work,
}

impl<'a> Many<'a> {
    /// The rods from this one on; nothing if they are not of one run.
    #[inline(always)]
    pub fn new<L: Lanes>(b: &'a Bindings<'a, f32>, rod: u32) -> Option<Self> {
        let record = b.rods[rod as usize];
        let end = b.rods[rod as usize + L::COUNT - 1];
        let (first, second) = (b.rods[rod as usize][0], b.rods[rod as usize + 1][0]);
        let particle = |frame: u32| b.rod_segments[frame as usize][0];
        (record[2] == end[2]).then(|| Self {
            b,
            first,
            count: record[1],
            particles: particle(second) - particle(first),
            work: Work::new(record, rod),
        })
    }
}

impl<L: Lanes> Block<L> for Many<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.count
    }
    #[inline(always)]
    fn flags(&self, k: u32) -> u32 {
        self.b.rod_segments[(self.first + k) as usize][2]
    }
    #[inline(always)]
    fn is_wall(&self, k: u32) -> bool {
        let [i, j, ..] = self.b.rod_segments[(self.first + k) as usize];
        i == j
    }
    #[inline(always)]
    fn per_dt2(&self) -> L {
        let dt = L::splat(self.b.launch.dt);
        L::ONE / (dt * dt)
    }
    #[inline(always)]
    fn particle(&self, k: u32, end: usize) -> [Vec4<L>; 2] {
        let first = self.b.rod_segments[(self.first + k) as usize][end];
        [
            L::strided(self.b.positions, first, self.particles),
            self.b.offsets.load_vectors(first, self.particles),
        ]
    }
    #[inline(always)]
    fn set_offset(&self, k: u32, end: usize, offset: Vec4<L>) {
        let first = self.b.rod_segments[(self.first + k) as usize][end];
        self.b.offsets.store_vectors(first, self.particles, offset);
    }
    #[inline(always)]
    fn frame(&self, k: u32) -> Vec4<L> {
        L::strided(self.b.frames, 2 * (self.first + k), 2 * self.count)
    }
    #[inline(always)]
    fn turn(&self, k: u32) -> Vec3<L> {
        self.b.turns.load_vectors(self.first + k, self.count).xyz()
    }
    #[inline(always)]
    fn set_turn(&self, k: u32, turn: Vec3<L>) {
        self.b.turns.store_vectors(self.first + k, self.count, turn.with_w(L::ZERO));
    }
    #[inline(always)]
    fn rest(&self, k: u32, vector: u32) -> Vec4<L> {
        L::strided(self.b.rod_rest, REST * (self.first + k) + vector, REST * self.count)
    }
    #[inline(always)]
    fn work(&self, k: u32, vector: u32) -> Vec4<L> {
        self.b.rod_work.load_vectors(self.work.place(k, vector), 1)
    }
    #[inline(always)]
    fn set_work(&self, k: u32, vector: u32, value: Vec4<L>) {
        self.b.rod_work.store_vectors(self.work.place(k, vector), 1, value);
    }
}
