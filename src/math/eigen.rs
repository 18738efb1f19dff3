//! Eigenvectors of small symmetric matrices, by Jacobi's rotations.

/// Sweeps after which nothing changes any more; each at least squares what is left beside the diagonal.
const SWEEPS: usize = 12;

/// Eigenvalues, rising, each with its unit eigenvector.
pub fn symmetric<const N: usize>(mut a: [[f64; N]; N]) -> [(f64, [f64; N]); N] {
    let mut vectors: [[f64; N]; N] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for _ in 0..SWEEPS {
        let mut turned = false;
        for p in 0..N {
            for q in p + 1..N {
                let off = a[p][q];
                // What is below the last digit of the diagonal turns nothing.
                if off.abs() <= f64::EPSILON * 1e-3 * (a[p][p].abs() + a[q][q].abs()) {
                    continue;
                }
                turned = true;
                let theta = (a[q][q] - a[p][p]) / (2.0 * off);
                let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                let sine = tangent * cosine;
                for row in &mut a {
                    (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                }
                let [first, second] = [a[p], a[q]];
                a[p] = std::array::from_fn(|k| cosine * first[k] - sine * second[k]);
                a[q] = std::array::from_fn(|k| sine * first[k] + cosine * second[k]);
                let [first, second] = [vectors[p], vectors[q]];
                vectors[p] = std::array::from_fn(|k| cosine * first[k] - sine * second[k]);
                vectors[q] = std::array::from_fn(|k| sine * first[k] + cosine * second[k]);
            }
        }
        if !turned {
            break;
        }
    }
    let mut pairs: [(f64, [f64; N]); N] = std::array::from_fn(|i| (a[i][i], vectors[i]));
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn vectors_times_values_make_the_matrix() {
        let mut random = Random(3);
        for _ in 0..20 {
            let mut a = [[0.0; 4]; 4];
            for (i, j) in (0..4).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                a[i][j] = 2.0 * random.number() - 1.0;
                a[j][i] = a[i][j];
            }
            let pairs = symmetric(a);
            for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
                let sum: f64 = pairs.iter().map(|(value, v)| value * v[i] * v[j]).sum();
                assert!((sum - a[i][j]).abs() < 1e-14, "{sum} {}", a[i][j]);
            }
            assert!(pairs.is_sorted_by(|a, b| a.0 <= b.0));
        }
    }
}
