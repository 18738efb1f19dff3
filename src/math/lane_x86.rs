//! Lanes in the registers of x86-64: four in SSE2, eight in AVX2.
//!
//! Everything on the way from `run_avx2` to an intrinsic must be inlined, or it is compiled without AVX2 and calls each
//! intrinsic as a function, ten times slower. So registers are never touched inside of a closure nor of `array::map`,
//! which cannot be marked `inline(always)`; closures here only take and return plain f32.

use super::Vec4;
use super::lane::{Lane, Lanes};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Four f32 in an SSE register.
#[derive(Clone, Copy)]
pub struct Four(__m128);

/// Eight f32 in an AVX register. Made only inside of [`super::lane::run`], which has checked for AVX2: that is what
/// makes the intrinsics below sound.
#[derive(Clone, Copy)]
pub struct Eight(__m256);

macro_rules! operators {
    ($type:ident, $(($trait:ident, $method:ident, $intrinsic:ident)),*) => {
        $(
            impl $trait for $type {
                type Output = Self;
                #[inline(always)]
                fn $method(self, b: Self) -> Self {
                    // SAFETY: see the type.
                    Self(unsafe { $intrinsic(self.0, b.0) })
                }
            }
        )*
    };
}

operators!(
    Four,
    (Add, add, _mm_add_ps),
    (Sub, sub, _mm_sub_ps),
    (Mul, mul, _mm_mul_ps),
    (Div, div, _mm_div_ps),
    (BitAnd, bitand, _mm_and_ps),
    (BitOr, bitor, _mm_or_ps)
);
operators!(
    Eight,
    (Add, add, _mm256_add_ps),
    (Sub, sub, _mm256_sub_ps),
    (Mul, mul, _mm256_mul_ps),
    (Div, div, _mm256_div_ps),
    (BitAnd, bitand, _mm256_and_ps),
    (BitOr, bitor, _mm256_or_ps)
);

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_xor_ps(self.0, _mm_set1_ps(-0.0)) })
    }
}

impl Neg for Eight {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Lane for Four {
    type Mask = Self;
    // SAFETY: four f32 are the memory of the register.
    const ZERO: Self = Self(unsafe { std::mem::transmute::<[f32; 4], __m128>([0.0; 4]) });
    // SAFETY: as above.
    const ONE: Self = Self(unsafe { std::mem::transmute::<[f32; 4], __m128>([1.0; 4]) });
    // SAFETY: as above.
    const EPSILON: Self = Self(unsafe { std::mem::transmute::<[f32; 4], __m128>([f32::EPSILON; 4]) });

    #[inline(always)]
    fn constant(x: f64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_set1_ps(x as f32) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_cmpgt_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_cmplt_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn select(condition: Self, yes: Self, no: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_or_ps(_mm_and_ps(condition.0, yes.0), _mm_andnot_ps(condition.0, no.0)) })
    }
}

impl Lane for Eight {
    type Mask = Self;
    // SAFETY: eight f32 are the memory of the register.
    const ZERO: Self = Self(unsafe { std::mem::transmute::<[f32; 8], __m256>([0.0; 8]) });
    // SAFETY: as above.
    const ONE: Self = Self(unsafe { std::mem::transmute::<[f32; 8], __m256>([1.0; 8]) });
    // SAFETY: as above.
    const EPSILON: Self = Self(unsafe { std::mem::transmute::<[f32; 8], __m256>([f32::EPSILON; 8]) });

    #[inline(always)]
    fn constant(x: f64) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_set1_ps(x as f32) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(condition: Self, yes: Self, no: Self) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_blendv_ps(no.0, yes.0, condition.0) })
    }
}

/// A 4-vector as a register.
#[inline(always)]
fn register(v: &Vec4<f32>) -> __m128 {
    // SAFETY: SSE2 is part of x86-64; the vector is four f32 in a row.
    unsafe { _mm_loadu_ps((&raw const *v).cast()) }
}

/// Two pairs as a register.
#[inline(always)]
fn two_pairs(a: &[f32; 2], b: &[f32; 2]) -> __m128 {
    // SAFETY: SSE2 is part of x86-64; a pair is eight bytes.
    unsafe {
        let (a, b) = ((&raw const *a).cast(), (&raw const *b).cast());
        _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(a), b))
    }
}

/// The halves of an [`Eight`].
#[inline(always)]
fn join(low: __m128, high: __m128) -> __m256 {
    // SAFETY: see `Eight`.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high) }
}

#[inline(always)]
fn low(r: __m256) -> __m128 {
    // SAFETY: see `Eight`.
    unsafe { _mm256_castps256_ps128(r) }
}

#[inline(always)]
fn high(r: __m256) -> __m128 {
    // SAFETY: see `Eight`.
    unsafe { _mm256_extractf128_ps::<1>(r) }
}

#[inline(always)]
fn transpose4([a, b, c, d]: [__m128; 4]) -> [__m128; 4] {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let (t0, t1) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let (t2, t3) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        [_mm_movelh_ps(t0, t2), _mm_movehl_ps(t2, t0), _mm_movelh_ps(t1, t3), _mm_movehl_ps(t3, t1)]
    }
}

/// Transposes both halves; only for [`Eight`].
#[inline(always)]
fn transpose8([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: see `Eight`.
    unsafe {
        let (t0, t1) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (t2, t3) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0x44>(t0, t2),
            _mm256_shuffle_ps::<0xEE>(t0, t2),
            _mm256_shuffle_ps::<0x44>(t1, t3),
            _mm256_shuffle_ps::<0xEE>(t1, t3),
        ]
    }
}

