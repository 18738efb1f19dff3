// Sums of the products of blocks of 4,096 vectors, one workgroup per block: the tree of `reduce_sum`.
#import launch

const LANES: u32 = 256u;
const BLOCK: u32 = 4096u;    // 16 products per lane
const PARTS: u32 = 16u;      // 16 lanes per part

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> left: array<vec4<f32>>;                 // xyz
@group(0) @binding(2) var<storage, read> right: array<vec4<f32>>;                // xyz
@group(0) @binding(3) var<storage, read_write> reduced: array<f32>;              // one per block

var<workgroup> lane_sums: array<f32, LANES>;
var<workgroup> part_sums: array<f32, PARTS>;

fn product(i: u32) -> f32 {
    if i >= launch.count { return 0.0; }
    return dot(left[i].xyz, right[i].xyz);
}

fn across(v: vec4<f32>) -> f32 {
    return (v.x + v.y) + (v.z + v.w);
}

@compute @workgroup_size(256)
fn reduce_dot(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, LANES);
    if block * BLOCK >= launch.count { return; }
    var sum = vec4<f32>(0.0);
    for (var i = block * BLOCK + lane; i < (block + 1u) * BLOCK; i += 4u * LANES) {
        sum += vec4<f32>(product(i), product(i + LANES), product(i + 2u * LANES), product(i + 3u * LANES));
    }
    lane_sums[lane] = across(sum);
    workgroupBarrier();
    if lane < PARTS {
        var part = vec4<f32>(0.0);
        for (var k = lane * PARTS; k < (lane + 1u) * PARTS; k += 4u) {
            part += vec4<f32>(lane_sums[k], lane_sums[k + 1u], lane_sums[k + 2u], lane_sums[k + 3u]);
        }
        part_sums[lane] = across(part);
    }
    workgroupBarrier();
    if lane == 0u {
        var all = vec4<f32>(0.0);
        for (var k = 0u; k < PARTS; k += 4u) {
            all += vec4<f32>(part_sums[k], part_sums[k + 1u], part_sums[k + 2u], part_sums[k + 3u]);
        }
        reduced[block] = across(all);
    }
}
