//! The pattern of a sparse matrix of 3×3 blocks, in slices of 32 rows.
//!
//! The k-th blocks of a slice's 32 rows stand side by side, number by number, so that neighbouring threads read neighbouring
//! numbers. A slice is as long as its longest row; what is left over multiplies the row's own vector by zero. A node has one row for
//! its translation, and a second one for its rotation if it has one.

/// Rows per slice.
pub const SLICE: u32 = 32;

/// Which columns each row has, and where its blocks are.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Where each row's columns begin, and one end.
    row_starts: Vec<u32>,
    /// Sorted in each row.
    row_columns: Vec<u32>,
    /// Where each slice begins, in groups of 32 blocks, and one end.
    pub starts: Vec<u32>,
    /// The column of each block, by its place.
    pub columns: Vec<u32>,
}

impl Rows {
    /// From the sorted columns of each row.
    pub fn new(rows: &[Vec<u32>]) -> Self {
        let mut found = Self { row_starts: vec![0], starts: vec![0], ..Self::default() };
        for row in rows {
            found.row_columns.extend(row);
            found.row_starts.push(found.row_columns.len() as u32);
        }
        for (slice, rows) in (0u32..).zip(rows.chunks(SLICE as usize)) {
            let longest = rows.iter().map(Vec::len).max().unwrap_or_default();
            for k in 0..longest {
                found.columns.extend((0..SLICE).map(|lane| {
                    let row = rows.get(lane as usize);
                    // A padded block points at its own row, or at the first one where the slice has no row.
                    let own = if row.is_some() { slice * SLICE + lane } else { 0 };
                    row.and_then(|row| row.get(k)).copied().unwrap_or(own)
                }));
            }
            found.starts.push((found.columns.len() / SLICE as usize) as u32);
        }
        found
    }

    pub fn count(&self) -> u32 {
        self.row_starts.len() as u32 - 1
    }

    /// Blocks, without those that pad slices.
    pub fn block_count(&self) -> usize {
        self.row_columns.len()
    }

    /// Blocks with those that pad slices.
    pub fn padded_count(&self) -> usize {
        self.columns.len()
    }

    /// The columns of a row with the places of their blocks.
    pub fn of(&self, row: u32) -> impl Iterator<Item = (u32, u32)> {
        let range = self.row_starts[row as usize] as usize..self.row_starts[row as usize + 1] as usize;
        let first = self.starts[(row / SLICE) as usize];
        let places = (first..).map(move |k| SLICE * k + row % SLICE);
        self.row_columns[range].iter().copied().zip(places)
    }

    /// The place of a block of the pattern.
    pub fn place(&self, row: u32, column: u32) -> Option<u32> {
        let range = self.row_starts[row as usize] as usize..self.row_starts[row as usize + 1] as usize;
        let k = self.row_columns[range].binary_search(&column).ok()? as u32;
        Some(SLICE * (self.starts[(row / SLICE) as usize] + k) + row % SLICE)
    }
}

/// Where the first number of a block is in the values; the other eight follow at distances of [`SLICE`], row by row.
#[inline(always)]
pub fn first_value(place: u32) -> usize {
    (9 * (place / SLICE) * SLICE + place % SLICE) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_has_a_place_of_its_own() {
        let rows: Vec<Vec<u32>> =
            (0..70).map(|i| (0..70).filter(|j| (i * j) % 7 == i % 3).collect()).collect();
        let pattern = Rows::new(&rows);
        let mut seen = std::collections::HashSet::new();
        for (i, columns) in (0u32..).zip(&rows) {
            for &j in columns {
                let place = pattern.place(i, j).unwrap();
                assert_eq!(pattern.columns[place as usize], j);
                assert_eq!(place % SLICE, i % SLICE);
                assert!(seen.insert(place), "place {place} twice");
            }
            assert_eq!(pattern.of(i).map(|(column, _)| column).collect::<Vec<_>>(), *columns);
        }
        assert_eq!(seen.len(), pattern.block_count());
        assert_eq!(pattern.place(1, 69), None);
    }
}
