//! A symmetric matrix of 3 × 3 blocks, and conjugate gradients with its diagonal blocks as preconditioner.

use glam::{DMat3, DVec3};

/// Rows of blocks, each with its columns in increasing order.
#[derive(Clone)]
pub struct Blocks {
    starts: Vec<u32>,
    columns: Vec<u32>,
    pub values: Vec<DMat3>,
}

/// What became of a system of equations.
pub struct Solved {
    pub x: Vec<DVec3>,
    /// Whether a direction was met along which the matrix is not positive.
    pub is_indefinite: bool,
    /// Whether the residual is as small as was asked.
    pub is_solved: bool,
}

/// What to do where a direction is met along which the matrix is not positive.
#[derive(Clone, Copy, PartialEq)]
pub enum Indefinite {
    /// Stop at what was found before, which leads downhill.
    Stop,
    /// Go on: conjugate gradients find the solution, if not always in good order.
    GoOn,
}

impl Blocks {
    /// Zero, with room for the pairs of rows that are given, each once per direction, sorted and without repeats.
    pub fn of_pairs(rows: usize, pairs: &[[u32; 2]]) -> Self {
        let mut starts = vec![0u32; rows + 1];
        pairs.iter().for_each(|[row, _]| starts[*row as usize + 1] += 1);
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let columns = pairs.iter().map(|[_, column]| *column).collect();
        Self { starts, columns, values: vec![DMat3::ZERO; pairs.len()] }
    }

    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// Where a block is stored; the pair was given.
    pub fn place(&self, row: u32, column: u32) -> u32 {
        let range = self.row(row as usize);
        let within = self.columns[range.clone()].partition_point(|&c| c < column);
        (range.start + within) as u32
    }

    fn apply(&self, x: &[DVec3], product: &mut [DVec3]) {
        for (row, sum) in product.iter_mut().enumerate() {
            *sum = DVec3::ZERO;
            for k in self.row(row) {
                *sum += self.values[k] * x[self.columns[k] as usize];
            }
        }
    }

    fn preconditioner(&self) -> Vec<DMat3> {
        let inverse = |row: usize| {
            let block = self.values[self.place(row as u32, row as u32) as usize];
            if block.determinant() > 0.0 { block.inverse() } else { DMat3::IDENTITY }
        };
        (0..self.rows()).map(inverse).collect()
    }

    /// The solution of A x = b, up to a residual of `tolerance` times |b|.
    pub fn solve(&self, b: &[DVec3], tolerance: f64, indefinite: Indefinite) -> Solved {
        let rows = self.rows();
        let inverse = self.preconditioner();
        let mut x = vec![DVec3::ZERO; rows];
        let mut product = vec![DVec3::ZERO; rows];
        let mut r = b.to_vec();
        let mut z = vec![DVec3::ZERO; rows];
        let mut p = vec![DVec3::ZERO; rows];
        let mut before = 0.0;
        let mut is_indefinite = false;
        let enough = tolerance * tolerance * dot(b, b);
        for iteration in 0..(30 * rows).max(100) {
            if dot(&r, &r) <= enough {
                return Solved { x, is_indefinite, is_solved: true };
            }
            z.iter_mut().zip(&inverse).zip(&r).for_each(|((z, m), r)| *z = *m * *r);
            let now = dot(&r, &z);
            let share = if iteration == 0 { 0.0 } else { now / before };
            before = now;
            p.iter_mut().zip(&z).for_each(|(p, z)| *p = *z + *p * share);
            self.apply(&p, &mut product);
            let curvature = dot(&p, &product);
            if curvature.is_nan() || curvature <= 0.0 {
                is_indefinite = true;
                if indefinite == Indefinite::Stop || curvature == 0.0 || curvature.is_nan() {
                    // The first direction is the best guess there is.
                    if iteration == 0 {
                        x.copy_from_slice(&p);
                    }
                    break;
                }
            }
            let length = now / curvature;
            for i in 0..rows {
                x[i] += p[i] * length;
                r[i] -= product[i] * length;
            }
        }
        Solved { x, is_indefinite, is_solved: false }
    }
}

/// The sum of the products of equal entries.
pub fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
