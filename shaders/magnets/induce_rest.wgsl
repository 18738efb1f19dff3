// What the first guess leaves; one thread a cell.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_fields: array<vec4<f32>>;             // b
@group(0) @binding(2) var<storage, read> induced_images: array<vec4<f32>>;             // w
@group(0) @binding(3) var<storage, read_write> induced_residuals: array<vec4<f32>>;    // r

@compute @workgroup_size(64)
fn induce_rest(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    induced_residuals[i] = vec4<f32>(induced_fields[i].xyz - induced_images[i].xyz, 0.0);
}
