// Whether the solve of induction goes on; one thread.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_first: array<f32>;            // b·b
@group(0) @binding(2) var<storage, read> induced_left: array<f32>;             // r·r
@group(0) @binding(3) var<storage, read_write> induced_counts: array<u32>;     // done, iterations of this substep, of all, the most, unfinished

@compute @workgroup_size(1)
fn induce_decide(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count || induced_counts[0] != 0u { return; }
    let step = select(0u, 1u, induced_left[0] > launch.weight * induced_first[0]);
    let iterations = induced_counts[1] + step;
    induced_counts[0] = 1u - step;
    induced_counts[1] = iterations;
    induced_counts[2] = induced_counts[2] + step;
    induced_counts[3] = max(induced_counts[3], iterations);
}
