//! Several numbers at once: a law written over [`Lane`] runs on one f32, one f64, or on four or eight f32 in a register.
//!
//! IEEE arithmetic, square root included, is the same to the bit in every lane as on a scalar, and nothing here is
//! contracted to fused multiply-adds. A pass in lanes therefore gives the bits of its scalar twin, which stays the
//! specification and the proof.
//!
//! The lane types hold real vector registers: arrays of f32 are taken apart by the compiler before it could
//! vectorise them, and run at half the speed of scalar code.

use super::Vec4;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Range, Sub};

/// A number, or as many as a register holds.
pub trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The answer to a comparison, one per number.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask>;

    const ZERO: Self;
    const ONE: Self;
    /// The distance from 1 to the next larger number.
    const EPSILON: Self;

    /// The nearest value to `x`, in every lane.
    fn constant(x: f64) -> Self;
    fn sqrt(self) -> Self;
    /// self > other
    fn above(self, other: Self) -> Self::Mask;
    /// self < other
    fn below(self, other: Self) -> Self::Mask;
    /// `if condition { yes } else { no }`, written so that both sides are values, as WGSL's `select`.
    fn select(condition: Self::Mask, yes: Self, no: Self) -> Self;

    /// The larger of two.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(self.above(other), self, other)
    }
}

/// How many invocations of a kernel run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// The scalar twin.
    One,
    /// SSE2, which every x86-64 processor has.
    Four,
    /// AVX2.
    Eight,
}

impl Width {
    /// The most this processor can do.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        return if std::arch::is_x86_feature_detected!("avx2") { Self::Eight } else { Self::Four };
        #[cfg(not(target_arch = "x86_64"))]
        return Self::One;
    }
}

/// The most lanes of any type; sliced buffers pad to it.
pub const MOST: usize = 8;

/// Where the lanes of a block are in a buffer; the first [`Lanes::COUNT`] count.
#[derive(Clone, Copy)]
pub struct Places {
    at: [u32; MOST],
    /// All lanes are below.
    end: usize,
}

impl Places {
    /// The places of a block in buffers of at least `end` elements.
    ///
    /// One comparison per lane here makes every later gather and scatter safe without looking again.
    #[inline(always)]
    pub fn new<L: Lanes>(end: usize, place: impl Fn(usize) -> u32) -> Self {
        let mut at = [0; MOST];
        let mut largest = 0;
        for (lane, at) in at.iter_mut().enumerate().take(L::COUNT) {
            *at = place(lane);
            largest = largest.max(*at);
        }
        assert!((largest as usize) < end, "index {largest} is outside a buffer of {end} elements");
        Self { at, end }
    }

    #[inline(always)]
    pub fn lane(&self, lane: usize) -> u32 {
        self.at[lane]
    }

    /// Panics unless a buffer of this length holds all lanes; the same for all blocks of a pass, so it costs nothing.
    #[inline(always)]
    pub fn assert_within(&self, len: usize) {
        assert!(
            len >= self.end,
            "a buffer of {len} elements is shorter than the {} it was checked for",
            self.end
        );
    }
}

/// Where the lanes of a block are in a buffer, if that may be at even distances.
#[derive(Clone, Copy)]
pub enum Spread {
    /// All lanes count, the first one at `first`, each `step` further than the one before.
    Even {
        first: u32,
        step: u32,
    },
    Each(Places),
}

impl Spread {
    /// Even distances from `first` on if `even`, else the places of a block in buffers of at least `end` elements.
    #[inline(always)]
    pub fn new<L: Lanes>(
        even: bool,
        [first, step]: [u32; 2],
        end: usize,
        place: impl Fn(usize) -> u32,
    ) -> Self {
        if even { Self::Even { first, step } } else { Self::Each(Places::new::<L>(end, place)) }
    }
}

/// Several f32 in a register, and their ways from and to memory.
pub trait Lanes: Lane {
    const COUNT: usize;

