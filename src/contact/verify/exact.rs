//! The sign of a determinant, exactly: on which side of a plane a point is.
//!
//!   side(a, b, c, d) = sign of (a − d) · ((b − d) × (c − d))
//!
//! The determinant in f64 is right whenever it is larger than its rounding error (7 + 56 ε) ε Σ|products|; only otherwise it is
//! summed once more as an expansion, a list of f64 whose exact sum is the number (Shewchuk 1997).

use glam::DVec3;

const ROUNDING: f64 = f64::EPSILON / 2.0;
const FILTER: f64 = (7.0 + 56.0 * ROUNDING) * ROUNDING;

/// 1, −1, or 0 if the four points are in one plane. Coordinates that are not finite give 0.
pub fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    let (u, v, w) = (a - d, b - d, c - d);
    let products = [(u.z, v.x * w.y, v.y * w.x), (v.z, w.x * u.y, w.y * u.x), (w.z, u.x * v.y, u.y * v.x)];
    let determinant: f64 = products.iter().map(|(z, p, q)| z * (p - q)).sum();
    let size: f64 = products.iter().map(|(z, p, q)| z.abs() * (p.abs() + q.abs())).sum();
    if determinant.abs() > FILTER * size {
        return if determinant > 0.0 { 1 } else { -1 };
    }
    if !size.is_finite() {
        return 0;
    }
    exact_side(a, b, c, d)
}

fn exact_side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    let row = |p: DVec3| [0, 1, 2].map(|k| Expansion::difference(p[k], d[k]));
    let [u, v, w] = [row(a), row(b), row(c)];
    let minor =
        |p: &[Expansion; 3], q: &[Expansion; 3]| p[0].times(&q[1]).plus(&p[1].times(&q[0]).negative());
    let sum = u[2].times(&minor(&v, &w)).plus(&v[2].times(&minor(&w, &u))).plus(&w[2].times(&minor(&u, &v)));
    sum.sign()
}

/// A number as the exact sum of its parts, which do not overlap and grow in size.
#[derive(Clone, Default)]
struct Expansion(Vec<f64>);

impl Expansion {
    fn difference(a: f64, b: f64) -> Self {
        let mut all = Self::default();
        all.add(a);
        all.add(-b);
        all
    }

    /// Adds a number: the rounding error of each sum stays behind as a part.
    fn add(&mut self, number: f64) {
        let mut carried = number;
        let mut parts = Vec::with_capacity(self.0.len() + 1);
        for &part in &self.0 {
            let sum = carried + part;
            let virtual_part = sum - carried;
            let error = (carried - (sum - virtual_part)) + (part - virtual_part);
            if error != 0.0 {
                parts.push(error);
            }
            carried = sum;
        }
        if carried != 0.0 {
            parts.push(carried);
        }
        self.0 = parts;
    }

    fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|&part| self.add(part));
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for &p in &self.0 {
            for &q in &other.0 {
                let high = p * q;
                product.add(p.mul_add(q, -high));
                product.add(high);
            }
        }
        product
    }

    fn negative(mut self) -> Self {
        self.0.iter_mut().for_each(|part| *part = -*part);
        self
    }

    /// The largest part is larger than all others together.
    fn sign(&self) -> i32 {
        self.0.last().map_or(0, |&part| if part > 0.0 { 1 } else { -1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same determinant in integers.
    fn integer_side(points: [[i64; 3]; 4]) -> i32 {
        let [u, v, w] = [0, 1, 2].map(|k| [0, 1, 2].map(|c| i128::from(points[k][c] - points[3][c])));
        let minor = |p: [i128; 3], q: [i128; 3]| p[0] * q[1] - p[1] * q[0];
        (u[2] * minor(v, w) + v[2] * minor(w, u) + w[2] * minor(u, v)).signum() as i32
    }

    #[test]
    fn nearly_flat_tetrahedra_have_the_sign_of_integer_arithmetic() {
        let mut state = 7u64;
        let mut next = |range: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % range
        };
        let mut flat = 0;
        for _ in 0..20_000 {
            // d = a + s (b − a) + t (c − a), moved by 0 or one unit of 2⁻³⁰ along one axis.
            let [a, p, q] = [(); 3].map(|()| [(); 3].map(|()| next(1 << 30)));
            let (s, t) = (next(5) - 2, next(5) - 2);
            let mut d = [0, 1, 2].map(|k| a[k] + s * (p[k] - a[k]) + t * (q[k] - a[k]));
            d[next(3) as usize] += next(3) - 1;
            let points = [a, p, q, d];
            let place = |p: [i64; 3]| DVec3::from_array(p.map(|c| c as f64 / f64::from(1 << 30)));
            let expected = integer_side(points);
            flat += usize::from(expected == 0);
            let [a, b, c, d] = points.map(place);
            assert_eq!(side(a, b, c, d), expected, "{points:?}");
        }
        assert!((3_000..12_000).contains(&flat), "{flat} flat ones");
    }

    #[test]
    fn what_is_not_finite_is_on_no_side() {
        let [a, b, c] = [DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(side(a, b, c, DVec3::NAN), 0);
        assert_eq!(side(a, b, c, DVec3::ZERO), 1);
        assert_eq!(side(b, a, c, DVec3::ZERO), -1);
    }
}
