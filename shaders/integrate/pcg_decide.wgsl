// Whether any body's conjugate gradients go on, one thread.
#import launch

const DONE: u32 = 0u;
const ITERATIONS: u32 = 1u;
const TOTAL: u32 = 2u;
const MOST: u32 = 3u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> group_scalars: array<vec4<f32>>;          // r·z, r·z before, r·z at the start, p·q
@group(0) @binding(2) var<storage, read_write> cg_counts: array<u32>;              // done, iterations, all, the most, unfinished

@compute @workgroup_size(1)
fn pcg_decide(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count || cg_counts[DONE] != 0u { return; }
    var running = false;
    for (var g = 0u; g < arrayLength(&group_scalars); g++) {
        running = running || group_scalars[g].x > launch.weight * group_scalars[g].z;
    }
    if running {
        let iterations = cg_counts[ITERATIONS] + 1u;
        cg_counts[ITERATIONS] = iterations;
        cg_counts[TOTAL] += 1u;
        cg_counts[MOST] = max(cg_counts[MOST], iterations);
    } else {
        cg_counts[DONE] = 1u;
    }
}
