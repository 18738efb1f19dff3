//! sRGB bytes and linear intensities.

use crate::export::{linear_from_srgb, srgb_from_linear};

pub fn to_linear(byte: u8) -> f64 {
    f64::from(linear_from_srgb(f32::from(byte) / 255.0))
}

/// Beyond white is white.
pub fn from_linear(value: f64) -> u8 {
    (255.0 * srgb_from_linear(value.clamp(0.0, 1.0) as f32)).round() as u8
}
