// The next direction of conjugate residuals and its product; one thread a cell.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_old: array<f32>;                      // ρ before
@group(0) @binding(2) var<storage, read> induced_new: array<f32>;                      // ρ now
@group(0) @binding(3) var<storage, read> induced_residuals: array<vec4<f32>>;          // r
@group(0) @binding(4) var<storage, read> induced_images: array<vec4<f32>>;             // w
@group(0) @binding(5) var<storage, read> induced_counts: array<u32>;                   // done, iterations of this substep, of all, the most, unfinished
@group(0) @binding(6) var<storage, read_write> induced_directions: array<vec4<f32>>;   // p
@group(0) @binding(7) var<storage, read_write> induced_products: array<vec4<f32>>;     // q

@compute @workgroup_size(64)
fn induce_turn(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || induced_counts[0] != 0u { return; }
    let old = induced_old[0];
    var beta = 0.0;
    if launch.index > 0u && old != 0.0 { beta = induced_new[0] / old; }
    let p = induced_residuals[i].xyz + induced_directions[i].xyz * beta;
    let q = induced_images[i].xyz + induced_products[i].xyz * beta;
    induced_directions[i] = vec4<f32>(p, 0.0);
    induced_products[i] = vec4<f32>(q, 0.0);
}
