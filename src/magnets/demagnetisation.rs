//! How a uniformly magnetised cuboid acts on the mean field of another one of the same size.
//!
//!   H̄ᵢ = −N Mⱼ        N = 1/(4π V) ∬∬ n dS · (n' dS'/r)        symmetric; the three diagonals of a cuboid on itself add up to 1
//!
//! N is a second difference, along each axis, of two functions that integrate 1/r six times (Newell, Williams and Dunlop 1993). Sums of N over the
//! cells of a body have eigenvalues from 0 to 1 whatever the division, which dipoles do not have: with them iron of many cells has spurious
//! resonances. The differences lose six digits for each factor of ten in distance, so far away a dipole takes over.

use std::f64::consts::PI;

/// Cells from which on a dipole is as good.
const FAR: i64 = 12;

/// xx, yy, zz, xy, yz, zx of N between cells that are `offset` cells of edges `size` from each other.
pub fn between(offset: [i64; 3], size: [f64; 3]) -> [f64; 6] {
    let scale = size.iter().fold(0.0, |largest: f64, &s| largest.max(s));
    let size = size.map(|s| s / scale);
    let at = [0, 1, 2].map(|k| offset[k] as f64 * size[k]);
    if offset.iter().any(|&n| n.abs() > FAR) {
        return dipole(at, size);
    }
    let turned = |order: [usize; 3]| (order.map(|k| at[k]), order.map(|k| size[k]));
    let along = |k: usize| {
        let (at, size) = turned([k, (k + 1) % 3, (k + 2) % 3]);
        difference(straight, at, size)
    };
    let across = |k: usize| {
        let (at, size) = turned([k, (k + 1) % 3, (k + 2) % 3]);
        difference(oblique, at, size)
    };
    [along(0), along(1), along(2), across(0), across(1), across(2)]
}

fn dipole(at: [f64; 3], size: [f64; 3]) -> [f64; 6] {
    let r = length(at);
    let share = size[0] * size[1] * size[2] / (4.0 * PI * r.powi(3));
    let n = at.map(|c| c / r);
    let along = |k: usize| share * (1.0 - 3.0 * n[k] * n[k]);
    let across = |k: usize| -3.0 * share * n[k] * n[(k + 1) % 3];
    [along(0), along(1), along(2), across(0), across(1), across(2)]
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// The second difference along all axes, over 4π V.
fn difference(law: fn([f64; 3]) -> f64, at: [f64; 3], size: [f64; 3]) -> f64 {
    let mut sum = 0.0;
    for n in 0..27 {
        let step = [n % 3, n / 3 % 3, n / 9].map(|s| s as f64 - 1.0);
        let weight: f64 = step.iter().map(|&s| if s == 0.0 { 2.0 } else { -1.0 }).product();
        sum += weight * law([0, 1, 2].map(|k| at[k] + step[k] * size[k]));
    }
    sum / (4.0 * PI * size[0] * size[1] * size[2])
}

/// a asinh(b/c) and a atan(b/c), which are nothing where a is.
fn asinh(a: f64, b: f64, c: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * (b / c).asinh() }
}

fn atan(a: f64, b: f64, c: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a * (b / c).atan() }
}

/// Whose difference is the part along the first axis. It is even in all coordinates.
fn straight(at: [f64; 3]) -> f64 {
    let [x, y, z] = at.map(f64::abs);
    let r = length(at);
    let [xx, yy, zz] = [x * x, y * y, z * z];
    asinh(0.5 * y * (zz - xx), y, (xx + zz).sqrt()) + asinh(0.5 * z * (yy - xx), z, (xx + yy).sqrt())
        - atan(x * y * z, y * z, x * r)
        + (2.0 * xx - yy - zz) * r / 6.0
}

/// Whose difference is the part across the first and second axes. It is odd in both.
fn oblique(at: [f64; 3]) -> f64 {
    let sign = (at[0] * at[1]).signum();
    let [x, y, z] = at.map(f64::abs);
    let r = length(at);
    let [xx, yy, zz] = [x * x, y * y, z * z];
    sign * (asinh(x * y * z, z, (xx + yy).sqrt())
        + asinh(y * (3.0 * zz - yy) / 6.0, x, (yy + zz).sqrt())
        + asinh(x * (3.0 * zz - xx) / 6.0, y, (xx + zz).sqrt())
        - atan(z * zz / 6.0, x * y, z * r)
        - atan(0.5 * z * yy, x * z, y * r)
        - atan(0.5 * z * xx, y * z, x * r)
        - x * y * r / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cuboid_on_itself_has_the_factors_of_the_closed_form() {
        let cube = between([0; 3], [2e-3; 3]);
        let third = 1.0 / 3.0;
        for (found, expected) in cube.into_iter().zip([third, third, third, 0.0, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-14, "{cube:?}");
        }
        // Aharoni 1998: a square bar twice as long as wide has 0.198316 along.
        let bar = between([0; 3], [1.0, 1.0, 2.0]);
        assert!(
            (bar[2] - 0.198316).abs() < 1e-6 && (bar[0] + bar[1] + bar[2] - 1.0).abs() < 1e-13,
            "{bar:?}"
        );
    }

    #[test]
    fn cells_of_a_cube_are_together_that_cube() {
        const EDGE: i64 = 4;
        let cells: Vec<[i64; 3]> =
            (0..EDGE.pow(3)).map(|n| [n % EDGE, n / EDGE % EDGE, n / EDGE / EDGE]).collect();
        let mut sums = [0.0; 6];
        for a in &cells {
            for b in &cells {
                let n = between([0, 1, 2].map(|k| b[k] - a[k]), [1.0, 1.5, 0.7]);
                sums = [0, 1, 2, 3, 4, 5].map(|k| sums[k] + n[k] / cells.len() as f64);
            }
        }
        let whole = between([0; 3], [1.0, 1.5, 0.7]);
        for (sum, whole) in sums.into_iter().zip(whole) {
            assert!((sum - whole).abs() < 1e-11, "{sums:?}");
        }
    }

    #[test]
    fn far_cells_are_dipoles() {
        let size = [1.0, 1.2, 0.9];
        let (near, far) = (between([12, -9, 7], size), dipole([12.0, -10.8, 6.3], size));
        let scale = near.iter().fold(0.0f64, |most, c| most.max(c.abs()));
        for (a, b) in near.into_iter().zip(far) {
            assert!((a - b).abs() < 5e-3 * scale, "{near:?} {far:?}");
        }
    }
}
