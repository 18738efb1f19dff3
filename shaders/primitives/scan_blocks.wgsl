// Exclusive prefix sums of blocks of 4,096 integers, one workgroup per block, and the total after the last.
#import launch

const LANES: u32 = 256u;
const RUN: u32 = 16u;        // consecutive integers per lane, in registers as four times four
const BLOCK: u32 = LANES * RUN;
const PARTS: u32 = 16u;      // 16 lanes per part
const CONTINUED: u32 = 1u;   // blocks begin where `block_starts` says, not at 0

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> block_starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;               // one more than counts

var<workgroup> lane_starts: array<u32, LANES>;   // within the part
var<workgroup> part_sums: array<u32, PARTS>;

fn one(i: u32) -> u32 {
    return select(0u, counts[min(i, launch.count - 1u)], i < launch.count);
}

fn four(i: u32) -> vec4<u32> {
    return vec4<u32>(one(i), one(i + 1u), one(i + 2u), one(i + 3u));
}

// Writes the starts of four, the total if it is among them, and returns the start of the next.
fn put(i: u32, n: vec4<u32>, x: u32) -> u32 {
    let y = x + n.x;
    let z = y + n.y;
    let w = z + n.z;
    if i <= launch.count { starts[i] = x; }
    if i + 1u <= launch.count { starts[i + 1u] = y; }
    if i + 2u <= launch.count { starts[i + 2u] = z; }
    if i + 3u <= launch.count { starts[i + 3u] = w; }
    return w + n.w;
}

@compute @workgroup_size(256)
fn scan_blocks(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, LANES);
    if block * BLOCK >= launch.count { return; }
    let first = block * BLOCK + lane * RUN;
    let a = four(first);
    let b = four(first + 4u);
    let c = four(first + 8u);
    let d = four(first + 12u);
    let sums = a + b + c + d;
    lane_starts[lane] = sums.x + sums.y + sums.z + sums.w;
    workgroupBarrier();
    if lane < PARTS {
        var sum = 0u;
        for (var k = lane * PARTS; k < (lane + 1u) * PARTS; k++) {
            let n = lane_starts[k];
            lane_starts[k] = sum;
            sum += n;
        }
        part_sums[lane] = sum;
    }
    workgroupBarrier();
    var start = lane_starts[lane];
    if launch.flags == CONTINUED { start += block_starts[block]; }
    for (var k = 0u; k < lane / PARTS; k++) { start += part_sums[k]; }
    start = put(first, a, start);
    start = put(first + 4u, b, start);
    start = put(first + 8u, c, start);
    start = put(first + 12u, d, start);
    // The total after a full block is in no lane's run.
    if lane == LANES - 1u && first + RUN == launch.count { starts[first + RUN] = start; }
}
