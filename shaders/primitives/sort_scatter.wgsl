// Moves the pairs of a block to their places by one digit, one workgroup per block. Equal digits keep their
// order: a lane takes consecutive pairs, and its ranks follow those of the lanes before it.
#import launch

const DIGIT_BITS: u32 = 8u;
const LANES: u32 = 32u;
const RUN: u32 = 128u;       // consecutive pairs per lane
const BLOCK: u32 = LANES * RUN;
const ROWS: u32 = 128u;      // two digits share a word: the ranks of a block need 12 bits

@group(0) @binding(0) var<uniform> launch: Launch;                               // index: digit; flags: its mask
@group(0) @binding(1) var<storage, read> pairs: array<vec2<u32>>;                // key, value
@group(0) @binding(2) var<storage, read> digit_starts: array<u32>;               // digit by digit, block by block
@group(0) @binding(3) var<storage, read_write> sorted: array<vec2<u32>>;

var<workgroup> ranks: array<u32, ROWS * LANES>;

fn digit_of(pair: vec2<u32>) -> u32 {
    return (pair.x >> (launch.index * DIGIT_BITS)) & launch.flags;
}

// A lane's word of a row. Rows are rotated, so that lanes going along rows do not meet in one memory bank.
fn cell(row: u32, lane: u32) -> u32 {
    return row * LANES + (lane + row) % LANES;
}

@compute @workgroup_size(32)
fn sort_scatter(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, LANES);
    if block * BLOCK >= launch.count { return; }
    let first = block * BLOCK + lane * RUN;
    let end = min(first + RUN, launch.count);
    // How often each digit occurs in the lane's run.
    for (var row = 0u; row < ROWS; row++) { ranks[cell(row, lane)] = 0u; }
    for (var i = first; i < end; i++) {
        let digit = digit_of(pairs[i]);
        ranks[cell(digit / 2u, lane)] += 1u << (digit % 2u * 16u);
    }
    workgroupBarrier();
    // How often it occurs in the runs before, both digits of a word at once.
    for (var row = lane; row < ROWS; row += LANES) {
        var before = 0u;
        for (var other = 0u; other < LANES; other++) {
            let k = cell(row, other);
            let n = ranks[k];
            ranks[k] = before;
            before += n;
        }
    }
    workgroupBarrier();
    let blocks = (launch.count + BLOCK - 1u) / BLOCK;
    for (var i = first; i < end; i++) {
        let pair = pairs[i];
        let digit = digit_of(pair);
        let shift = digit % 2u * 16u;
        let k = cell(digit / 2u, lane);
        let rank = ranks[k];
        ranks[k] = rank + (1u << shift);
        let place = digit_starts[digit * blocks + block] + ((rank >> shift) & 0xffffu);
        if place < launch.count { sorted[place] = pair; }
    }
}
