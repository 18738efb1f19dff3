//! Small systems of equations.

/// Least pivot over the largest entry of the diagonal.
const SINGULAR: f64 = 1e-10;

/// Solves a symmetric positive system, of whose matrix the lower half is given row by row, by Cholesky's method. Nothing if it is
/// singular. The matrix is lost.
pub fn solve(matrix: &mut [f64], right: &[f64]) -> Option<Vec<f64>> {
    let n = right.len();
    let largest = (0..n).map(|i| matrix[i * n + i]).fold(0.0, f64::max);
    let mut x = right.to_vec();
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - known;
            matrix[i * n + j] = if i > j {
                rest / matrix[j * n + j]
            } else if rest > SINGULAR * largest {
                rest.sqrt()
            } else {
                return None;
            };
        }
        let known: f64 = (0..i).map(|k| matrix[i * n + k] * x[k]).sum();
        x[i] = (x[i] - known) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| matrix[k * n + i] * x[k]).sum();
        x[i] = (x[i] - known) / matrix[i * n + i];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_and_a_singular_one_told() {
        let mut matrix = [4.0, 0.0, 0.0, 2.0, 3.0, 0.0, 1.0, 0.5, 2.0];
        let x = solve(&mut matrix, &[7.0, 8.5, 4.5]).unwrap();
        // 4 a + 2 b + c = 7, 2 a + 3 b + c / 2 = 8.5, a + b / 2 + 2 c = 4.5
        let [a, b, c] = [x[0], x[1], x[2]];
        for off in
            [4.0 * a + 2.0 * b + c - 7.0, 2.0 * a + 3.0 * b + 0.5 * c - 8.5, a + 0.5 * b + 2.0 * c - 4.5]
        {
            assert!(off.abs() < 1e-14, "{off}");
        }
        assert_eq!(solve(&mut [1.0, 0.0, 1.0, 1.0], &[1.0, 1.0]), None);
    }
}
