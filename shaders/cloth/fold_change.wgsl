// (τ² K + τ D) d of bending at the corners of a hinge, one thread per hinge.
#import launch
#import hinge

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> fold_corners: array<vec4<u32>>;          // x₁, x₂ opposite, x₃, x₄ on the edge
@group(0) @binding(2) var<storage, read> fold_rest: array<vec4<f32>>;             // c [N m], sin θ₀/2, d [N m s]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> residuals: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(5) var<storage, read> cg_directions: array<vec4<f32>>;         // xyz [m/s]
@group(0) @binding(6) var<storage, read> cg_counts: array<u32>;                   // done, iterations
@group(0) @binding(7) var<storage, read_write> corner_forces: array<vec4<f32>>;   // xyz [N s]

@compute @workgroup_size(64)
fn fold_change(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count || cg_counts[0] != 0u { return; }
    let i = fold_corners[k];
    let rest = fold_rest[k];
    let x3 = positions[i.z].xyz;
    let r3 = residuals[i.z].xyz;
    let hinge = hinge_of(
        (positions[i.w].xyz - x3) + (residuals[i.w].xyz - r3),
        (positions[i.x].xyz - x3) + (residuals[i.x].xyz - r3),
        (positions[i.y].xyz - x3) + (residuals[i.y].xyz - r3),
    );
    let tau = launch.weight * launch.dt;
    let stiffness = tau * (tau * 0.5 * rest.x * hinge_half_angle(hinge).y + rest.z);
    let d3 = cg_directions[i.z].xyz;
    let turn = dot(hinge.g1, cg_directions[i.x].xyz - d3) + dot(hinge.g2, cg_directions[i.y].xyz - d3)
        + dot(hinge.g4, cg_directions[i.w].xyz - d3);
    let moment = stiffness * turn;
    let slot = launch.base + 4u * k;
    corner_forces[slot] = vec4<f32>(moment * hinge.g1, 0.0);
    corner_forces[slot + 1u] = vec4<f32>(moment * hinge.g2, 0.0);
    corner_forces[slot + 2u] = vec4<f32>(moment * hinge.g3, 0.0);
    corner_forces[slot + 3u] = vec4<f32>(moment * hinge.g4, 0.0);
}
