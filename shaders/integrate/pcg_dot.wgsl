// Scalar products of blocks of rows, one workgroup per block.
#import launch
#import reduce_tree

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> dot_blocks: array<vec2<u32>>;     // rows: first, end
@group(0) @binding(2) var<storage, read> left: array<vec4<f32>>;           // xyz
@group(0) @binding(3) var<storage, read> right: array<vec4<f32>>;          // xyz
@group(0) @binding(4) var<storage, read_write> dot_parts: array<f32>;      // one per block

fn reduce_value(i: u32) -> f32 {
    return dot(left[i].xyz, right[i].xyz);
}

@compute @workgroup_size(256)
fn pcg_dot(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, REDUCE_LANES);
    if block >= launch.count { return; }
    let sum = reduce_range(dot_blocks[block].x, dot_blocks[block].y, lane);
    if lane == 0u { dot_parts[block] = sum; }
}
