// Sums of blocks of 4,096 values by one workgroup each. Wants `launch`; the kernel binds `reduced` and says what is summed:
// `reduce_value(i)`, for i below `launch.count`.
#import reduce_tree

fn reduce_block(group: vec3<u32>, lane: u32) {
    let block = launch_group(group, REDUCE_LANES);
    if block * REDUCE_BLOCK >= launch.count { return; }
    let sum = reduce_range(block * REDUCE_BLOCK, launch.count, lane);
    if lane == 0u { reduced[block] = sum; }
}
