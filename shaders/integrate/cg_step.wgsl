// One step of conjugate gradients along the direction, one thread per particle.
#import launch
#import block3

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cg_old: array<f32>;                          // r·z before
@group(0) @binding(2) var<storage, read> cg_curvature: array<f32>;                    // p·q
@group(0) @binding(3) var<storage, read> cg_directions: array<vec4<f32>>;             // xyz [m/s]
@group(0) @binding(4) var<storage, read> cg_products: array<vec4<f32>>;               // xyz [N s]
@group(0) @binding(5) var<storage, read> cg_blocks: array<vec4<f32>>;                 // xx, yy, zz; xy, yz, zx [1/kg], two per particle
@group(0) @binding(6) var<storage, read_write> cg_changes: array<vec4<f32>>;          // Δv, xyz [m/s]
@group(0) @binding(7) var<storage, read_write> cg_residuals: array<vec4<f32>>;        // xyz [N s]
@group(0) @binding(8) var<storage, read_write> cg_preconditioned: array<vec4<f32>>;   // xyz [m/s]

@compute @workgroup_size(64)
fn cg_step(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var change = vec3<f32>(0.0);
    if launch.index > 0u { change = cg_changes[i].xyz; }
    if !(cg_curvature[0] > 0.0) {
        cg_changes[i] = vec4<f32>(change, 0.0);
        return;
    }
    let alpha = cg_old[0] / cg_curvature[0];
    let r = cg_residuals[i].xyz - alpha * cg_products[i].xyz;
    cg_changes[i] = vec4<f32>(change + alpha * cg_directions[i].xyz, 0.0);
    cg_residuals[i] = vec4<f32>(r, 0.0);
    cg_preconditioned[i] = vec4<f32>(block3_multiply(cg_blocks[2u * i].xyz, cg_blocks[2u * i + 1u].xyz, r), 0.0);
}
