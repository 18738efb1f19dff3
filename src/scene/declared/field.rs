//! The keys of the magnetic field.

use super::super::keys::{Check, Declared, Keys};
use super::super::{MagneticField, SceneError};
use crate::at;

impl Declared for MagneticField {
    fn declare(k: &mut Keys<Self>) {
        k.value("uniform", at!(uniform)).finite("T").says("the field at the origin");
        k.value("gradient", at!(gradient)).finite("T/m").says("dBx/dx, dBy/dy and dBz/dz, which add up to 0");
        k.value("cross_gradient", at!(cross_gradient))
            .finite("T/m")
            .says("dBy/dz, dBx/dz and dBx/dy; each is also that of the other order");
        k.checking(divergence);
    }
}

/// What rounding leaves of numbers that a user wrote.
const ROUNDING: f64 = 1e-9;

fn divergence(field: &MagneticField) -> Check {
    let sum = field.gradient.element_sum();
    if sum.abs() > ROUNDING * field.gradient.abs().max_element() {
        let message = format!(
            "has a divergence of {sum} T/m, and no magnetic field has one; let the three add up to 0"
        );
        return Err(SceneError::value("gradient", message));
    }
    Ok(())
}
