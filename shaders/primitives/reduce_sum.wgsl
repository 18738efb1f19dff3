// Sums of blocks of 4,096 values, one workgroup per block.
#import launch
#import reduce

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> reduced: array<f32>;              // one per block

fn reduce_value(i: u32) -> f32 {
    return values[i];
}

@compute @workgroup_size(256)
fn reduce_sum(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    reduce_block(group, lane);
}
