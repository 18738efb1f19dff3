// The corrections of triangles that are beyond their strain limits, on shares of the masses, one thread per triangle.
#import launch
#import green
#import stretch
#import limited

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;          // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;             // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> strain_limits: array<vec4<f32>>;             // highest weft, warp, shear, ω; lowest
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;                 // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> offsets: array<vec4<f32>>;                   // xyz [m]
@group(0) @binding(6) var<storage, read> limit_shares: array<u32>;                    // violated triangles at each particle
@group(0) @binding(7) var<storage, read_write> limit_corrections: array<vec4<f32>>;   // xyz [m], one per corner
@group(0) @binding(8) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration

@compute @workgroup_size(64)
fn limit_split(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    if launch.index > 0u && atomicLoad(&limit_violations[launch.index - 1u]) == 0u { return; }
    let l = limited_triangle(t);
    if !limited_is_beyond(l) { return; }
    atomicAdd(&limit_violations[launch.index], 1u);
    let shares = vec3<f32>(f32(limit_shares[l.i.x]), f32(limit_shares[l.i.y]), f32(limit_shares[l.i.z]));
    let weights = vec3<f32>(l.x1.w, l.x2.w, l.x3.w) * shares;
    let change = stretch_change(l.rest, l.shape.u, l.high.w * l.gap, weights);
    limit_corrections[3u * t] = vec4<f32>(l.shape.r * change.x1, 0.0);
    limit_corrections[3u * t + 1u] = vec4<f32>(l.shape.r * change.x2, 0.0);
    limit_corrections[3u * t + 2u] = vec4<f32>(l.shape.r * change.x3, 0.0);
}
