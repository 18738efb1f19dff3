// Sums of the products of blocks of 4,096 vectors, one workgroup per block.
#import launch
#import reduce

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> left: array<vec4<f32>>;                 // xyz
@group(0) @binding(2) var<storage, read> right: array<vec4<f32>>;                // xyz
@group(0) @binding(3) var<storage, read_write> reduced: array<f32>;              // one per block

fn reduce_value(i: u32) -> f32 {
    return dot(left[i].xyz, right[i].xyz);
}

@compute @workgroup_size(256)
fn reduce_dot(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    reduce_block(group, lane);
}
