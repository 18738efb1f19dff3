// A block of a fine level's matrix; the kernel binds `fine_values`.
#import rows

fn rows_load(place: u32) -> mat3x3<f32> {
    let v = rows_first_value(place);
    return mat3x3<f32>(
        fine_values[v], fine_values[v + 96u], fine_values[v + 192u],
        fine_values[v + 32u], fine_values[v + 128u], fine_values[v + 224u],
        fine_values[v + 64u], fine_values[v + 160u], fine_values[v + 256u],
    );
}
