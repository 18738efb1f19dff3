// Blocks of a sparse matrix in slices of 32 rows; src/integrate/rows.rs has the layout.

const ROWS_SLICE: u32 = 32u;

// Where the first number of a block is; the other eight follow at distances of a slice, row by row.
fn rows_first_value(place: u32) -> u32 {
    return 9u * (place / ROWS_SLICE) * ROWS_SLICE + place % ROWS_SLICE;
}
