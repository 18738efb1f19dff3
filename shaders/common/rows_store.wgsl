// Replaces blocks of a sparse matrix; the kernel binds `values`.
#import rows

fn rows_store(place: u32, m: mat3x3<f32>) {
    let first = rows_first_value(place);
    for (var row = 0u; row < 3u; row++) {
        values[first + ROWS_SLICE * (3u * row)] = m[0][row];
        values[first + ROWS_SLICE * (3u * row + 1u)] = m[1][row];
        values[first + ROWS_SLICE * (3u * row + 2u)] = m[2][row];
    }
}

// A block and its transpose, or a block on the diagonal by its upper half.
fn rows_store_both(places: vec2<u32>, m: mat3x3<f32>) {
    if places.x == places.y {
        rows_store(places.x, mat3x3<f32>(
            m[0].x, m[1].x, m[2].x,
            m[1].x, m[1].y, m[2].y,
            m[2].x, m[2].y, m[2].z,
        ));
        return;
    }
    rows_store(places.x, m);
    rows_store(places.y, transpose(m));
}
