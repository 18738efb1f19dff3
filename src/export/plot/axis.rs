//! From values to places along an axis, and the ticks that a reader can count by.

use super::font::power_of_ten;

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    #[default]
    Linear,
    /// Base 10. Values that are not positive have no place and interrupt the line.
    Log,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::export) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::export) struct Tick {
    pub value: f64,
    /// Minor ticks have none.
    pub label: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::export) struct Ticks {
    pub ticks: Vec<Tick>,
    /// What all labels are to be multiplied by, as text; empty for 1.
    pub factor: String,
}

const SMALLEST: f64 = 1e-300;
const LARGEST: f64 = 1e300;

impl Axis {
    /// The axis of a stated range; an impossible one becomes the nearest possible.
    pub fn new(scale: Scale, [low, high]: [f64; 2]) -> Self {
        let values = [low, high].into_iter();
        Self::around(scale, values, 0.0)
    }

    /// The smallest axis that shows all values it can, plus `margin` (a share of its length) on both sides.
    pub fn around(scale: Scale, values: impl Iterator<Item = f64>, margin: f64) -> Self {
        let usable = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
        // Beyond these, the arithmetic below would overflow or lose its digits.
        let tamed = |v: f64| match scale {
            Scale::Linear if v.abs() < SMALLEST => 0.0,
            Scale::Linear => v.clamp(-LARGEST, LARGEST),
            Scale::Log => v.clamp(SMALLEST, LARGEST),
        };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(usable).map(tamed) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = match scale {
                Scale::Linear => (0.0, 1.0),
                Scale::Log => (1.0, 10.0),
            };
        }
        match scale {
            Scale::Linear => {
                // A flat line gets room; so does one that is flat up to rounding.
                let flat = 1e-12 * low.abs().max(high.abs());
                let room = if high - low > flat {
                    margin * (high - low)
                } else if low == 0.0 && high == 0.0 {
                    1.0
                } else {
                    0.1 * low.abs().max(high.abs())
                };
                low -= room;
                high += room;
            }
            Scale::Log => {
                let decades = high.log10() - low.log10();
                let room = if decades > 1e-6 { margin * decades } else { 0.3 };
                let factor = 10_f64.powf(room);
                low = (low / factor).max(0.1 * SMALLEST);
                high = (high * factor).min(10.0 * LARGEST);
            }
        }
        Self { scale, low, high }
    }

    /// Where a value is along the axis, from 0 to 1 inside its range.
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log if value > 0.0 => {
                (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
            }
            Scale::Log => return None,
        };
        place.is_finite().then_some(place)
    }

    /// Ticks at round values, about `count` of them labelled.
    pub fn ticks(&self, count: usize) -> Ticks {
        match self.scale {
            Scale::Linear => self.linear_ticks(count),
            Scale::Log => self.log_ticks(count),
        }
    }

    fn linear_ticks(&self, count: usize) -> Ticks {
        let step = round_step((self.high - self.low) / count.max(1) as f64);
        let largest = self.low.abs().max(self.high.abs());
        let exponent = largest.log10().floor() as i32;
        // Long labels share a factor, in steps of a thousand like the units' prefixes.
        let shared = if (-3..6).contains(&exponent) { 0 } else { exponent.div_euclid(3) * 3 };
        let unit = 10_f64.powi(shared);
        let decimals = (-(step / unit).log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (self.low / step).ceil();
        let last = (self.high / step).floor();
        let tick_count = (last - first + 1.0).clamp(0.0, 100.0) as usize;
        let ticks = (0..tick_count)
            .map(|k| {
                let multiple = first + k as f64;
                let value = multiple * step;
                Tick { value, label: Some(with_minus(format!("{:.decimals$}", value / unit + 0.0))) }
            })
            .collect();
        let factor = if shared == 0 { String::new() } else { format!("×{}", power_of_ten(shared)) };
        Ticks { ticks, factor }
    }

    fn log_ticks(&self, count: usize) -> Ticks {
        let (first, last) = (self.low.log10(), self.high.log10());
        let decades = last - first;
        let every = (decades / count.max(1) as f64).ceil().max(1.0) as i32;
        // All labels of an axis are written the same way.
        let is_plain = self.low >= 0.999e-3 && self.high <= 1.001e4;
        let mut ticks = Vec::new();
        for exponent in first.floor() as i32..=last.ceil() as i32 {
            let power = 10_f64.powi(exponent);
            for digit in 1..10 {
                let value = f64::from(digit) * power;
                // A hair of tolerance: ranges often end exactly on a tick.
                if value < self.low * (1.0 - 1e-9) || value > self.high * (1.0 + 1e-9) {
                    continue;
                }
                let is_labelled = if decades < 1.5 {
                    [1, 2, 5].contains(&digit)
                } else {
                    digit == 1 && exponent.rem_euclid(every) == 0
                };
                if is_labelled {
                    let label = Some(log_label(digit, exponent, is_plain));
                    ticks.push(Tick { value, label });
                } else if every == 1 || digit == 1 {
                    ticks.push(Tick { value, label: None });
                }
            }
        }
        if ticks.iter().filter(|t| t.label.is_some()).count() < 2 {
            return self.linear_ticks(count);
        }
        Ticks { ticks, factor: String::new() }
    }
}

