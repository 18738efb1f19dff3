//! Medians, percentiles and slopes.

/// The smallest sample that at least this fraction of the samples does not exceed.
pub fn percentile(samples: &[f64], fraction: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (fraction * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
}

/// The mean of the two samples in the middle, or the one.
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n => 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]),
    }
}

/// p of the law y = c xᵖ that fits best, by least squares of the logarithms; nothing for fewer than two sizes.
pub fn growth_exponent(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / n;
    let across: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let along: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    (points.len() > 1 && across > 0.0).then(|| along / across)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        assert_eq!(median(&[4.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn a_percentile_is_one_of_the_samples() {
        let samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&samples, 0.95), 95.0);
        assert_eq!(percentile(&[7.0, 3.0], 0.95), 7.0);
        assert_eq!(percentile(&[7.0], 0.95), 7.0);
    }

    #[test]
    fn the_growth_exponent_of_a_power_law_is_its_power() {
        let points: Vec<(f64, f64)> =
            [1.0, 10.0, 70.0].iter().map(|&x: &f64| (x, 3.0 * x.powf(1.5))).collect();
        assert!((growth_exponent(&points).unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(growth_exponent(&points[..1]), None);
    }
}
