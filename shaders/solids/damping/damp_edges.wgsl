// Dampers along edges, one thread per particle of a body.
#import launch
#import spin

const PROJECTED: u32 = 1u;
const REDUCED: u32 = 2u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> damp_edge_starts: array<u32>;          // where each particle's neighbours begin, and one end
@group(0) @binding(2) var<storage, read> damp_neighbours: array<u32>;           // particles
@group(0) @binding(3) var<storage, read> damp_masses: array<f32>;               // [kg]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> residuals: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(7) var<storage, read_write> damp_changes: array<vec4<f32>>;  // xyz [m]

fn degree(p: u32) -> f32 {
    return f32(damp_edge_starts[p + 1u] - damp_edge_starts[p]);
}

@compute @workgroup_size(64)
fn damp_edges(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let i = launch.first + number;
    let x = positions[i];
    let r = residuals[i].xyz;
    let o = offsets[i].xyz;
    let mass = damp_masses[i];
    var change = vec3<f32>(0.0);
    if x.w > 0.0 {
        for (var n = damp_edge_starts[i]; n < damp_edge_starts[i + 1u]; n++) {
            let j = damp_neighbours[n];
            let s = residuals[j].xyz;
            let edge = (x.xyz - positions[j].xyz) + (r - s);
            var pull = (o - offsets[j].xyz) - (r - s);
            if (launch.flags & PROJECTED) != 0u { pull = spin_radial(edge, pull); }
            var k = launch.weight * launch.dt / mass;
            if (launch.flags & REDUCED) != 0u {
                let other = damp_masses[j];
                k = launch.weight * other / ((mass + other) * max(degree(i), degree(j)));
            }
            change -= k * pull;
        }
    }
    damp_changes[i] = vec4<f32>(change, 0.0);
}
