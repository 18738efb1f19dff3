// The row of blocks of a sparse matrix times a vector; the kernel binds `slice_starts`, `columns`, `values` and `guess`.
#import rows

fn rows_times(row: u32) -> vec3<f32> {
    let slice = row / ROWS_SLICE;
    let lane = row % ROWS_SLICE;
    var sum = vec3<f32>(0.0);
    for (var k = slice_starts[slice]; k < slice_starts[slice + 1u]; k++) {
        let x = guess[columns[ROWS_SLICE * k + lane]].xyz;
        let v = 9u * ROWS_SLICE * k + lane;
        sum += vec3<f32>(
            values[v] * x.x + values[v + 32u] * x.y + values[v + 64u] * x.z,
            values[v + 96u] * x.x + values[v + 128u] * x.y + values[v + 160u] * x.z,
            values[v + 192u] * x.x + values[v + 224u] * x.y + values[v + 256u] * x.z,
        );
    }
    return sum;
}
