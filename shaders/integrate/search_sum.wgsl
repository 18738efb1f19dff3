// Sums of blocks of rows of a body, one workgroup per block.
#import launch
#import reduce_tree

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> dot_blocks: array<vec2<u32>>;     // rows: first, end
@group(0) @binding(2) var<storage, read> merits: array<f32>;               // ΔΦ [kg m²]
@group(0) @binding(3) var<storage, read_write> dot_parts: array<f32>;      // one per block

fn reduce_value(i: u32) -> f32 {
    return merits[i];
}

@compute @workgroup_size(256)
fn search_sum(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, REDUCE_LANES);
    if block >= launch.count { return; }
    let sum = reduce_range(dot_blocks[block].x, dot_blocks[block].y, lane);
    if lane == 0u { dot_parts[block] = sum; }
}
