// Global and point damping, one thread per particle of a body.
#import launch
#import spin

const CENTRE: u32 = 1u;
const RIGID: u32 = 2u;
const POINT: u32 = 4u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> damp_motions: array<vec4<f32>>;     // centre from the first particle, mass; dt v_cm; dt ω; dt Σ m vᵣ/M
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;        // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> residuals: array<vec4<f32>>;        // xyz [m]
@group(0) @binding(4) var<storage, read_write> offsets: array<vec4<f32>>;    // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn damp_global(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let i = launch.first + number;
    let x = positions[i];
    if !(x.w > 0.0) { return; }
    let offset = offsets[i];
    let residual = residuals[i].xyz;
    let way = offset.xyz - residual;
    var change: vec3<f32>;
    if (launch.flags & POINT) != 0u {
        change = (1.0 - exp(-(launch.weight * launch.dt * x.w))) * way;
    } else {
        let slot = 4u * launch.base;
        let f = launch.first;
        let r = ((x.xyz - positions[f].xyz) + (residual - residuals[f].xyz)) - damp_motions[slot].xyz;
        var relative = way - damp_motions[slot + 1u].xyz;
        if (launch.flags & RIGID) != 0u {
            relative -= cross(damp_motions[slot + 2u].xyz, r);
        } else if (launch.flags & CENTRE) != 0u {
            relative = spin_radial(r, relative) - damp_motions[slot + 3u].xyz;
        }
        change = launch.weight * relative;
    }
    offsets[i] = vec4<f32>(offset.xyz - change, offset.w);
}
