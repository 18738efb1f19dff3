// Forces that the scene puts on vertices, one thread each.
#import launch

const CHANGE: u32 = 4u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> load_forces: array<vec4<f32>>;             // xyz [N]
@group(0) @binding(2) var<storage, read_write> corner_forces: array<vec4<f32>>;     // xyz [N]

@compute @workgroup_size(64)
fn load(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    var force = load_forces[k].xyz;
    if (launch.flags & CHANGE) != 0u { force = vec3<f32>(0.0); }
    corner_forces[launch.base + k] = vec4<f32>(force, 0.0);
}
