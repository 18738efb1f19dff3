// Torques on magnets that are rigid bodies, about their principal axes; one thread each.
#import launch
#import quat
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> twisted: array<vec2<u32>>;                // magnet, row of `rigid_torques`
@group(0) @binding(2) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(3) var<storage, read> magnet_sums: array<vec4<f32>>;            // force [N], torque about the centre [N m]
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(5) var<storage, read_write> rigid_torques: array<vec4<f32>>;    // about the principal axes [N m], body by body

@compute @workgroup_size(64)
fn twist_bodies(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let magnet = twisted[i].x;
    let frame = magnets[magnet].z;
    let axes = turn_apply(frames[2u * frame], frames[2u * frame + 1u].xyz);
    let torque = magnet_sums[2u * magnet + 1u].xyz;
    rigid_torques[twisted[i].y] = vec4<f32>(quat_rotate(quat_conjugate(axes), torque), 0.0);
}
