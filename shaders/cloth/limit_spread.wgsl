// Whether the next iteration of the strain limits visits a triangle, one thread per triangle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;   // three particles, fabric
@group(0) @binding(2) var<storage, read> limit_shares: array<u32>;             // corrected triangles at each particle
@group(0) @binding(3) var<storage, read_write> limit_flags: array<u32>;        // 1 for a triangle to visit

@compute @workgroup_size(64)
fn limit_spread(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let i = membrane_corners[t];
    limit_flags[t] = min(limit_shares[i.x] + limit_shares[i.y] + limit_shares[i.z], 1u);
}
