// The product of a sparse matrix and a vector, one thread per row of blocks.
#import launch
#import rows_times

const REMAINDER: u32 = 1u;   // b − A x

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> slice_starts: array<u32>;       // where each slice's blocks begin, in groups of 32
@group(0) @binding(2) var<storage, read> columns: array<u32>;            // row of `guess` of each block
@group(0) @binding(3) var<storage, read> values: array<f32>;             // nine per block
@group(0) @binding(4) var<storage, read> right: array<vec4<f32>>;        // b
@group(0) @binding(5) var<storage, read> guess: array<vec4<f32>>;        // x
@group(0) @binding(6) var<storage, read> cg_counts: array<u32>;          // done, iterations
@group(0) @binding(7) var<storage, read_write> result: array<vec4<f32>>;

@compute @workgroup_size(64)
fn matrix_product(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || cg_counts[0] != 0u { return; }
    var product = rows_times(i);
    if (launch.flags & REMAINDER) != 0u { product = right[i].xyz - product; }
    result[i] = vec4<f32>(product, 0.0);
}