    fn splat(x: f32) -> Self;
    /// The first [`Lanes::COUNT`] numbers; panics if there are fewer.
    fn load(from: &[f32]) -> Self;
    /// The first pairs, taken apart.
    fn load_pairs(from: &[[f32; 2]]) -> [Self; 2];
    /// One pair per lane, taken apart.
    fn pairs<'a>(pair: impl Fn(usize) -> &'a [f32; 2]) -> [Self; 2];
    /// One 4-vector per lane, taken apart. References, because by value they would come number by number.
    fn vectors<'a>(vector: impl Fn(usize) -> &'a Vec4<f32>) -> Vec4<Self>;
    /// Replaces one 4-vector per lane, put together again, in the order of the lanes.
    ///
    /// # Safety
    /// Each pointer must be valid for writing.
    unsafe fn set_vectors(vectors: Vec4<Self>, to: impl Fn(usize) -> *mut Vec4<f32>);
    /// Replaces the first numbers; panics if there are fewer than lanes.
    fn store(self, to: &mut [f32]);
    /// One bit per lane, the first lowest.
    fn bits(mask: Self::Mask) -> u32;

    /// Whether the answer is yes in all lanes.
    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        Self::bits(mask) == (1 << Self::COUNT) - 1
    }

    /// The answers to a question about each lane.
    #[inline(always)]
    fn mask(answer: impl Fn(usize) -> bool) -> Self::Mask {
        let mut numbers = [0.0; MOST];
        for (lane, number) in numbers.iter_mut().enumerate().take(Self::COUNT) {
            *number = f32::from(u8::from(answer(lane)));
        }
        Self::load(&numbers).above(Self::ZERO)
    }

    /// Every `step`-th 4-vector, one per lane, from `first` on.
    #[inline(always)]
    fn strided(from: &[Vec4<f32>], first: u32, step: u32) -> Vec4<Self> {
        let end = first as usize + (Self::COUNT - 1) * step as usize;
        assert!(end < from.len(), "lanes {first} to {end} are outside a buffer of {} elements", from.len());
        // SAFETY: the last lane is within.
        Self::vectors(|lane| unsafe { from.get_unchecked(first as usize + lane * step as usize) })
    }

    /// The 4-vectors where the lanes are.
    #[inline(always)]
    fn spread(from: &[Vec4<f32>], spread: &Spread) -> Vec4<Self> {
        match spread {
            Spread::Even { first, step } => Self::strided(from, *first, *step),
            Spread::Each(places) => Self::gather(from, places),
        }
    }

    /// The 4-vectors at the lanes' places.
    #[inline(always)]
    fn gather(from: &[Vec4<f32>], places: &Places) -> Vec4<Self> {
        places.assert_within(from.len());
        // SAFETY: every place is below `places.end`, and the slice is at least that long.
        Self::vectors(|lane| unsafe { from.get_unchecked(places.at[lane] as usize) })
    }
}

/// A kernel as [`run`] sees it: blocks of invocations, and single ones for what is left over.
pub trait Blocks {
    /// The invocations `first .. first + L::COUNT`.
    fn block<L: Lanes>(&self, first: u32);
    /// One invocation: the scalar twin.
    fn single(&self, id: u32);
}

/// Runs a range of invocations in blocks, from the first one on.
#[inline]
pub fn run<B: Blocks>(blocks: &B, range: Range<u32>, width: Width) {
    match width {
        #[cfg(target_arch = "x86_64")]
        Width::Eight if std::arch::is_x86_feature_detected!("avx2") => {
            // SAFETY: the processor has AVX2.
            unsafe { run_avx2(blocks, range) }
        }
        #[cfg(target_arch = "x86_64")]
        Width::Four | Width::Eight => run_as::<super::lane_x86::Four, B>(blocks, range),
        _ => range.for_each(|id| blocks.single(id)),
    }
}

/// Eight lanes, and four for what is left. All of a block is inlined here, so that it is compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<B: Blocks>(blocks: &B, range: Range<u32>) {
    let left = run_blocks::<super::lane_x86::Eight, B>(blocks, range);
    run_as::<super::lane_x86::Four, B>(blocks, left);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn run_as<L: Lanes, B: Blocks>(blocks: &B, range: Range<u32>) {
    run_blocks::<L, B>(blocks, range).for_each(|id| blocks.single(id));
}

/// Runs whole blocks and returns what is left.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn run_blocks<L: Lanes, B: Blocks>(blocks: &B, range: Range<u32>) -> Range<u32> {
    let count = L::COUNT as u32;
    let mut id = range.start;
    while range.end - id >= count {
        blocks.block::<L>(id);
        id += count;
    }
    id..range.end
}
