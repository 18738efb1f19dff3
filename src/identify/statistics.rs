//! Small dense systems, medians and the F distribution.

/// The solution of a symmetric positive definite system and the inverse of its matrix, by Cholesky's method, scaled by its diagonal. Nothing
/// if it is not positive definite. Unknowns whose diagonal is zero are left out: their solution and variance are zero.
pub fn solve<const N: usize>(a: &[[f64; N]; N], b: &[f64; N]) -> Option<([f64; N], [[f64; N]; N])> {
    let active: Vec<usize> = (0..N).filter(|&i| a[i][i] != 0.0).collect();
    let scale: Vec<f64> = active.iter().map(|&i| a[i][i].sqrt()).collect();
    let n = active.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let rest = a[active[i]][active[j]] / (scale[i] * scale[j]) - known;
            if i == j {
                // Digits that cancelled to nothing are no information.
                if rest.is_nan() || rest <= 1e-14 {
                    return None;
                }
                l[i][i] = rest.sqrt();
            } else {
                l[i][j] = rest / l[j][j];
            }
        }
    }
    let solved = |column: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let mut x: Vec<f64> = (0..n).map(|i| column(i) / scale[i]).collect();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
            x[i] = (x[i] - known) / l[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / l[i][i];
        }
        x.iter().zip(&scale).map(|(x, s)| x / s).collect()
    };
    let mut inverse = [[0.0; N]; N];
    for (j, &column) in active.iter().enumerate() {
        let x = solved(&|i| if i == j { 1.0 } else { 0.0 });
        active.iter().zip(x).for_each(|(&row, x)| inverse[row][column] = x);
    }
    let mut solution = [0.0; N];
    active.iter().zip(solved(&|i| b[active[i]])).for_each(|(&row, x)| solution[row] = x);
    Some((solution, inverse))
}

/// The median; zero of nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The deviation of normally distributed values with mean zero, whatever some wild ones are.
pub fn robust_deviation(values: impl Iterator<Item = f64>) -> f64 {
    1.4826 * median(values.map(f64::abs).collect())
}

/// Mean and standard deviation; the deviation of less than two values is zero.
pub fn mean_and_deviation(values: &[f64]) -> [f64; 2] {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    [mean, if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 }]
}

/// The probability that a ratio of variances with these degrees of freedom is larger than `ratio` by chance.
pub fn f_probability(ratio: f64, above: f64, below: f64) -> f64 {
    if ratio.is_nan() || ratio <= 0.0 {
        return 1.0;
    }
    beta_share(0.5 * below, 0.5 * above, below / (below + above * ratio))
}

/// The regularised incomplete beta function by its continued fraction (Lentz 1976).
fn beta_share(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // It converges fast below the mean; above, the other end's does.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(b, a, 1.0 - x);
    }
    const TINY: f64 = 1e-300;
    let away = |y: f64| if y.abs() < TINY { TINY } else { y };
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..300 {
        let m = f64::from(m);
        for term in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * fraction
}

/// ln Γ(x) for x > 0, by Stirling's series far enough up.
fn log_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 12.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let square = x * x;
    let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_tables() {
        // 5 % and 1 % points of F tables.
        for (ratio, above, below, probability) in [
            (161.448, 1.0, 1.0, 0.05),
            (3.478, 4.0, 10.0, 0.05),
            (5.994, 4.0, 10.0, 0.01),
            (2.866, 4.0, 20.0, 0.05),
        ] {
            let found = f_probability(ratio, above, below);
            assert!((found / probability - 1.0).abs() < 2e-3, "{ratio} {found}");
        }
        assert_eq!(f_probability(0.0, 2.0, 5.0), 1.0);
    }

    #[test]
    fn systems_are_solved_and_unknowns_without_data_left_out() {
        let a = [[4.0, 0.0, 2.0], [0.0, 0.0, 0.0], [2.0, 0.0, 3.0]];
        let (x, inverse) = solve(&a, &[8.0, 0.0, 8.0]).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-14 && x[1] == 0.0 && (x[2] - 2.0).abs() < 1e-14);
        assert!((inverse[0][0] - 3.0 / 8.0).abs() < 1e-14);
        assert!(solve(&[[1.0, 1.0], [1.0, 1.0]], &[1.0, 1.0]).is_none());
    }
}
