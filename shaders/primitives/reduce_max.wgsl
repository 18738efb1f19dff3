// Largest of blocks of 4,096 values, one workgroup per block; a NaN is larger than everything.
//
// Compares integers in the order of the reals, because WGSL lets a compiler assume that NaN does not occur.
#import launch

const LANES: u32 = 256u;
const BLOCK: u32 = 4096u;    // 16 values per lane
const PARTS: u32 = 16u;      // 16 lanes per part

const SIGN: u32 = 0x80000000u;
const INFINITY: u32 = 0x7f800000u;
const LOWEST: u32 = 0u;                // below the order of −∞
const NOT_A_NUMBER: u32 = 0xffffffffu;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> reduced: array<f32>;              // one per block

var<workgroup> lane_orders: array<u32, LANES>;
var<workgroup> part_orders: array<u32, PARTS>;

// A number that grows with the value.
fn order(i: u32) -> u32 {
    if i >= launch.count { return LOWEST; }
    let bits = bitcast<u32>(values[i]);
    let ordered = select(bits | SIGN, ~bits, bits >= SIGN);
    return select(ordered, NOT_A_NUMBER, (bits & ~SIGN) > INFINITY);
}

// The value of an order; that of NOT_A_NUMBER is a NaN.
fn unordered(order: u32) -> f32 {
    return bitcast<f32>(select(~order, order & ~SIGN, order >= SIGN));
}

@compute @workgroup_size(256)
fn reduce_max(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, LANES);
    if block * BLOCK >= launch.count { return; }
    var largest = LOWEST;
    for (var i = block * BLOCK + lane; i < (block + 1u) * BLOCK; i += LANES) {
        largest = max(largest, order(i));
    }
    lane_orders[lane] = largest;
    workgroupBarrier();
    if lane < PARTS {
        for (var k = lane * PARTS; k < (lane + 1u) * PARTS; k++) {
            largest = max(largest, lane_orders[k]);
        }
        part_orders[lane] = largest;
    }
    workgroupBarrier();
    if lane == 0u {
        for (var k = 0u; k < PARTS; k++) {
            largest = max(largest, part_orders[k]);
        }
        reduced[block] = unordered(largest);
    }
}
