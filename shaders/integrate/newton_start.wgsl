// Where a step of Newton's method begins, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(2) var<storage, read> residuals: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(3) var<storage, read> offsets: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(4) var<storage, read_write> inertial: array<vec4<f32>>;        // where inertia alone leads, xyz [m]; w = share of the mass
@group(0) @binding(5) var<storage, read_write> newton_starts: array<vec4<f32>>;   // xyz [m]
@group(0) @binding(6) var<storage, read_write> newton_ends: array<vec4<f32>>;     // o + (o − r), xyz [m]

const AGAIN: u32 = 32u;

@compute @workgroup_size(64)
fn newton_start(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let offset = offsets[i].xyz;
    let residual = residuals[i].xyz;
    if (launch.flags & AGAIN) == 0u {
        inertial[i] = vec4<f32>(offset, inertial[i].w);
        newton_starts[i] = vec4<f32>(select(offset, residual, positions[i].w > 0.0), 0.0);
        return;
    }
    newton_starts[i] = vec4<f32>(offset, 0.0);
    newton_ends[i] = vec4<f32>(offset + (offset - residual), 0.0);
}
