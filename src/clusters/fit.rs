//! The rest shape of a cluster, made ready for least squares.

use super::cluster_match::{LAW, QUADRATIC, REST, REST_QUADRATIC};
use glam::{DMat3, DVec3};

/// Eigenvalues below this part of the largest are those of a direction in which the members do not differ.
const FLAT: f64 = 1e-9;
const SWEEPS: u32 = 30;

/// What the kernels take of a cluster.
pub(super) struct Rest {
    /// Without kind, β, α and what is plastic.
    pub law: [[f64; 4]; LAW as usize],
    /// As many vectors for each member as the scene has.
    pub members: Vec<[f64; 4]>,
}

/// The rest shape of members at these places with these shares of mass, which need not add up to one.
pub(super) fn rest(places: &[DVec3], masses: &[f64], kind: u32, rows: u32) -> Rest {
    let mass: f64 = masses.iter().sum();
    let shares: Vec<f64> = masses.iter().map(|m| m / mass).collect();
    let centre: DVec3 = places.iter().zip(&shares).map(|(&x, &share)| x * share).sum();
    let at: Vec<DVec3> = places.iter().map(|&x| x - centre).collect();
    let radius = at.iter().map(|q| q.length()).fold(0.0, f64::max);
    let scale = if radius > 0.0 { 1.0 / radius } else { 1.0 };
    let weigh = |value: fn(DVec3) -> DVec3| -> DVec3 {
        at.iter().zip(&shares).map(|(&q, &share)| value(q * scale) * share).sum()
    };
    let (squares, products) = (weigh(|u| u * u), weigh(|u| DVec3::new(u.x * u.y, u.y * u.z, u.z * u.x)));
    let size = if kind == QUADRATIC { 9 } else { 3 };
    // Scaled coordinates and, of quadratic clusters, their products about the means.
    let basis: Vec<Vec<f64>> = at
        .iter()
        .map(|&q| {
            let u = q * scale;
            let (s, p) = (u * u - squares, DVec3::new(u.x * u.y, u.y * u.z, u.z * u.x) - products);
            [u.to_array(), s.to_array(), p.to_array()].concat()[..size].to_vec()
        })
        .collect();
    let mut normal = vec![vec![0.0; size]; size];
    for (b, &share) in basis.iter().zip(&shares) {
        for i in 0..size {
            for j in 0..size {
                normal[i][j] += share * b[i] * b[j];
            }
        }
    }
    let inverse = pseudo_inverse(&normal);
    debug_assert!(rows == REST || rows == REST_QUADRATIC);
    let mut members = Vec::with_capacity(places.len() * rows as usize);
    for ((&q, b), &share) in at.iter().zip(&basis).zip(&shares) {
        let dual = |i: usize| {
            if i < size { share * (0..size).map(|j| inverse[i][j] * b[j]).sum::<f64>() } else { 0.0 }
        };
        members.push([q.x, q.y, q.z, share]);
        members.push([dual(0) * scale, dual(1) * scale, dual(2) * scale, 0.0]);
        if rows == REST_QUADRATIC {
            members.push([dual(3), dual(4), dual(5), 0.0]);
            members.push([dual(6), dual(7), dual(8), 0.0]);
        }
    }
    let moments: DMat3 =
        at.iter().zip(&shares).map(|(&q, &share)| outer(q) * share).fold(DMat3::ZERO, |a, b| a + b);
    let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
    let unit = if trace > 0.0 { moments * (3.0 / trace) } else { DMat3::IDENTITY };
    let with = |v: DVec3| [v.x, v.y, v.z, 0.0];
    let law = [
        [0.0, 0.0, 0.0, scale],
        with(unit.x_axis),
        with(unit.y_axis),
        with(unit.z_axis),
        with(squares),
        with(products),
    ];
    Rest { law, members }
}

fn outer(q: DVec3) -> DMat3 {
    DMat3::from_cols(q * q.x, q * q.y, q * q.z)
}

/// The inverse of a symmetric matrix where it has one, and nothing in the directions that it maps to nothing: by Jacobi's
/// rotations.
fn pseudo_inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut v: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    for _ in 0..SWEEPS {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for row in a.iter_mut().chain(v.iter_mut()) {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                let (above, below) = a.split_at_mut(q);
                for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
    }
    let largest = (0..n).map(|i| a[i][i].abs()).fold(0.0, f64::max);
    let inverse = |k: usize| if a[k][k] > FLAT * largest { 1.0 / a[k][k] } else { 0.0 };
    (0..n).map(|i| (0..n).map(|j| (0..n).map(|k| v[i][k] * inverse(k) * v[j][k]).sum()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pseudo_inverse_inverts_what_can_be_inverted() {
        let m = vec![vec![4.0, 1.0, 0.0], vec![1.0, 3.0, 0.0], vec![0.0, 0.0, 0.0]];
        let inverse = pseudo_inverse(&m);
        for (i, row) in m.iter().enumerate() {
            let product = |j: usize| row.iter().zip(&inverse).map(|(a, b)| a * b[j]).sum::<f64>();
            for j in 0..3 {
                let wanted = f64::from(i == j && i < 2);
                assert!((product(j) - wanted).abs() < 1e-12, "{i} {j} {}", product(j));
            }
        }
    }
}
