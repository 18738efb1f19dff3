//! Numbers that carry one derivative, for what is tedious to differentiate by hand.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its derivative along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    pub value: f64,
    pub slope: f64,
}

impl Dual {
    pub const fn new(value: f64, slope: f64) -> Self {
        Self { value, slope }
    }

    pub fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        Self::new(root, 0.5 * self.slope / root)
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self::new(self.value + b.value, self.slope + b.slope)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self::new(self.value - b.value, self.slope - b.slope)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Self::new(self.value * b.value, self.slope * b.value + self.value * b.slope)
    }
}

impl Div for Dual {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let ratio = self.value / b.value;
        Self::new(ratio, (self.slope - ratio * b.slope) / b.value)
    }
}

impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.value, -self.slope)
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    fn mul(self, b: f64) -> Self {
        Self::new(self.value * b, self.slope * b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives() {
        let x = Dual::new(1.7, 1.0);
        let f = |x: Dual| (x * x - Dual::new(2.0, 0.0)) / (x + Dual::new(1.0, 0.0)).sqrt() * 3.0;
        let step = 1e-6;
        let at = |v: f64| f(Dual::new(v, 0.0)).value;
        assert!((f(x).slope - (at(1.7 + step) - at(1.7 - step)) / (2.0 * step)).abs() < 1e-8);
    }
}