impl Lanes for Four {
    const COUNT: usize = 4;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_set1_ps(x) })
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        let from = &from[..4];
        // SAFETY: there are four numbers.
        Self(unsafe { _mm_loadu_ps(from.as_ptr()) })
    }

    #[inline(always)]
    fn load_pairs(from: &[[f32; 2]]) -> [Self; 2] {
        let from = &from[..4];
        Self::pairs(|lane| &from[lane])
    }

    #[inline(always)]
    fn pairs<'a>(pair: impl Fn(usize) -> &'a [f32; 2]) -> [Self; 2] {
        let (a, b) = (two_pairs(pair(0), pair(1)), two_pairs(pair(2), pair(3)));
        // SAFETY: SSE2 is part of x86-64.
        unsafe { [Self(_mm_shuffle_ps::<0x88>(a, b)), Self(_mm_shuffle_ps::<0xDD>(a, b))] }
    }

    #[inline(always)]
    fn vectors<'a>(vector: impl Fn(usize) -> &'a Vec4<f32>) -> Vec4<Self> {
        let [x, y, z, w] =
            transpose4([register(vector(0)), register(vector(1)), register(vector(2)), register(vector(3))]);
        Vec4 { x: Self(x), y: Self(y), z: Self(z), w: Self(w) }
    }

    #[inline(always)]
    unsafe fn set_vectors(v: Vec4<Self>, to: impl Fn(usize) -> *mut Vec4<f32>) {
        let [a, b, c, d] = transpose4([v.x.0, v.y.0, v.z.0, v.w.0]);
        // SAFETY: SSE2 is part of x86-64, and the caller answers for the pointers.
        unsafe {
            _mm_storeu_ps(to(0).cast(), a);
            _mm_storeu_ps(to(1).cast(), b);
            _mm_storeu_ps(to(2).cast(), c);
            _mm_storeu_ps(to(3).cast(), d);
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        let to = &mut to[..4];
        // SAFETY: there is room for four.
        unsafe { _mm_storeu_ps(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn bits(mask: Self) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        (unsafe { _mm_movemask_ps(mask.0) }) as u32
    }
}

impl Lanes for Eight {
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        // SAFETY: see the type.
        Self(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        let from = &from[..8];
        // SAFETY: see the type; there are eight numbers.
        Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }

    #[inline(always)]
    fn load_pairs(from: &[[f32; 2]]) -> [Self; 2] {
        let from = &from[..8];
        // SAFETY: see the type; there are eight pairs.
        let (a, b) = unsafe {
            let start: *const f32 = from.as_ptr().cast();
            let (first, second) = (_mm256_loadu_ps(start), _mm256_loadu_ps(start.add(8)));
            // Pairs 0, 1, 4, 5 and 2, 3, 6, 7, as `pairs` has them.
            (_mm256_permute2f128_ps::<0x20>(first, second), _mm256_permute2f128_ps::<0x31>(first, second))
        };
        Self::unzip(a, b)
    }

    #[inline(always)]
    fn pairs<'a>(pair: impl Fn(usize) -> &'a [f32; 2]) -> [Self; 2] {
        Self::unzip(
            join(two_pairs(pair(0), pair(1)), two_pairs(pair(4), pair(5))),
            join(two_pairs(pair(2), pair(3)), two_pairs(pair(6), pair(7))),
        )
    }

    #[inline(always)]
    fn vectors<'a>(vector: impl Fn(usize) -> &'a Vec4<f32>) -> Vec4<Self> {
        let [x, y, z, w] = transpose8([
            join(register(vector(0)), register(vector(4))),
            join(register(vector(1)), register(vector(5))),
            join(register(vector(2)), register(vector(6))),
            join(register(vector(3)), register(vector(7))),
        ]);
        Vec4 { x: Self(x), y: Self(y), z: Self(z), w: Self(w) }
    }

    #[inline(always)]
    unsafe fn set_vectors(v: Vec4<Self>, to: impl Fn(usize) -> *mut Vec4<f32>) {
        let [a, b, c, d] = transpose8([v.x.0, v.y.0, v.z.0, v.w.0]);
        // SAFETY: see the type, and the caller answers for the pointers.
        unsafe {
            _mm_storeu_ps(to(0).cast(), low(a));
            _mm_storeu_ps(to(1).cast(), low(b));
            _mm_storeu_ps(to(2).cast(), low(c));
            _mm_storeu_ps(to(3).cast(), low(d));
            _mm_storeu_ps(to(4).cast(), high(a));
            _mm_storeu_ps(to(5).cast(), high(b));
            _mm_storeu_ps(to(6).cast(), high(c));
            _mm_storeu_ps(to(7).cast(), high(d));
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        let to = &mut to[..8];
        // SAFETY: see the type; there is room for eight.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn bits(mask: Self) -> u32 {
        // SAFETY: see the type.
        (unsafe { _mm256_movemask_ps(mask.0) }) as u32
    }
}

impl Eight {
    /// The first and second numbers of pairs 0, 1, 4, 5 and 2, 3, 6, 7.
    #[inline(always)]
    fn unzip(a: __m256, b: __m256) -> [Self; 2] {
        // SAFETY: see the type.
        unsafe { [Self(_mm256_shuffle_ps::<0x88>(a, b)), Self(_mm256_shuffle_ps::<0xDD>(a, b))] }
    }
}
