// Whether the next iteration of the strain limits visits a triangle, one thread per triangle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;   // three particles, fabric
@group(0) @binding(2) var<storage, read> limit_shares: array<u32>;             // corrected triangles at each particle
@group(0) @binding(3) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration
@group(0) @binding(4) var<storage, read_write> limit_visits_counts: array<u32>;       // 1 for a triangle to visit

@compute @workgroup_size(64)
fn limit_spread(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let i = membrane_corners[t];
    let goes_on = atomicLoad(&limit_violations[launch.index]) > 0u;
    let shares = limit_shares[i.x] + limit_shares[i.y] + limit_shares[i.z];
    limit_visits_counts[t] = select(0u, 1u, goes_on && shares > 0u);
}
