// What the contacts at all corners of a driven body have together of its motion, one thread per body.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;   // base: corners that are particles
@group(0) @binding(1) var<storage, read> driven_bodies: array<vec4<u32>>;       // particle, frame, first driven corner, corners
@group(0) @binding(2) var<storage, read_write> touch_shares: array<f32>;        // sum of |a| over the contacts of each corner

@compute @workgroup_size(64)
fn driven_share(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let first = launch.base + driven_bodies[i].z;
    let end = first + driven_bodies[i].w;
    var sum = 0.0;
    for (var corner = first; corner < end; corner++) { sum += touch_shares[corner]; }
    for (var corner = first; corner < end; corner++) { touch_shares[corner] = sum; }
}
