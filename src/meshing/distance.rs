//! The exact Euclidean distance transform: for every voxel the squared distance to the nearest marked one, in voxels².
//!
//! One axis after the other: along a row, the squared distance is the lower envelope of parabolas, one on every voxel,
//! as high as what the axes before have found. Meijster, Roerdink, Hesselink 2000 find it in integers, so the result is exact;
//! Felzenszwalb and Huttenlocher 2004 do the same in floating point. The time grows with the number of voxels only.

use glam::UVec3;
use rayon::prelude::*;

/// No voxel is marked.
pub const NOWHERE: u32 = u32::MAX;

/// Squared distances, x fastest, or [`NOWHERE`] everywhere if nothing is marked.
///
/// Along each axis there may be 2¹⁴ voxels: then no squared distance overflows.
pub fn transform(size: UVec3, marked: impl Fn(usize) -> bool + Sync) -> Vec<u32> {
    let [nx, ny, nz] = size.to_array().map(|n| n as usize);
    let mut values = vec![NOWHERE; nx * ny * nz];
    values.par_chunks_mut(nx).enumerate().for_each(|(row, values)| along_x(values, |x| marked(row * nx + x)));
    values.par_chunks_mut(nx * ny).for_each(|layer| {
        let mut envelope = Envelope::new(ny);
        for x in 0..nx {
            envelope.lower((0..ny).map(|y| layer[y * nx + x]));
            envelope.each(|y, value| layer[y * nx + x] = value);
        }
    });
    // The rows of equal y of all layers belong to one thread.
    let mut rows: Vec<Vec<&mut [u32]>> = (0..ny).map(|_| Vec::with_capacity(nz)).collect();
    for layer in values.chunks_exact_mut(nx * ny) {
        rows.iter_mut().zip(layer.chunks_exact_mut(nx)).for_each(|(rows, row)| rows.push(row));
    }
    rows.par_iter_mut().for_each(|rows| {
        let mut envelope = Envelope::new(nz);
        for x in 0..nx {
            envelope.lower(rows.iter().map(|row| row[x]));
            envelope.each(|z, value| rows[z][x] = value);
        }
    });
    values
}

/// Squared distances along one row.
fn along_x(values: &mut [u32], marked: impl Fn(usize) -> bool) {
    let mut last: Option<usize> = None;
    for (x, value) in values.iter_mut().enumerate() {
        if marked(x) {
            last = Some(x);
        }
        if let Some(last) = last {
            *value = ((x - last) as u32).pow(2);
        }
    }
    let mut next: Option<usize> = None;
    for x in (0..values.len()).rev() {
        if values[x] == 0 {
            next = Some(x);
        }
        if let Some(next) = next {
            values[x] = values[x].min(((next - x) as u32).pow(2));
        }
    }
}

/// The lower envelope of parabolas (u − i)² + hᵢ over one line of voxels.
struct Envelope {
    heights: Vec<u32>,
    /// Where each parabola of the envelope sits, and the first voxel for which it is the lowest.
    parabolas: Vec<(usize, usize)>,
}

impl Envelope {
    fn new(length: usize) -> Self {
        Self { heights: Vec::with_capacity(length), parabolas: Vec::with_capacity(length) }
    }

    fn at(&self, parabola: usize, u: usize) -> i64 {
        let d = u as i64 - parabola as i64;
        d * d + i64::from(self.heights[parabola])
    }

    fn lower(&mut self, heights: impl Iterator<Item = u32>) {
        self.heights.clear();
        self.heights.extend(heights);
        self.parabolas.clear();
        let length = self.heights.len();
        for u in 0..length {
            if self.heights[u] == NOWHERE {
                continue;
            }
            // A parabola that is lower at the start of the last one's stretch replaces it.
            while let Some(&(last, start)) = self.parabolas.last()
                && self.at(last, start) > self.at(u, start)
            {
                self.parabolas.pop();
            }
            let start = match self.parabolas.last() {
                None => 0,
                Some(&(last, _)) => {
                    let (i, j) = (last as i64, u as i64);
                    let rise = i64::from(self.heights[u]) - i64::from(self.heights[last]);
                    // The new one is lower beyond the last voxel at which both are equal.
                    let equal = (j * j - i * i + rise).div_euclid(2 * (j - i));
                    (equal + 1) as usize
                }
            };
            if start < length {
                self.parabolas.push((u, start));
            }
        }
    }

    fn each(&self, mut visit: impl FnMut(usize, u32)) {
        for (k, &(parabola, start)) in self.parabolas.iter().enumerate() {
            let end = self.parabolas.get(k + 1).map_or(self.heights.len(), |next| next.1);
            (start..end).for_each(|u| visit(u, self.at(parabola, u) as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brute(size: UVec3, marked: &[bool]) -> Vec<u32> {
        let [nx, ny, _] = size.to_array().map(|n| n as usize);
        let place = |i: usize| [i % nx, i / nx % ny, i / nx / ny].map(|c| c as i64);
        let sources: Vec<[i64; 3]> = (0..marked.len()).filter(|&i| marked[i]).map(place).collect();
        let nearest = |i: usize| {
            let x = place(i);
            sources.iter().map(|s| (0..3).map(|k| (s[k] - x[k]).pow(2)).sum::<i64>()).min()
        };
        (0..marked.len()).map(|i| nearest(i).map_or(NOWHERE, |d| d as u32)).collect()
    }

    /// A fixed scatter: about one voxel in `sparsity`.
    fn scattered(count: usize, sparsity: u32) -> Vec<bool> {
        let mut state = 12345u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        (0..count).map(|_| next() % sparsity == 0).collect()
    }

    #[test]
    fn the_transform_is_exactly_that_of_brute_force_on_32_cubed() {
        for sparsity in [7, 400, 20_000] {
            let size = UVec3::splat(32);
            let marked = scattered(32 * 32 * 32, sparsity);
            assert_eq!(transform(size, |i| marked[i]), brute(size, &marked));
        }
    }

    #[test]
    fn nothing_marked_is_nowhere() {
        assert!(transform(UVec3::new(3, 4, 5), |_| false).iter().all(|&d| d == NOWHERE));
    }

    proptest! {
        #[test]
        fn any_small_grid_agrees_with_brute_force(
            nx in 1u32..9, ny in 1u32..9, nz in 1u32..9, marks in prop::collection::vec(0u8..6, 512)
        ) {
            let size = UVec3::new(nx, ny, nz);
            let marked: Vec<bool> = marks.iter().take((nx * ny * nz) as usize).map(|&m| m == 0).collect();
            prop_assert_eq!(transform(size, |i| marked[i]), brute(size, &marked));
        }
    }
}
