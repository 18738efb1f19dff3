// What contact needs of each rigid body, side by side, one thread each. The first iteration forgets earlier bounces.
#import launch
#import rigid

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rigid_bodies: array<vec4<u32>>;           // particle, frame, first record of its parts, features
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> offsets: array<vec4<f32>>;                // xyz [m], w = the solver's 1/mass
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternions, every second
@group(0) @binding(5) var<storage, read> frame_inertia: array<vec4<f32>>;          // inverse inertia [1/(kg m²)]
@group(0) @binding(6) var<storage, read> turns: array<vec4<f32>>;                  // xyz the rotation of this substep
@group(0) @binding(7) var<storage, read_write> rigid_motions: array<vec4<f32>>;

@compute @workgroup_size(64)
fn gather_bodies(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = rigid_bodies[i];
    let first = RIGID_RECORDS * i;
    rigid_motions[first] = positions[body.x];
    rigid_motions[first + 1u] = frames[2u * body.y];
    rigid_motions[first + 2u] = vec4<f32>(frame_inertia[body.y].xyz, 0.0);
    rigid_motions[first + 3u] = vec4<f32>(offsets[body.x].xyz, 0.0);
    rigid_motions[first + 4u] = vec4<f32>(turns[body.y].xyz, 0.0);
    if launch.index == 0u {
        rigid_motions[first + 5u] = vec4<f32>(0.0);
        rigid_motions[first + 6u] = vec4<f32>(0.0);
    }
}
