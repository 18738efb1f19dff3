// (τ² K + τ D) d of the membrane at the corners of a triangle, one thread per triangle.
#import launch
#import green
#import stretch
#import sheet_law

const MEMBRANE_WHOLE: u32 = 2u;   // the whole stress in the stiffness

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;      // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;         // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> fabrics: array<vec4<f32>>;               // a₁₁, a₂₂, a₁₂, G [N/m]; viscous [N s/m]; law
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> residuals: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(6) var<storage, read> cg_directions: array<vec4<f32>>;         // xyz [m/s]
@group(0) @binding(7) var<storage, read> cg_counts: array<u32>;                   // done, iterations
@group(0) @binding(8) var<storage, read_write> corner_forces: array<vec4<f32>>;   // xyz [N s]

@compute @workgroup_size(64)
fn membrane_change(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count || cg_counts[0] != 0u { return; }
    let corners = membrane_corners[t];
    let material = membrane_rest[2u * t];
    let elastic = fabrics[3u * corners.w];
    let viscous = fabrics[3u * corners.w + 1u];
    let tau = launch.weight * launch.dt;
    let xi = positions[corners.x].xyz;
    let ri = residuals[corners.x].xyz;
    let law = fabrics[3u * corners.w + 2u];
    let shape = sheet_stressed(
        green_gradient(
            material,
            (positions[corners.y].xyz - xi) + (residuals[corners.y].xyz - ri),
            (positions[corners.z].xyz - xi) + (residuals[corners.z].xyz - ri),
        ),
        material,
        elastic,
        law,
    );
    let rest = shape.rest;
    let f = shape.axes;
    let di = cg_directions[corners.x].xyz;
    let df = green_gradient(rest, cg_directions[corners.y].xyz - di, cg_directions[corners.z].xyz - di);
    var taut = shape.stress + membrane_rest[2u * t + 1u].xyz;
    if (launch.flags & MEMBRANE_WHOLE) == 0u { taut = green_tension(taut); }
    taut *= tau * tau * shape.turning;
    let moduli = tau * (tau * shape.moduli + viscous);
    let dp = green_product(df, taut) + green_product(f, green_stress(moduli, green_strain_change(f, df)));
    let change = green_corners(rest, dp);
    corner_forces[3u * t] = vec4<f32>(-(change[0] + change[1]), 0.0);
    corner_forces[3u * t + 1u] = vec4<f32>(change[0], 0.0);
    corner_forces[3u * t + 2u] = vec4<f32>(change[1], 0.0);
}
