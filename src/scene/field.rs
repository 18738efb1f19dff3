//! The magnetic field that a scene puts its magnets into.

use glam::{DMat3, DVec3};

/// B = uniform + G x, with G symmetric and without trace: a field without sources and currents.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MagneticField {
    /// At the origin [T].
    pub uniform: DVec3,
    /// dBx/dx, dBy/dy and dBz/dz [T/m].
    pub gradient: DVec3,
    /// dBy/dz, dBx/dz and dBx/dy [T/m].
    pub cross_gradient: DVec3,
}

impl MagneticField {
    /// G [T/m].
    pub fn gradient(&self) -> DMat3 {
        let (d, c) = (self.gradient, self.cross_gradient);
        DMat3::from_cols(DVec3::new(d.x, c.z, c.y), DVec3::new(c.z, d.y, c.x), DVec3::new(c.y, c.x, d.z))
    }

    /// B at a point [T].
    pub fn at(&self, x: DVec3) -> DVec3 {
        self.uniform + self.gradient() * x
    }
}
