// The arms of rigid motions, one thread per weight.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> arm_ends: array<vec2<u32>>;      // particles: of the fine node, of the coarse one
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;     // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> residuals: array<vec4<f32>>;     // xyz [m]
@group(0) @binding(4) var<storage, read_write> arms: array<vec4<f32>>;    // d, xyz [m]

@compute @workgroup_size(64)
fn grid_arms(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let ends = arm_ends[i];
    let arm = (positions[ends.x].xyz - positions[ends.y].xyz) + (residuals[ends.x].xyz - residuals[ends.y].xyz);
    arms[i] = vec4<f32>(arm, 0.0);
}
