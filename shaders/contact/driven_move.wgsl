// What contact has done to driven bodies goes back to their particles and frames, one thread each.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> driven_bodies: array<vec4<u32>>;           // particle, frame, first driven corner, corners
@group(0) @binding(2) var<storage, read> driven_motions: array<vec4<f32>>;          // five records a body
@group(0) @binding(3) var<storage, read_write> offsets: array<vec4<f32>>;           // xyz [m], w = solver's 1/mass
@group(0) @binding(4) var<storage, read_write> turns: array<vec4<f32>>;             // xyz the rotation of this substep

@compute @workgroup_size(64)
fn driven_move(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = driven_bodies[i];
    offsets[body.x] = vec4<f32>(driven_motions[5u * i + 3u].xyz, offsets[body.x].w);
    turns[body.y] = driven_motions[5u * i + 4u];
}