/// 1, 2 or 5 times a power of ten, not less than `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let multiple = [1.0, 2.0, 5.0].into_iter().find(|m| m * power >= rough * (1.0 - 1e-9));
    multiple.unwrap_or(10.0) * power
}

fn log_label(digit: i32, exponent: i32, is_plain: bool) -> String {
    if is_plain {
        let decimals = (-exponent).max(0) as usize;
        format!("{:.decimals$}", f64::from(digit) * 10_f64.powi(exponent))
    } else if digit == 1 {
        power_of_ten(exponent)
    } else {
        format!("{digit}×{}", power_of_ten(exponent))
    }
}

/// A hyphen is too short for a minus sign.
fn with_minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &Ticks) -> Vec<&str> {
        ticks.ticks.iter().filter_map(|t| t.label.as_deref()).collect()
    }

    #[test]
    fn linear_ticks_are_round_numbers() {
        let ticks = Axis::new(Scale::Linear, [-0.13, 0.42]).ticks(6);
        assert_eq!(labels(&ticks), ["−0.1", "0.0", "0.1", "0.2", "0.3", "0.4"]);
    }

    #[test]
    fn small_numbers_share_a_factor() {
        let ticks = Axis::new(Scale::Linear, [0.0, 4e-7]).ticks(5);
        assert_eq!(ticks.factor, "×10⁻⁹");
        assert_eq!(labels(&ticks), ["0", "100", "200", "300", "400"]);
    }

    #[test]
    fn log_ticks_are_powers_of_ten() {
        let ticks = Axis::new(Scale::Log, [1e-6, 1.0]).ticks(8);
        let expected = ["10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"];
        assert_eq!(labels(&ticks), expected);
    }

    #[test]
    fn a_short_log_axis_still_has_labels() {
        for range in [[2.1, 2.9], [1.0, 3.0], [3.0e-7, 5.5e-7]] {
            let ticks = Axis::new(Scale::Log, range).ticks(5);
            assert!(labels(&ticks).len() >= 2, "{range:?}: {ticks:?}");
        }
    }

    #[test]
    fn hostile_ranges_give_finite_axes_and_few_ticks() {
        let values = [0.0, -1.0, 1.0, 1.0 + 1e-16, 5e-324, f64::MAX, f64::MIN, f64::NAN, f64::INFINITY];
        for scale in [Scale::Linear, Scale::Log] {
            for low in values {
                for high in values {
                    let axis = Axis::around(scale, [low, high].into_iter(), 0.05);
                    assert!(axis.low < axis.high, "{scale:?} {low} {high}: {axis:?}");
                    let ticks = axis.ticks(6).ticks;
                    assert!(ticks.len() < 1000, "{scale:?} {low} {high}");
                }
            }
        }
    }
}
