// What contact has done to rigid bodies goes back to their particles and frames, one thread each.
#import launch
#import rigid

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rigid_bodies: array<vec4<u32>>;           // particle, frame, first record of its parts, features
@group(0) @binding(2) var<storage, read> rigid_motions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> offsets: array<vec4<f32>>;          // xyz [m], w = the solver's 1/mass
@group(0) @binding(4) var<storage, read_write> turns: array<vec4<f32>>;            // xyz the rotation of this substep

@compute @workgroup_size(64)
fn move_bodies(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = rigid_bodies[i];
    let offset = rigid_motions[RIGID_RECORDS * i + 3u].xyz;
    offsets[body.x] = vec4<f32>(offset, offsets[body.x].w);
    turns[body.y] = rigid_motions[RIGID_RECORDS * i + 4u];
}
