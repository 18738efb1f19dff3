// The start of conjugate gradients from no change, one thread per row.
#import launch
#import block3

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cg_residuals: array<vec4<f32>>;      // r, xyz [N s], [N m s]
@group(0) @binding(2) var<storage, read> smoothers: array<vec4<f32>>;         // xx, yy, zz; xy, yz, zx, two per row
@group(0) @binding(3) var<storage, read_write> guess: array<vec4<f32>>;       // x, xyz
@group(0) @binding(4) var<storage, read_write> cg_changes: array<vec4<f32>>;  // Δv, xyz

@compute @workgroup_size(64)
fn cell_begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let r = cg_residuals[i].xyz;
    guess[i] = vec4<f32>(block3_multiply(smoothers[2u * i].xyz, smoothers[2u * i + 1u].xyz, r), 0.0);
    cg_changes[i] = vec4<f32>(0.0);
}
