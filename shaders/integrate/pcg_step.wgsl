// One step of conjugate gradients along the direction, one thread per row.
#import launch
#import block3

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> row_groups: array<u32>;                  // body of each row, if any
@group(0) @binding(2) var<storage, read> group_scalars: array<vec4<f32>>;         // r·z, r·z before, r·z at the start, p·q
@group(0) @binding(3) var<storage, read> cg_directions: array<vec4<f32>>;         // p, xyz [m/s]
@group(0) @binding(4) var<storage, read> cg_products: array<vec4<f32>>;           // q, xyz [N s]
@group(0) @binding(5) var<storage, read> smoothers: array<vec4<f32>>;             // xx, yy, zz; xy, yz, zx [1/kg], two per row
@group(0) @binding(6) var<storage, read_write> cg_changes: array<vec4<f32>>;      // Δv, xyz [m/s]
@group(0) @binding(7) var<storage, read_write> cg_residuals: array<vec4<f32>>;    // r, xyz [N s]
@group(0) @binding(8) var<storage, read_write> guess: array<vec4<f32>>;           // x, xyz [m/s]

@compute @workgroup_size(64)
fn pcg_step(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let group = row_groups[i];
    if group == 0xffffffffu { return; }
    let scalars = group_scalars[group];
    var r = cg_residuals[i].xyz;
    if scalars.x > launch.weight * scalars.z && scalars.w > 0.0 {
        let alpha = scalars.x / scalars.w;
        r -= alpha * cg_products[i].xyz;
        cg_changes[i] = vec4<f32>(cg_changes[i].xyz + alpha * cg_directions[i].xyz, 0.0);
        cg_residuals[i] = vec4<f32>(r, 0.0);
    }
    guess[i] = vec4<f32>(block3_multiply(smoothers[2u * i].xyz, smoothers[2u * i + 1u].xyz, r), 0.0);
}
