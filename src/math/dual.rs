//! Numbers that know their slopes: a law written over [`Lane`] gives its exact derivatives when it is fed with these.

use super::Lane;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number and its derivatives by N others.
#[derive(Clone, Copy, Debug)]
pub struct Dual<const N: usize> {
    pub value: f64,
    pub slopes: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// A number that depends on nothing.
    pub fn fixed(value: f64) -> Self {
        Self { value, slopes: [0.0; N] }
    }

    /// The number that the others are differentiated by in the given place.
    pub fn variable(value: f64, place: usize) -> Self {
        let mut slopes = [0.0; N];
        slopes[place] = 1.0;
        Self { value, slopes }
    }

    /// f(value) with the slopes times f'.
    fn chain(self, value: f64, slope: f64) -> Self {
        Self { value, slopes: self.slopes.map(|s| s * slope) }
    }

    fn with(self, other: Self, value: f64, [own, others]: [f64; 2]) -> Self {
        let mut slopes = self.slopes;
        for (slope, other) in slopes.iter_mut().zip(other.slopes) {
            *slope = own * *slope + others * other;
        }
        Self { value, slopes }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        self.with(b, self.value + b.value, [1.0, 1.0])
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        self.with(b, self.value - b.value, [1.0, -1.0])
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        self.with(b, self.value * b.value, [b.value, self.value])
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    fn mul(self, b: f64) -> Self {
        self.chain(self.value * b, b)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let ratio = self.value / b.value;
        self.with(b, ratio, [1.0 / b.value, -ratio / b.value])
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl<const N: usize> Lane for Dual<N> {
    type Mask = bool;
    const ZERO: Self = Self { value: 0.0, slopes: [0.0; N] };
    const ONE: Self = Self { value: 1.0, slopes: [0.0; N] };
    const EPSILON: Self = Self { value: f64::EPSILON, slopes: [0.0; N] };

    fn constant(x: f64) -> Self {
        Self::fixed(x)
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }
    fn above(self, other: Self) -> bool {
        self.value > other.value
    }
    fn below(self, other: Self) -> bool {
        self.value < other.value
    }
    fn select(condition: bool, yes: Self, no: Self) -> Self {
        if condition { yes } else { no }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_formula() {
        let (x, y) = (Dual::<2>::variable(3.0, 0), Dual::<2>::variable(4.0, 1));
        let length = (x * x + y * y).sqrt();
        assert_eq!(length.value, 5.0);
        assert!((length.slopes[0] - 0.6).abs() < 1e-15 && (length.slopes[1] - 0.8).abs() < 1e-15);
        let ratio = (x - Dual::ONE) / -y;
        assert_eq!((ratio.value, ratio.slopes), (-0.5, [-0.25, 0.125]));
    }
}
