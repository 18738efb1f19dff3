// The rotation of a rigid body under a torque, one thread each: two Newton steps of a variational integrator.
#import launch
#import turn
#import gyration

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> frame_inertia: array<vec4<f32>>;        // inverse inertia [1/(kg m²)]
@group(0) @binding(2) var<storage, read> rigid_torques: array<vec4<f32>>;        // about the principal axes [N m], body by body
@group(0) @binding(3) var<storage, read> frames: array<vec4<f32>>;               // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(4) var<storage, read_write> spins: array<vec4<f32>>;          // xyz [rad/s], about the frame's axes
@group(0) @binding(5) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the rotation of this substep

@compute @workgroup_size(64)
fn predict_bodies(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let inverse = frame_inertia[k].xyz;
    if inverse.x == 0.0 { return; }
    let spin = gyration_changed(spins[k].xyz, inverse, rigid_torques[launch_id(id)].xyz * launch.dt, launch.dt, 1.0, GYRATION_BETWEEN);
    spins[k] = vec4<f32>(spin, 0.0);
    turns[k] = vec4<f32>(turn_compose(frames[2u * k + 1u].xyz, spin / (2.0 / launch.dt)), 0.0);
}
