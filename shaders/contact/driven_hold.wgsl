// The guard: a driven body goes and turns as far as all of its corners may, one thread per body.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> driven_bodies: array<vec4<u32>>;           // particle, frame, first driven corner, corners
@group(0) @binding(2) var<storage, read> driven_rooms: array<f32>;                  // share of the way of each driven corner
@group(0) @binding(3) var<storage, read_write> driven_motions: array<vec4<f32>>;    // five records a body
@group(0) @binding(4) var<storage, read_write> contact_counts: array<atomic<u32>>;  // particles held back, lists made

@compute @workgroup_size(64)
fn driven_hold(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = driven_bodies[i];
    var share = 1.0;
    for (var d = body.z; d < body.z + body.w; d++) { share = min(share, driven_rooms[d]); }
    if share < 1.0 {
        atomicAdd(&contact_counts[0], 1u);
        driven_motions[5u * i + 3u] = vec4<f32>(driven_motions[5u * i + 3u].xyz * share, 0.0);
        driven_motions[5u * i + 4u] = vec4<f32>(driven_motions[5u * i + 4u].xyz * share, 0.0);
    }
}
