// The scalars of a body's conjugate gradients, one workgroup per body.
#import launch
#import reduce_tree

const CURVATURE: u32 = 1u;   // p·q

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> group_blocks: array<vec2<u32>>;          // blocks of each body: first, end
@group(0) @binding(2) var<storage, read> dot_parts: array<f32>;                   // one per block
@group(0) @binding(3) var<storage, read_write> group_scalars: array<vec4<f32>>;   // r·z, r·z before, r·z at the start, p·q

fn reduce_value(i: u32) -> f32 {
    return dot_parts[i];
}

@compute @workgroup_size(256)
fn pcg_sum(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = launch_group(group, REDUCE_LANES);
    if number >= launch.count { return; }
    let sum = reduce_range(group_blocks[number].x, group_blocks[number].y, lane);
    if lane != 0u { return; }
    let before = group_scalars[number];
    if (launch.flags & CURVATURE) != 0u {
        group_scalars[number] = vec4<f32>(before.xyz, sum);
    } else if launch.index == 0u {
        group_scalars[number] = vec4<f32>(sum, sum, sum, 0.0);
    } else {
        group_scalars[number] = vec4<f32>(sum, before.x, before.z, 0.0);
    }
}
