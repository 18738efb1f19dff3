//! Ranges of numbers. A message says what the value is and what it must be.

use glam::DVec3;

use super::super::error::SceneError;
use super::super::limits;
use super::Check;

pub(super) fn direction(key: &'static str, v: DVec3) -> Check {
    finite_vector(key, v, "")?;
    // Normalising must neither divide by zero nor underflow.
    if v.try_normalize().is_none() {
        return Err(SceneError::value(key, "has no length; it must be a direction"));
    }
    Ok(())
}

pub(super) fn finite_vector(key: &'static str, v: DVec3, unit: &str) -> Check {
    for (i, x) in v.to_array().into_iter().enumerate() {
        finite(key, x, unit).map_err(|e| e.index(i))?;
    }
    Ok(())
}

pub(super) fn finite(key: &'static str, x: f64, unit: &str) -> Check {
    let limit = limits::MAGNITUDE;
    within(key, with_unit(x, unit), x.abs() <= limit, &format!("finite and at most {limit:e} in size"))
}

pub(super) fn positive(key: &'static str, x: f64, unit: &str) -> Check {
    within(key, with_unit(x, unit), x > 0.0, "greater than 0")?;
    within(key, with_unit(x, unit), x >= limits::SMALLEST, &format!("at least {:e}", limits::SMALLEST))?;
    finite(key, x, unit)
}

pub(super) fn not_negative(key: &'static str, x: f64, unit: &str) -> Check {
    within(key, with_unit(x, unit), x >= 0.0, "0 or more")?;
    finite(key, x, unit)
}

/// Infinite is allowed: inextensible.
pub(super) fn stiffness(key: &'static str, x: f64) -> Check {
    within(key, with_unit(x, "N/m"), x >= 0.0, "0 or more; `inf` is rigid")
}

/// Infinite is allowed: no resistance at all.
pub(super) fn compliance(key: &'static str, x: f64, unit: &str) -> Check {
    within(key, with_unit(x, unit), x >= 0.0, "0 (rigid) or more; `inf` does not resist")
}

pub(super) fn whole(key: &'static str, n: u32, least: u32, most: u32) -> Check {
    within(key, n, (least..=most).contains(&n), &format!("from {least} to {most}"))
}

pub(super) fn within(key: &'static str, x: impl std::fmt::Display, holds: bool, wanted: &str) -> Check {
    if holds {
        return Ok(());
    }
    Err(SceneError::value(key, format_args!("is {x}; it must be {wanted}")))
}

fn with_unit(x: f64, unit: &str) -> String {
    // Very large or small numbers would be written out in full otherwise.
    let number = if x != 0.0 && x.is_finite() && !(1e-6..1e9).contains(&x.abs()) {
        format!("{x:e}")
    } else {
        format!("{x}")
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

pub(super) fn colour(colour: Option<[f64; 3]>) -> Check {
    for (i, part) in colour.into_iter().flatten().enumerate() {
        within("colour", part, (0.0..=1.0).contains(&part), "from 0 to 1").map_err(|e| e.index(i))?;
    }
    Ok(())
}

/// Corners of a box, of which infinite components do not limit.
pub(super) fn corners(min: DVec3, max: DVec3) -> Check {
    for i in 0..3 {
        for (key, corner) in [("min", min), ("max", max)] {
            if corner[i].is_nan() {
                return Err(SceneError::value(key, "is not a number").index(i));
            }
        }
        if min[i] > max[i] {
            let message = format!("is {} along {}, below min {}", max[i], ["x", "y", "z"][i], min[i]);
            return Err(SceneError::value("max", message).index(i));
        }
    }
    Ok(())
}
