// CoRdE, the torques of bending and twist, one thread per joint. src/rods/corde_joint.rs has the equations.
#import launch
#import strain
#import frame_turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corde_joints: array<vec2<u32>>;         // frames a, b
@group(0) @binding(2) var<storage, read> corde_joint_rest: array<vec4<f32>>;     // 2 s₀, γᵣ/L [N m s]; K/L [N m]
@group(0) @binding(3) var<storage, read> frames: array<vec4<f32>>;               // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(4) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep so far
@group(0) @binding(5) var<storage, read> spins: array<vec4<f32>>;                // xyz [rad/s], about the frame's axes
@group(0) @binding(6) var<storage, read_write> corde_loads: array<vec4<f32>>;    // torque on a, torque on b [N m]

@compute @workgroup_size(64)
fn corde_joint(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let a = corde_joints[n].x;
    let b = corde_joints[n].y;
    let rest = corde_joint_rest[2u * n];
    let stiffness = corde_joint_rest[2u * n + 1u].xyz;
    let relative = strain_relative(frames[2u * a], frames[2u * b], frame_turn(a), frame_turn(b));
    let moment = stiffness * (2.0 * relative.xyz - rest.xyz);
    let rub = rest.w * (quat_rotate(relative, spins[b].xyz) - spins[a].xyz);
    let along = relative.w * moment;
    let across = cross(relative.xyz, moment);
    let slot = launch.base + 2u * n;
    corde_loads[slot] = vec4<f32>(along + across + rub, 0.0);
    corde_loads[slot + 1u] = vec4<f32>(across - along - quat_rotate(quat_conjugate(relative), rub), 0.0);
}
