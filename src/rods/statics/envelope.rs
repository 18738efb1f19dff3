//! Symmetric sparse matrices between their diagonal and the first entry of each row, and their L D Lᵀ.
//!
//! Elimination fills a row from its first entry on and nowhere else. The number of negative pivots is the number of
//! negative eigenvalues (Sylvester), which tells whether an equilibrium is stable.

/// A symmetric matrix by the rows of its lower half.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// First column of each row.
    firsts: Vec<usize>,
    /// Where each row begins, and one end.
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl Envelope {
    /// Zero, with room from `firsts[row]` to the diagonal of each row.
    pub fn new(firsts: Vec<usize>) -> Self {
        let mut starts = vec![0];
        for (row, &first) in firsts.iter().enumerate() {
            starts.push(starts[row] + row + 1 - first);
        }
        let values = vec![0.0; starts[firsts.len()]];
        Self { firsts, starts, values }
    }

    pub fn len(&self) -> usize {
        self.firsts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.firsts.is_empty()
    }

    /// Numbers between the first entries of the rows and the diagonal.
    pub fn entry_count(&self) -> usize {
        self.values.len()
    }

    /// Adds to an entry of the lower half, or to the same one of the upper half.
    pub fn add(&mut self, a: usize, b: usize, value: f64) {
        let (row, column) = (a.max(b), a.min(b));
        self.values[self.starts[row] + column - self.firsts[row]] += value;
    }

    pub fn diagonal(&self, row: usize) -> f64 {
        self.values[self.starts[row + 1] - 1]
    }

    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The factors; below a pivot of exactly 0 there is none.
    pub fn factor(mut self) -> Option<Factors> {
        let count = self.len();
        let mut pivots = vec![0.0; count];
        for row in 0..count {
            let first = self.firsts[row];
            for column in first..row {
                // L[row][column] D[column] = A − Σ L[row][m] D[m] L[column][m]; row entries are still L D left of column.
                let from = first.max(self.firsts[column]);
                let a = &self.values[self.starts[row] + from - first..self.starts[row] + column - first];
                let other = self.starts[column] + from - self.firsts[column];
                let b = &self.values[other..other + (column - from)];
                let sum: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                self.values[self.starts[row] + column - first] -= sum;
            }
            let mut pivot = self.values[self.starts[row + 1] - 1];
            let entries = &mut self.values[self.starts[row]..self.starts[row + 1] - 1];
            for (entry, column_pivot) in entries.iter_mut().zip(&pivots[first..row]) {
                let scaled = *entry;
                *entry = scaled / column_pivot;
                pivot -= scaled * *entry;
            }
            if pivot == 0.0 || !pivot.is_finite() {
                return None;
            }
            pivots[row] = pivot;
        }
        Some(Factors { lower: self, pivots })
    }
}

/// L and D.
#[derive(Clone, Debug)]
pub struct Factors {
    lower: Envelope,
    pivots: Vec<f64>,
}

impl Factors {
    /// Negative eigenvalues of the matrix.
    pub fn negative_count(&self) -> usize {
        self.pivots.iter().filter(|&&pivot| pivot < 0.0).count()
    }

    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Envelope { firsts, starts, values } = &self.lower;
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let entries = &values[starts[row]..starts[row + 1] - 1];
            let sum: f64 = entries.iter().zip(&x[firsts[row]..row]).map(|(l, x)| l * x).sum();
            x[row] -= sum;
        }
        x.iter_mut().zip(&self.pivots).for_each(|(x, pivot)| *x /= pivot);
        for row in (0..x.len()).rev() {
            let (known, entries) = (x[row], &values[starts[row]..starts[row + 1] - 1]);
            x[firsts[row]..row].iter_mut().zip(entries).for_each(|(x, l)| *x -= l * known);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_is_solved_and_its_negative_eigenvalue_counted() {
        // A chain of springs with a corner entry, as of a ring, and one negative stiffness.
        let mut matrix = Envelope::new(vec![0, 0, 1, 0]);
        for (a, b, value) in [
            (0, 0, 4.0),
            (1, 0, -1.0),
            (1, 1, 5.0),
            (2, 1, -2.0),
            (2, 2, -3.0),
            (3, 0, 1.0),
            (3, 2, 0.5),
            (3, 3, 6.0),
        ] {
            matrix.add(a, b, value);
        }
        let dense =
            [[4.0, -1.0, 0.0, 1.0], [-1.0, 5.0, -2.0, 0.0], [0.0, -2.0, -3.0, 0.5], [1.0, 0.0, 0.5, 6.0]];
        let factors = matrix.factor().unwrap();
        assert_eq!(factors.negative_count(), 1);
        let x = factors.solve(&[1.0, 2.0, 3.0, 4.0]);
        for (row, right) in dense.iter().zip([1.0, 2.0, 3.0, 4.0]) {
            let left: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-13, "{left} instead of {right}");
        }
    }
}
