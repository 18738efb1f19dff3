//! What is the same everywhere during a step: the uniform `world`.

use crate::math::{Real, Vec4};

/// The least share of the velocity that damping leaves: forces that act before it are divided by it, which must not overflow.
pub const SMALLEST_KEEP: f64 = 1e-6;

/// Gravity, air and solver settings. Twin of `shaders/common/world.wgsl`, field by field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct World<R> {
    /// xyz [m/s²].
    pub gravity: Vec4<R>,
    /// xyz velocity [m/s], w air density [kg/m³].
    pub wind: Vec4<R>,
    /// Share of the velocity that damping leaves after a substep: exp(−damping · dt), at least [`SMALLEST_KEEP`].
    pub keep: R,
    /// Over-relaxation ω of the constraint solver.
    pub relaxation: R,
    /// Time at clock 0 [s].
    pub start: R,
    /// Gusts: share of the wind's velocity.
    pub gust_amplitude: R,
    /// Gusts: [rad/s].
    pub gust_frequency: R,
}

// SAFETY: `repr(C)`, values of one plain type only, no padding.
unsafe impl<R: bytemuck::Zeroable> bytemuck::Zeroable for World<R> {}
// SAFETY: as above.
unsafe impl<R: bytemuck::Pod> bytemuck::Pod for World<R> {}

impl<R: Real> World<R> {
    /// The time at the end of substep number `clock` of `dt` seconds [s].
    #[inline(always)]
    pub fn time(&self, clock: u32, dt: R) -> R {
        self.start + R::of(f64::from(clock) + 1.0) * dt
    }
}

impl World<f64> {
    /// The values in order, as a buffer holds them.
    pub fn values(&self) -> Vec<f64> {
        bytemuck::cast_slice(std::slice::from_ref(self)).to_vec()
    }
}
