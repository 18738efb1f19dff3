// The list of triangles to visit, one thread per triangle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> limit_visits_counts: array<u32>;             // 1 for a triangle to visit
@group(0) @binding(2) var<storage, read> limit_visits_starts: array<u32>;             // visits before it
@group(0) @binding(3) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration, and visits
@group(0) @binding(4) var<storage, read_write> limit_list: array<u32>;                // triangles

@compute @workgroup_size(64)
fn limit_visit(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    if t == 0u { atomicAdd(&limit_violations[launch.base], limit_visits_starts[launch.count]); }
    if limit_visits_counts[t] > 0u { limit_list[limit_visits_starts[t]] = t; }
}
