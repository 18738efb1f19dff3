//! The scalar of a twin: f32, what the device computes, or f64, what we call true.

use super::Lane;
use std::fmt::{Debug, Display};
use std::iter::Sum;
use std::ops::{AddAssign, DivAssign, MulAssign, SubAssign};

/// A floating point scalar.
pub trait Real:
    Lane<Mask = bool>
    + Debug
    + Display
    + Default
    + PartialEq
    + PartialOrd
    + Send
    + Sync
    + 'static
    + bytemuck::Pod
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Sum
{
    /// The name a user types after `--precision`.
    const NAME: &'static str;

    /// The nearest value to `x`.
    fn of(x: f64) -> Self;
    fn to_f64(self) -> f64;
    fn abs(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn floor(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn acos(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn atan2(self, x: Self) -> Self;
    fn is_finite(self) -> bool;

    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
}

macro_rules! real {
    ($t:ident) => {
        impl Lane for $t {
            type Mask = bool;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const EPSILON: Self = $t::EPSILON;

            #[inline(always)]
            fn constant(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn above(self, other: Self) -> bool {
                self > other
            }
            #[inline(always)]
            fn below(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn select(condition: bool, yes: Self, no: Self) -> Self {
                if condition { yes } else { no }
            }
        }

        impl Real for $t {
            const NAME: &'static str = stringify!($t);

            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.min(other)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.max(other)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                self.floor()
            }
            #[inline(always)]
            fn sin(self) -> Self {
                self.sin()
            }
            #[inline(always)]
            fn cos(self) -> Self {
                self.cos()
            }
            #[inline(always)]
            fn acos(self) -> Self {
                self.acos()
            }
            #[inline(always)]
            fn exp(self) -> Self {
                self.exp()
            }

            #[inline(always)]
            fn ln(self) -> Self {
                self.ln()
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                self.atan2(x)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
        }
    };
}

real!(f32);
real!(f64);
