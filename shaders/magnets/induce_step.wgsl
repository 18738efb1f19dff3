// A step along the direction of conjugate residuals; one thread a cell.
#import induction
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_rest: array<vec4<f32>>;               // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
@group(0) @binding(2) var<storage, read> induced_new: array<f32>;                      // ρ
@group(0) @binding(3) var<storage, read> induced_steep: array<f32>;                    // q·q
@group(0) @binding(4) var<storage, read> induced_directions: array<vec4<f32>>;         // p
@group(0) @binding(5) var<storage, read> induced_products: array<vec4<f32>>;           // q
@group(0) @binding(6) var<storage, read> induced_counts: array<u32>;                   // done, iterations of this substep, of all, the most, unfinished
@group(0) @binding(7) var<storage, read_write> magnetisations: array<vec4<f32>>;       // along the grid [A/m]
@group(0) @binding(8) var<storage, read_write> induced_residuals: array<vec4<f32>>;    // r

@compute @workgroup_size(64)
fn induce_step(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    let steep = induced_steep[0];
    if i >= launch.count || induced_counts[0] != 0u || steep == 0.0 { return; }
    let alpha = induced_new[0] / steep;
    let scale = induced_rest[INDUCTION_RECORDS * i].z * alpha;
    let magnetisation = magnetisations[i].xyz + induced_directions[i].xyz * scale;
    let left = induced_residuals[i].xyz - induced_products[i].xyz * alpha;
    magnetisations[i] = vec4<f32>(magnetisation, 0.0);
    induced_residuals[i] = vec4<f32>(left, 0.0);
}
