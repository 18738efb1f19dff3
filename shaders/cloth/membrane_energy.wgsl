// How the energy of a triangle differs between where a step of Newton's method begins and where it leads, one thread per triangle.
#import launch
#import green
#import stretch
#import sheet_law

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;      // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;         // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> fabrics: array<vec4<f32>>;               // a₁₁, a₂₂, a₁₂, G [N/m]; viscous [N s/m]; law
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> residuals: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(6) var<storage, read> newton_starts: array<vec4<f32>>;         // where the step begins, xyz [m]
@group(0) @binding(7) var<storage, read> search_steps: array<vec4<f32>>;          // the step, xyz [m]; w = 1 while the search goes on
@group(0) @binding(8) var<storage, read_write> corner_energies: array<f32>;       // [J]

@compute @workgroup_size(64)
fn membrane_energy(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let corners = membrane_corners[t];
    if search_steps[corners.x].w == 0.0 { return; }
    let rest = membrane_rest[2u * t];
    let elastic = fabrics[3u * corners.w];
    let viscous = fabrics[3u * corners.w + 1u];
    let law = fabrics[3u * corners.w + 2u];
    let xi = positions[corners.x].xyz;
    let si = newton_starts[corners.x].xyz;
    let sj = newton_starts[corners.y].xyz;
    let sk = newton_starts[corners.z].xyz;
    let f = green_gradient(
        rest,
        (positions[corners.y].xyz - xi) + (sj - si),
        (positions[corners.z].xyz - xi) + (sk - si),
    );
    let di = search_steps[corners.x].xyz;
    let df = green_gradient(rest, search_steps[corners.y].xyz - di, search_steps[corners.z].xyz - di);
    let start = sheet_shape(f, law);
    var change = green_strain_change(f + 0.5 * df, df);
    if law.x != 0.0 { change = sheet_shape(f + df, law).strain - start.strain; }
    let s = sheet_stress(elastic, start.strain + 0.5 * change, law) + membrane_rest[2u * t + 1u].xyz;
    let wi = si - residuals[corners.x].xyz;
    let travelled =
        green_gradient(rest, (sj - residuals[corners.y].xyz) - wi, (sk - residuals[corners.z].xyz) - wi);
    let at_middle = (1.0 / launch.dt) * (travelled + 0.5 * df);
    let damped = green_stress(viscous, green_strain_change(start.axes, at_middle));
    let work = green_contract(s, change) + green_contract(damped, green_strain_change(start.axes, df));
    let share = green_area(rest) * work * (1.0 / 3.0);
    let slot = launch.base + 3u * t;
    for (var c = 0u; c < 3u; c++) { corner_energies[slot + c] = share; }
}
