// Where the corners of a driven surface are at the start of a substep, and how far its body carries them, one thread each.
#import launch
#import quat

@group(0) @binding(0) var<uniform> launch: Launch;   // base: corners that are particles
@group(0) @binding(1) var<storage, read> driven_owners: array<u32>;                 // the body of each driven corner
@group(0) @binding(2) var<storage, read> driven_arms: array<vec4<f32>>;             // xyz along the axes [m], w = 1/mass of a push there
@group(0) @binding(3) var<storage, read> driven_motions: array<vec4<f32>>;          // five records a body
@group(0) @binding(4) var<storage, read_write> corner_places: array<vec4<f32>>;     // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> corner_ways: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn driven_place(@builtin(global_invocation_id) id: vec3<u32>) {
    let d = launch_id(id);
    if d >= launch.count { return; }
    let arm = driven_arms[d];
    let first = 5u * driven_owners[d];
    let centre = driven_motions[first];
    let axes = driven_motions[first + 1u];
    let g = driven_motions[first + 4u].xyz;
    let once = cross(g, arm.xyz);
    let swing = (once + cross(g, once)) * (2.0 / (1.0 + dot(g, g)));
    corner_places[launch.base + d] = vec4<f32>(centre.xyz + quat_rotate(axes, arm.xyz), arm.w);
    corner_ways[launch.base + d] = vec4<f32>(driven_motions[first + 3u].xyz + quat_rotate(axes, swing), centre.w);
}
