// Bodies whose surfaces touch as corners driven by a frame, side by side, one thread each.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> driven_bodies: array<vec4<u32>>;           // particle, frame, first driven corner, corners
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> offsets: array<vec4<f32>>;                 // xyz [m], w = solver's 1/mass
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;                  // unit quaternions, every second
@group(0) @binding(5) var<storage, read> frame_inertia: array<vec4<f32>>;           // inverse inertia [1/(kg m²)]
@group(0) @binding(6) var<storage, read> turns: array<vec4<f32>>;                   // xyz the rotation of this substep
@group(0) @binding(7) var<storage, read_write> driven_motions: array<vec4<f32>>;    // five records a body

@compute @workgroup_size(64)
fn driven_gather(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = driven_bodies[i];
    driven_motions[5u * i] = positions[body.x];
    driven_motions[5u * i + 1u] = frames[2u * body.y];
    driven_motions[5u * i + 2u] = vec4<f32>(frame_inertia[body.y].xyz, 0.0);
    driven_motions[5u * i + 3u] = vec4<f32>(offsets[body.x].xyz, 0.0);
    driven_motions[5u * i + 4u] = vec4<f32>(turns[body.y].xyz, 0.0);
}
