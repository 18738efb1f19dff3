// Bounces: velocities and spins change after a substep has ended, one thread for each rigid body.
#import launch
#import rigid

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rigid_bodies: array<vec4<u32>>;           // particle, frame, first record of its parts, features
@group(0) @binding(2) var<storage, read> rigid_motions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> velocities: array<vec4<f32>>;       // xyz [m/s]
@group(0) @binding(4) var<storage, read_write> spins: array<vec4<f32>>;            // xyz [rad/s], about the frame's axes

@compute @workgroup_size(64)
fn kick_bodies(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = rigid_bodies[i];
    let first = RIGID_RECORDS * i + 5u;
    let velocity = velocities[body.x];
    let spin = spins[body.y];
    velocities[body.x] = vec4<f32>(velocity.xyz + rigid_motions[first].xyz, velocity.w);
    spins[body.y] = vec4<f32>(spin.xyz + rigid_motions[first + 1u].xyz, spin.w);
}
