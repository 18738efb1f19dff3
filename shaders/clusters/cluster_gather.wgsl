// Moves every clustered particle by the mean of what its clusters ask for, always in the same order, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> clustered: array<u32>;                 // particles that are members of clusters
@group(0) @binding(2) var<storage, read> clustered_starts: array<u32>;          // where the memberships of each begin, and one end
@group(0) @binding(3) var<storage, read> clustered_slots: array<u32>;           // their members' places
@group(0) @binding(4) var<storage, read> member_pulls: array<vec4<f32>>;        // δ [m]; Λ [m]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;           // w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn cluster_gather(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let row = launch.first + launch_id(id);
    let particle = clustered[row];
    if positions[particle].w == 0.0 { return; }
    let start = clustered_starts[row];
    let end = clustered_starts[row + 1u];
    var sum = vec3<f32>();
    for (var s = start; s < end; s++) {
        sum += member_pulls[2u * clustered_slots[s]].xyz;
    }
    let offset = offsets[particle];
    offsets[particle] = vec4<f32>(offset.xyz + sum / f32(end - start), offset.w);
}
