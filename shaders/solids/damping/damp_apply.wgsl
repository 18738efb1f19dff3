// What the neighbours did to each particle's way in one sweep, one thread per particle of a body.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> damp_changes: array<vec4<f32>>;     // xyz [m]
@group(0) @binding(2) var<storage, read_write> offsets: array<vec4<f32>>;    // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn damp_apply(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let i = launch.first + number;
    offsets[i] += vec4<f32>(damp_changes[i].xyz, 0.0);
}
