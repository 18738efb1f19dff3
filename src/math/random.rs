//! Numbers that look random and are the same on every machine.

use glam::DVec3;
use std::f64::consts::TAU;

/// SplitMix64 (Steele, Lea, Flood 2014).
pub struct Random(pub u64);

impl Random {
    /// Each component from 0 to 1.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// From 0 to 1.
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normally distributed with deviation 1 (Box, Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let [u, v] = [1.0 - self.number(), self.number()];
        (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
    }
}
