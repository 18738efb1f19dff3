// How often each digit occurs among the keys of a block, one workgroup per block.
#import launch

const DIGIT_BITS: u32 = 8u;
const LANES: u32 = 256u;     // one per digit
const BLOCK: u32 = 4096u;    // 16 pairs per lane

@group(0) @binding(0) var<uniform> launch: Launch;                               // index: digit; flags: its mask
@group(0) @binding(1) var<storage, read> pairs: array<vec2<u32>>;                // key, value
@group(0) @binding(2) var<storage, read_write> digit_counts: array<u32>;         // digit by digit, block by block

var<workgroup> block_counts: array<atomic<u32>, LANES>;

@compute @workgroup_size(256)
fn sort_count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, LANES);
    if block * BLOCK >= launch.count { return; }
    atomicStore(&block_counts[lane], 0u);
    workgroupBarrier();
    let end = min((block + 1u) * BLOCK, launch.count);
    for (var i = block * BLOCK + lane; i < end; i += LANES) {
        atomicAdd(&block_counts[(pairs[i].x >> (launch.index * DIGIT_BITS)) & launch.flags], 1u);
    }
    workgroupBarrier();
    let blocks = (launch.count + BLOCK - 1u) / BLOCK;
    digit_counts[lane * blocks + block] = atomicLoad(&block_counts[lane]);
}
