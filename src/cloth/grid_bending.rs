//! How stiff the hinges of a grid are, so that the sheet bends as a plate of the stated rigidity.
//!
//! Where diagonals alternate, every other particle of a grid has four neighbours and the rest have eight. Under load the two
//! kinds move apart in height, by ±c, which no plate does and which makes the sheet softer than its hinges on a
//! cylinder suggest. For cells of a × b, curvatures κ and S = 4c, the energy per area is
//!
//!   ½ p (κ_xx + S/a²)² + ½ q (κ_yy + S/b²)² + ½ m (κ_xy² + S²/(a²b²))
//!
//! with p and q for the hinges across x and y and m for the diagonals. S takes the value of least energy:
//! with ρ = b²/a², U = p ρ, V = q/ρ, D = U + V + m, a sheet that curves along x alone then stores ½ κ² U (V + m)/(ρ D), and along
//! y ½ κ² V (U + m) ρ/D. Both are to be ½ B κ². On square cells m = 8/3 B makes the sheet isotropic: p = q = 4/3 B, the rigidity is
//! B in every direction, and bending along x curls the sheet along y as Poisson's ratio −1/3 does, like hinges on equilateral
//! triangles. A strip much narrower than it is long curls freely and has 8/9 of B.

/// Stiffnesses of a grid's hinges over B |e|²/(A₁+A₂).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridBending {
    columns: u32,
    /// Of edges along y, of edges along x, of diagonals.
    factors: [f64; 3],
}

/// m over B of square cells.
const ISOTROPIC: f64 = 8.0 / 3.0;
/// Least m over B ρ: with m below ρ no stiffness of the other hinges gives the rigidity B.
const STEEP: f64 = 1.5;

impl GridBending {
    /// For a grid of `columns` particles in a row whose cells have sides `a` and `b` [m].
    pub fn new(columns: u32, [a, b]: [f64; 2]) -> Self {
        let ratio = (b * b) / (a * a);
        let diagonal = ISOTROPIC.max(STEEP * ratio.max(1.0 / ratio));
        // The two conditions, solved in turn; the changes shrink at least threefold each time.
        let (mut u, mut v) = (ratio, 1.0 / ratio);
        for _ in 0..60 {
            u = ratio / (1.0 - ratio / (v + diagonal));
            v = 1.0 / (ratio - 1.0 / (u + diagonal));
        }
        Self { columns, factors: [u / ratio, v * ratio, diagonal / (ratio + 2.0 + 1.0 / ratio)] }
    }

    /// What the stiffness of the hinge on the edge between two particles is multiplied by.
    pub fn factor(&self, [i, j]: [u32; 2]) -> f64 {
        let [row_i, row_j] = [i, j].map(|p| p / self.columns);
        let [column_i, column_j] = [i, j].map(|p| p % self.columns);
        self.factors[if column_i == column_j {
            0
        } else if row_i == row_j {
            1
        } else {
            2
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_cells_have_the_factors_of_the_derivation() {
        let grid = GridBending::new(5, [0.02, 0.02]);
        for (ends, expected) in [([0, 5], 4.0 / 3.0), ([6, 7], 4.0 / 3.0), ([0, 6], 2.0 / 3.0)] {
            assert!((grid.factor(ends) - expected).abs() < 1e-14, "{ends:?}");
        }
    }

    /// Energy per area over ½ κ² of a sheet curved along x and along y, with S of least energy.
    #[test]
    fn cells_of_any_shape_have_the_rigidity_along_both_sides() {
        for [a, b] in [[1.0, 1.0], [1.0, 1.2], [3.0, 1.0], [1.0, 10.0], [50.0, 1.0]] {
            let [p, q, d] = GridBending::new(2, [a, b]).factors;
            let m = d * (a * a + b * b) * (a * a + b * b) / (a * a * b * b);
            let total = p / a.powi(4) + q / b.powi(4) + m / (a * a * b * b);
            let along = [p - (p / a.powi(2)).powi(2) / total, q - (q / b.powi(2)).powi(2) / total];
            assert!(along.iter().all(|k| (k - 1.0).abs() < 1e-9), "{a} × {b}: {along:?}");
            assert!([p, q, d].iter().all(|&k| k > 0.0 && k < 4.0), "{a} × {b}: {p} {q} {d}");
        }
    }
}
