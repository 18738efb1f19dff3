// Clears the counts of a solve, one thread.
#import launch

const DONE: u32 = 0u;
const ITERATIONS: u32 = 1u;
const UNFINISHED: u32 = 4u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read_write> cg_counts: array<u32>;   // done, iterations, all, the most, unfinished

@compute @workgroup_size(1)
fn pcg_prepare(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    if cg_counts[DONE] == 0u && cg_counts[ITERATIONS] > 0u { cg_counts[UNFINISHED] += 1u; }
    cg_counts[DONE] = 0u;
    cg_counts[ITERATIONS] = 0u;
}
