// The sum of at most 4,096 values by one workgroup, by a tree that depends on their number alone. The kernel says what is summed:
// `reduce_value(i)`.

const REDUCE_LANES: u32 = 256u;
const REDUCE_BLOCK: u32 = 4096u;    // 16 values per lane
const REDUCE_PARTS: u32 = 16u;      // 16 lanes per part

var<workgroup> lane_sums: array<f32, REDUCE_LANES>;
var<workgroup> part_sums: array<f32, REDUCE_PARTS>;

fn reduce_at(i: u32, end: u32) -> f32 {
    if i >= end { return 0.0; }
    return reduce_value(i);
}

// Neighbours in pairs: the error grows with the depth of the tree, not with the number of values.
fn reduce_across(v: vec4<f32>) -> f32 {
    return (v.x + v.y) + (v.z + v.w);
}

// The sum from `first` to before `end`, in the first lane.
fn reduce_range(first: u32, end: u32, lane: u32) -> f32 {
    var sum = vec4<f32>(0.0);
    for (var i = first + lane; i < first + REDUCE_BLOCK; i += 4u * REDUCE_LANES) {
        sum += vec4<f32>(
            reduce_at(i, end),
            reduce_at(i + REDUCE_LANES, end),
            reduce_at(i + 2u * REDUCE_LANES, end),
            reduce_at(i + 3u * REDUCE_LANES, end),
        );
    }
    lane_sums[lane] = reduce_across(sum);
    workgroupBarrier();
    if lane < REDUCE_PARTS {
        var part = vec4<f32>(0.0);
        for (var k = lane * REDUCE_PARTS; k < (lane + 1u) * REDUCE_PARTS; k += 4u) {
            part += vec4<f32>(lane_sums[k], lane_sums[k + 1u], lane_sums[k + 2u], lane_sums[k + 3u]);
        }
        part_sums[lane] = reduce_across(part);
    }
    workgroupBarrier();
    var all = vec4<f32>(0.0);
    if lane == 0u {
        for (var k = 0u; k < REDUCE_PARTS; k += 4u) {
            all += vec4<f32>(part_sums[k], part_sums[k + 1u], part_sums[k + 2u], part_sums[k + 3u]);
        }
    }
    return reduce_across(all);
}
