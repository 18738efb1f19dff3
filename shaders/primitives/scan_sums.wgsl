// Sums of blocks of 4,096 integers, one workgroup per block, modulo 2³²: any order gives the same.
#import launch

const LANES: u32 = 256u;
const BLOCK: u32 = 4096u;    // 16 integers per lane

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> block_sums: array<u32>;

var<workgroup> block_sum: atomic<u32>;

@compute @workgroup_size(256)
fn scan_sums(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, LANES);
    if block * BLOCK >= launch.count { return; }
    if lane == 0u { atomicStore(&block_sum, 0u); }
    workgroupBarrier();
    var sum = 0u;
    let end = min((block + 1u) * BLOCK, launch.count);
    for (var i = block * BLOCK + lane; i < end; i += LANES) {
        sum += counts[i];
    }
    atomicAdd(&block_sum, sum);
    workgroupBarrier();
    if lane == 0u { block_sums[block] = atomicLoad(&block_sum); }
}
