// The end of a substep, one thread per particle: velocities from the offsets, positions moved by them.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> offsets: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(2) var<storage, read_write> positions: array<vec4<f32>>;     // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read_write> residuals: array<vec4<f32>>;     // xyz [m], w = multiplicity
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;    // xyz [m/s]
@group(0) @binding(5) var<storage, read_write> clock: array<u32>;               // substeps done

@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if i == 0u { clock[0] += 1u; }
    let offset = offsets[i].xyz;
    let residual = residuals[i];
    let x = positions[i];
    // A compiler may simplify (x + o) − x to o; the exclusive or with a zero it cannot see keeps the rounding.
    let moved = bitcast<vec3<f32>>(bitcast<vec3<u32>>(x.xyz + offset) ^ vec3<u32>(launch.flags));
    velocities[i] = vec4<f32>((offset - residual.xyz) / launch.dt, 0.0);
    residuals[i] = vec4<f32>(offset - (moved - x.xyz), residual.w);
    positions[i] = vec4<f32>(moved, x.w);
}
