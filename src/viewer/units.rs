//! Numbers of controls as people write them: `80 MPa`, not `80000000 Pa`.

/// Prefixes with their powers of ten, as far apart as the numbers of scenes are.
const PREFIXES: [(&str, i32); 8] =
    [("p", -12), ("n", -9), ("µ", -6), ("m", -3), ("k", 3), ("M", 6), ("G", 9), ("T", 12)];
/// Digits that are shown: what is read back differs by less than anybody sets by hand.
const DIGITS: i32 = 6;

/// Whether a unit goes with prefixes. Kilograms have one already.
fn has_prefixes(unit: &str) -> bool {
    !(unit.is_empty() || unit == "%" || unit == "degrees" || unit == "°" || unit.starts_with("kg"))
}

/// A value with its unit, without trailing zeros.
pub fn show(value: f64, unit: &str) -> String {
    let sign = if unit == "degrees" { "°" } else { unit };
    let gap = if sign.is_empty() || sign == "°" { "" } else { " " };
    if value == 0.0 || !value.is_finite() {
        return format!("{value}{gap}{sign}");
    }
    let exponent = value.abs().log10().floor() as i32;
    let group = if has_prefixes(unit) { exponent.div_euclid(3).clamp(-4, 4) } else { 0 };
    let prefix = PREFIXES.iter().find(|(_, power)| *power == 3 * group).map_or("", |(prefix, _)| *prefix);
    let scaled = value / 10f64.powi(3 * group);
    let decimals = (DIGITS - 1 - (exponent - 3 * group)).clamp(0, 12) as usize;
    let digits = format!("{scaled:.decimals$}");
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    format!("{digits}{gap}{prefix}{sign}")
}

/// The value of a text such as `80 MPa`, `80M`, `8e7` or `0.08 GPa`; the unit may be left out.
pub fn read(text: &str, unit: &str) -> Option<f64> {
    // As typed or copied: a true minus sign, either letter for micro.
    let text = text.trim().replace('−', "-").replace(['μ', 'u'], "µ");
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let sign = if unit == "degrees" { "°" } else { unit };
    let rest = text.strip_suffix(sign).unwrap_or(&text).trim_end();
    if let Ok(number) = rest.parse() {
        return Some(number);
    }
    let (prefix, power) = PREFIXES.iter().find(|(prefix, _)| rest.ends_with(prefix))?;
    let number: f64 = rest.strip_suffix(prefix)?.trim_end().parse().ok()?;
    // Powers with a negative exponent are not exact; their inverses are.
    let scaled = if *power < 0 { number / 10f64.powi(-*power) } else { number * 10f64.powi(*power) };
    has_prefixes(unit).then_some(scaled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_prefixes_and_are_read_back() {
        for (value, unit, shown) in [
            (8e7, "Pa", "80 MPa"),
            (2e-5, "N·m", "20 µN·m"),
            (0.12, "kg/m²", "0.12 kg/m²"),
            (7850.0, "kg/m³", "7850 kg/m³"),
            (1.0 / 60.0, "s", "16.6667 ms"),
            (0.005, "m", "5 mm"),
            (-90.0, "degrees", "-90°"),
            (0.3, "", "0.3"),
            (0.0, "Pa", "0 Pa"),
            (2000.0, "N/m", "2 kN/m"),
        ] {
            assert_eq!(show(value, unit), shown);
            let back = read(shown, unit).unwrap();
            assert!((back - value).abs() <= 1e-5 * value.abs(), "{shown}: {back}");
        }
    }

    #[test]
    fn units_and_prefixes_may_be_left_out() {
        for (text, unit, value) in [
            ("80M", "Pa", 8e7),
            ("8e7", "Pa", 8e7),
            ("5 m", "m", 5.0),
            ("5 mm", "m", 5e-3),
            ("5m", "Pa", 5e-3),
            ("20 uN·m", "N·m", 2e-5),
            ("45", "degrees", 45.0),
        ] {
            assert_eq!(read(text, unit), Some(value), "{text}");
        }
        for (text, unit) in [("hard", "Pa"), ("", "Pa"), ("3 k", "kg/m²"), ("3 s", "m")] {
            assert_eq!(read(text, unit), None, "{text}");
        }
    }
}
