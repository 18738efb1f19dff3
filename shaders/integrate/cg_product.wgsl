// q = κ M p + Σ (τ² K + τ D) p over a particle's corners, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corner_starts: array<u32>;              // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> corner_slots: array<u32>;               // places in `corner_forces`
@group(0) @binding(3) var<storage, read> corner_forces: array<vec4<f32>>;       // xyz [N s]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> cg_directions: array<vec4<f32>>;       // xyz [m/s]
@group(0) @binding(6) var<storage, read> cg_counts: array<u32>;                 // done, iterations
@group(0) @binding(7) var<storage, read_write> cg_products: array<vec4<f32>>;   // xyz [N s]

@compute @workgroup_size(64)
fn cg_product(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || cg_counts[0] != 0u { return; }
    let w = positions[i].w;
    var q = vec3<f32>(0.0);
    if w > 0.0 {
        for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
            q += corner_forces[corner_slots[s]].xyz;
        }
        q = cg_directions[i].xyz * (launch.weight / w) + q;
    }
    cg_products[i] = vec4<f32>(q, 0.0);
}
