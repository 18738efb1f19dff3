//! Numbers with units, for people.

/// Three significant digits with an SI prefix: `2.64 J`, `115 kJ`, `80.0 MPa`.
///
/// Units that prefixes do not suit (`%`, `kg`, none) are written without.
pub fn si(value: f64, unit: &str) -> String {
    const PREFIXES: [&str; 9] = ["n", "µ", "m", "", "k", "M", "G", "T", "P"];
    const PLAIN: i32 = 3;
    if !value.is_finite() {
        return format!("{value} {unit}").trim_end().into();
    }
    // Rounded first, so that 999.9 becomes 1.00 k.
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    if rounded == 0.0 {
        return format!("0 {unit}").trim_end().into();
    }
    let exponent = rounded.abs().log10().floor() as i32;
    let plain = unit.is_empty() || unit == "%" || unit.starts_with("kg") || unit == "°";
    let group = if plain { 0 } else { exponent.div_euclid(3) };
    let index = group + PLAIN;
    if !(0..PREFIXES.len() as i32).contains(&index) || plain && !(-4..6).contains(&exponent) {
        return format!("{rounded:.2e} {unit}").trim_end().into();
    }
    let digits = (2 - (exponent - 3 * group)).max(0) as usize;
    // Without a prefix, whole numbers keep all their digits.
    let scaled = if plain && digits == 0 { value } else { rounded / 10f64.powi(3 * group) };
    format!("{scaled:.digits$} {}{unit}", PREFIXES[index as usize]).trim_end().into()
}

#[cfg(test)]
mod tests {
    use super::si;

    #[test]
    fn numbers_have_three_digits_and_a_prefix() {
        for (value, unit, shown) in [
            (2.6351, "J", "2.64 J"),
            (114_990.0, "J", "115 kJ"),
            (1.5e6, "J", "1.50 MJ"),
            (8e7, "Pa", "80.0 MPa"),
            (999.9, "N", "1.00 kN"),
            (0.0, "J", "0 J"),
            (-0.0123, "m", "-12.3 mm"),
            (3e-12, "J", "3.00e-12 J"),
            (0.125, "", "0.125"),
            (1234.0, "kg", "1234 kg"),
            (f64::NAN, "J", "NaN J"),
        ] {
            assert_eq!(si(value, unit), shown);
        }
    }
}
