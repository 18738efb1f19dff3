//! Ranges of numbers. A message says what the value is and what it must be.

use super::super::error::SceneError;
use super::Check;
use crate::limits;
use glam::DVec3;

/// What a number must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Whatever its type holds.
    Any,
    /// Finite, and at most [`limits::MAGNITUDE`] in size.
    Finite,
    /// Greater than 0 by at least [`limits::SMALLEST`], and finite.
    Positive,
    /// 0 or more, and finite.
    NotNegative,
    /// 0 or more; infinite is rigid.
    Stiffness,
    /// 0 or more; infinite does not resist.
    Compliance,
    /// A whole number from the first to the second.
    Whole(u32, u32),
    /// A direction of any length but 0.
    Direction,
    /// Between two ends.
    Within {
        low: End,
        high: End,
        /// The range in words, after "it must be".
        wanted: &'static str,
    },
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// There is none, and infinity is allowed.
    None,
    /// The number itself is allowed.
    At(f64),
    /// The number itself is not allowed.
    Beyond(f64),
}

impl Rule {
    /// Refuses a number of `key` that breaks the rule.
    pub fn number(&self, key: &'static str, x: f64, unit: &str) -> Check {
        match *self {
            Self::Any | Self::Whole(..) => Ok(()),
            Self::Finite | Self::Direction => finite(key, x, unit),
            Self::Positive => positive(key, x, unit),
            Self::NotNegative => not_negative(key, x, unit),
            Self::Stiffness => within(key, with_unit(x, unit), x >= 0.0, "0 or more; `inf` is rigid"),
            Self::Compliance => {
                within(key, with_unit(x, unit), x >= 0.0, "0 (rigid) or more; `inf` does not resist")
            }
            Self::Within { low, high, wanted } => {
                let above = match low {
                    End::None => !x.is_nan(),
                    End::At(low) => x >= low,
                    End::Beyond(low) => x > low,
                };
                let below = match high {
                    End::None => !x.is_nan(),
                    End::At(high) => x <= high,
                    End::Beyond(high) => x < high,
                };
                within(key, with_unit(x, ""), above && below, wanted)
            }
        }
    }

    /// Refuses a whole number of `key` that breaks the rule. `because` replaces the range in the message.
    pub fn whole(&self, key: &'static str, n: u32, because: &str) -> Check {
        let Self::Whole(least, most) = *self else { return Ok(()) };
        if (least..=most).contains(&n) {
            return Ok(());
        }
        Err(if because.is_empty() {
            SceneError::value(key, format_args!("is {n}; it must be from {least} to {most}"))
        } else {
            SceneError::value(key, format_args!("is {n}; {because}"))
        })
    }

    /// The lowest and the highest number that it allows, as far as it says.
    pub fn ends(&self) -> (End, End) {
        match *self {
            Self::Any | Self::Finite | Self::Direction => (End::None, End::None),
            Self::Positive => (End::Beyond(0.0), End::None),
            Self::NotNegative | Self::Stiffness | Self::Compliance => (End::At(0.0), End::None),
            Self::Whole(least, most) => {
                let high = if most == u32::MAX { End::None } else { End::At(f64::from(most)) };
                (End::At(f64::from(least)), high)
            }
            Self::Within { low, high, .. } => (low, high),
        }
    }

    /// Whether a number may be infinite.
    pub fn allows_infinity(&self) -> bool {
        match self {
            Self::Any | Self::Stiffness | Self::Compliance => true,
            Self::Within { low, high, .. } => *low == End::None || *high == End::None,
            _ => false,
        }
    }
}

pub(in crate::scene) fn direction(key: &'static str, v: DVec3) -> Check {
    // Normalising must neither divide by zero nor underflow.
    if v.try_normalize().is_none() {
        return Err(SceneError::value(key, "has no length; it must be a direction"));
    }
    Ok(())
}

fn finite(key: &'static str, x: f64, unit: &str) -> Check {
    let limit = limits::MAGNITUDE;
    within(key, with_unit(x, unit), x.abs() <= limit, &format!("finite and at most {limit:e} in size"))
}

pub(in crate::scene) fn positive(key: &'static str, x: f64, unit: &str) -> Check {
    within(key, with_unit(x, unit), x > 0.0, "greater than 0")?;
    within(key, with_unit(x, unit), x >= limits::SMALLEST, &format!("at least {:e}", limits::SMALLEST))?;
    finite(key, x, unit)
}

fn not_negative(key: &'static str, x: f64, unit: &str) -> Check {
    within(key, with_unit(x, unit), x >= 0.0, "0 or more")?;
    finite(key, x, unit)
}

/// Refuses a value that is not as it is `wanted`.
pub(in crate::scene) fn within(
    key: &'static str,
    x: impl std::fmt::Display,
    holds: bool,
    wanted: &str,
) -> Check {
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

/// Corners of a box, of which infinite components do not limit.
pub(in crate::scene) fn corners(min: DVec3, max: DVec3) -> Check {
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
