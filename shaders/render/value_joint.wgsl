// Bending and twist energy of each joint of a rod or a net. The same as src/model/rod_measure.rs on the host.
#import values
#import frame

struct Joint {
    frames: vec4<u32>,              // x, y: that it joins
    offsets: array<vec4<f32>, 2>,   // turns from the frames to the axes that are compared
    rest: vec4<f32>,                // xyz [rad], w: 1 over the length [1/m]
    half_stiffness: vec4<f32>,      // ½ over the compliances [N m/rad]
}

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> frames: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> joints: array<Joint>;
@group(0) @binding(3) var<storage, read_write> element_values: array<vec4<f32>>;    // x: a particle's share of the energy [J]
@group(0) @binding(4) var<storage, read_write> joint_values: array<vec4<f32>>;      // y: bending, z: twist [J/m]

@compute @workgroup_size(64)
fn value_joint(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.joint_count { return; }
    let joint = joints[i];
    let a = frame_product(frame_orientation(joint.frames.x), joint.offsets[0]);
    let b = frame_product(frame_orientation(joint.frames.y), joint.offsets[1]);
    let relative = frame_product(frame_back(a), b);
    let strain = 2.0 * relative.xyz * select(1.0, -1.0, relative.w < 0.0) - joint.rest.xyz;
    let stored = joint.half_stiffness.xyz * strain * strain;
    let bend = stored.x + stored.y;
    let place = values.held_count + values.tet_count + values.segment_count + i;
    element_values[place] = vec4(0.5 * (bend + stored.z), 0.0, 0.0, 0.0);
    joint_values[i] = vec4(0.0, bend * joint.rest.w, stored.z * joint.rest.w, 0.0);
}
