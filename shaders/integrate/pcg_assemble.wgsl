// The blocks of the system matrix from the factors of elements, one thread per block on or above the diagonal.
#import launch
#import factors
#import rows_store

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> block_starts: array<u32>;            // where each block's list begins, and one end
@group(0) @binding(2) var<storage, read> block_entries: array<u32>;           // factors and corners
@group(0) @binding(3) var<storage, read> block_places: array<vec2<u32>>;      // of the block and of its transpose
@group(0) @binding(4) var<storage, read> columns: array<u32>;                 // particle of each block's column, by its place
@group(0) @binding(5) var<storage, read> corner_blocks: array<vec4<f32>>;     // factors
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;         // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read> inertial: array<vec4<f32>>;          // w = share of the mass
@group(0) @binding(8) var<storage, read_write> values: array<f32>;            // [kg], nine per block

@compute @workgroup_size(64)
fn pcg_assemble(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let places = block_places[i];
    let w = positions[columns[places.x]].w;
    let v = positions[columns[places.y]].w;
    var sum = mat3x3<f32>();
    if w > 0.0 && v > 0.0 {
        if places.x == places.y { sum = factors_diagonal(inertial[columns[places.x]].w / w); }
        for (var s = block_starts[i]; s < block_starts[i + 1u]; s++) {
            sum += factors_block(block_entries[s]);
        }
    }
    rows_store_both(places, sum);
}
