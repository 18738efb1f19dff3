//! Symmetric matrices whose entries are near the diagonal, and their Cholesky factors.

/// The lower half of a symmetric matrix, a row at a time, with `width` entries before the diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    count: usize,
    width: usize,
    entries: Vec<f64>,
}

impl Band {
    pub fn new(count: usize, width: usize) -> Self {
        Self { count, width, entries: vec![0.0; count * (width + 1)] }
    }

    /// Adds to entry (i, j); of (i, j) and (j, i) only that below the diagonal counts.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        if j <= i {
            debug_assert!(i - j <= self.width, "({i}, {j}) is outside the band");
            self.entries[i * (self.width + 1) + self.width + j - i] += value;
        }
    }

    /// Takes coordinates out of the system: their rows and columns become those of the unit matrix.
    pub fn hold(&mut self, held: &[bool]) {
        for i in 0..self.count {
            for j in i.saturating_sub(self.width)..=i {
                if held[i] || held[j] {
                    let value = f64::from(u8::from(i == j));
                    self.entries[i * (self.width + 1) + self.width + j - i] = value;
                }
            }
        }
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        self.entries[i * (self.width + 1) + self.width + j - i]
    }

    /// A x.
    pub fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.count];
        for i in 0..self.count {
            for j in i.saturating_sub(self.width)..=i {
                product[i] += self.get(i, j) * x[j];
                if j < i {
                    product[j] += self.get(i, j) * x[i];
                }
            }
        }
        product
    }

    /// Solves A x = b, or nothing if A is not positive definite.
    pub fn solve(mut self, b: &[f64]) -> Option<Vec<f64>> {
        let (n, w) = (self.count, self.width);
        for i in 0..n {
            let first = i.saturating_sub(w);
            for j in first..=i {
                let start = first.max(j.saturating_sub(w));
                let sum: f64 = (start..j).map(|k| self.get(i, k) * self.get(j, k)).sum();
                let left = self.get(i, j) - sum;
                let value = if i == j {
                    if left <= 0.0 {
                        return None;
                    }
                    left.sqrt()
                } else {
                    left / self.get(j, j)
                };
                self.entries[i * (w + 1) + w + j - i] = value;
            }
        }
        let mut x = b.to_vec();
        for i in 0..n {
            let sum: f64 = (i.saturating_sub(w)..i).map(|k| self.get(i, k) * x[k]).sum();
            x[i] = (x[i] - sum) / self.get(i, i);
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n.min(i + w + 1)).map(|k| self.get(k, i) * x[k]).sum();
            x[i] = (x[i] - sum) / self.get(i, i);
        }
        Some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_gives_the_right_hand_side_again() {
        let (n, w) = (9, 3);
        let entry = |i: usize, j: usize| {
            if i == j {
                8.0 + i as f64
            } else if i.abs_diff(j) <= w {
                1.0 / (1 + i + j) as f64
            } else {
                0.0
            }
        };
        let mut band = Band::new(n, w);
        (0..n).for_each(|i| (i.saturating_sub(w)..=i).for_each(|j| band.add(i, j, entry(i, j))));
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let x = band.clone().solve(&b).unwrap();
        for (i, right) in b.iter().enumerate() {
            let sum: f64 = (0..n).map(|j| entry(i, j) * x[j]).sum();
            assert!((sum - right).abs() < 1e-12);
        }
        let again = band.apply(&x);
        assert!(again.iter().zip(&b).all(|(found, right)| (found - right).abs() < 1e-12));
        band.add(4, 4, -100.0);
        assert_eq!(band.solve(&b), None);
    }
}
