// The blocks of a coarse level whose unknowns are translations, one thread per block on or above the diagonal.
#import launch
#import rows_load
#import rows_store

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> block_starts: array<u32>;          // where each coarse block's list begins, and one end
@group(0) @binding(2) var<storage, read> block_entries: array<u32>;         // places of fine blocks
@group(0) @binding(3) var<storage, read> block_weights: array<f32>;         // products of weights
@group(0) @binding(4) var<storage, read> block_places: array<vec2<u32>>;    // of the coarse block and of its transpose
@group(0) @binding(5) var<storage, read> fine_values: array<f32>;           // nine per block
@group(0) @binding(6) var<storage, read_write> values: array<f32>;          // nine per block

@compute @workgroup_size(64)
fn galerkin(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var sum = mat3x3<f32>();
    for (var s = block_starts[i]; s < block_starts[i + 1u]; s++) {
        sum += block_weights[s] * rows_load(block_entries[s]);
    }
    rows_store_both(block_places[i], sum);
}
