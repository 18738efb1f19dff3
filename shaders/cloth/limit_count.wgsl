// Counts the iterations of the strain limits in this substep and clears the list for the next; one thread.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read_write> limit_violations: array<u32>;   // by iteration
@group(0) @binding(2) var<storage, read_write> limit_counts: array<u32>;       // triangles left in the last, iterations of this substep, of all, the most

@compute @workgroup_size(1)
fn limit_count(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    var used = 0u;
    var left = 0u;
    for (var k = 0u; k < launch.index; k++) {
        left = limit_violations[k];
        used += select(0u, 1u, left > 0u);
        limit_violations[k] = 0u;
    }
    limit_counts[0] = left;
    limit_counts[1] = used;
    limit_counts[2] += used;
    limit_counts[3] = max(limit_counts[3], used);
}
