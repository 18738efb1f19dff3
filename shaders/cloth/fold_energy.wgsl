// How the energy of a hinge differs between where a step of Newton's method begins and where it leads, one thread per hinge.
#import launch
#import hinge

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> fold_corners: array<vec4<u32>>;          // x₁, x₂ opposite, x₃, x₄ on the edge
@group(0) @binding(2) var<storage, read> fold_rest: array<vec4<f32>>;             // c [N m], sin θ₀/2, d [N m s]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> residuals: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(5) var<storage, read> newton_starts: array<vec4<f32>>;         // where the step begins, xyz [m]
@group(0) @binding(6) var<storage, read> search_steps: array<vec4<f32>>;          // the step, xyz [m]; w = 1 while the search goes on
@group(0) @binding(7) var<storage, read_write> corner_energies: array<f32>;       // [J]

@compute @workgroup_size(64)
fn fold_energy(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let i = fold_corners[k];
    if search_steps[i.x].w == 0.0 { return; }
    let rest = fold_rest[k];
    let x3 = positions[i.z].xyz;
    let s1 = newton_starts[i.x].xyz;
    let s2 = newton_starts[i.y].xyz;
    let s3 = newton_starts[i.z].xyz;
    let s4 = newton_starts[i.w].xyz;
    let d1 = search_steps[i.x].xyz;
    let d2 = search_steps[i.y].xyz;
    let d3 = search_steps[i.z].xyz;
    let d4 = search_steps[i.w].xyz;
    let e = (positions[i.w].xyz - x3) + (s4 - s3);
    let a = (positions[i.x].xyz - x3) + (s1 - s3);
    let c = (positions[i.y].xyz - x3) + (s2 - s3);
    let start = hinge_of(e, a, c);
    let end = hinge_of(e + (d4 - d3), a + (d1 - d3), c + (d2 - d3));
    var energy = 0.0;
    if dot(start.g1, start.g1) > 0.0 && dot(end.g1, end.g1) > 0.0 {
        let h = hinge_half_angle(start);
        let h_end = hinge_half_angle(end);
        let sum = h.y + h_end.y;
        var cosines = 0.0;
        if sum > 0.0 { cosines = (h_end.x - h.x) * (h_end.x + h.x) / sum; }
        let turned = atan2(h_end.x * h.y - h_end.y * h.x, h_end.y * h.y + h_end.x * h.x);
        let w3 = s3 - residuals[i.z].xyz;
        let moved = dot(start.g1, d1 - d3) + dot(start.g2, d2 - d3) + dot(start.g4, d4 - d3);
        let travelled = dot(start.g1, (s1 - residuals[i.x].xyz) - w3)
            + dot(start.g2, (s2 - residuals[i.y].xyz) - w3)
            + dot(start.g4, (s4 - residuals[i.w].xyz) - w3);
        let damped = rest.z * (travelled + 0.5 * moved) / launch.dt * moved;
        energy = 2.0 * rest.x * (cosines - rest.y * turned) + damped;
    }
    let share = 0.25 * energy;
    let slot = launch.base + 4u * k;
    for (var c = 0u; c < 4u; c++) { corner_energies[slot + c] = share; }
}
