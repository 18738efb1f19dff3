// CoRdE, the torques of the joints of nets, one thread per joint. src/nets/corde_net_joint.rs has the equations.
#import launch
#import net_joint
#import frame_turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> net_joints: array<vec2<u32>>;           // frames a, b
@group(0) @binding(2) var<storage, read> net_rest: array<vec4<f32>>;             // oₐ, o_b, C₀, α [rad/(N m)]
@group(0) @binding(3) var<storage, read> net_frictions: array<f32>;              // γᵣ/L [N m s]
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;               // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(5) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep so far
@group(0) @binding(6) var<storage, read> spins: array<vec4<f32>>;                // xyz [rad/s], about the frame's axes
@group(0) @binding(7) var<storage, read_write> corde_loads: array<vec4<f32>>;    // torque on a, torque on b [N m]

@compute @workgroup_size(64)
fn corde_net_joint(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let j = launch.first + n;
    let a = net_joints[j].x;
    let b = net_joints[j].y;
    let oa = net_rest[4u * j];
    let ob = net_rest[4u * j + 1u];
    let joint = net_joint(frames[2u * a], frames[2u * b], frame_turn(a), frame_turn(b), oa, ob);
    let moment = (2.0 * joint.relative.xyz - net_rest[4u * j + 2u].xyz) / net_rest[4u * j + 3u].xyz;
    // From b's axes to a's and back, through those that are compared.
    let there = quat_rotate(oa, quat_rotate(joint.relative, quat_rotate(quat_conjugate(ob), spins[b].xyz)));
    let rub = net_frictions[j] * (there - spins[a].xyz);
    let back = quat_rotate(ob, quat_rotate(quat_conjugate(joint.relative), quat_rotate(quat_conjugate(oa), rub)));
    let slot = launch.base + 2u * n;
    corde_loads[slot] = vec4<f32>(transpose(joint.first) * moment + rub, 0.0);
    corde_loads[slot + 1u] = vec4<f32>(-(transpose(joint.second) * moment) - back, 0.0);
}
