// The corrections of triangles that are beyond their strain limits, on shares of the masses, one thread per triangle.
#import launch
#import green
#import stretch

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
    let i = membrane_corners[t];
    let rest = membrane_rest[2u * t];
    let high = strain_limits[2u * i.w].xyz;
    let low = strain_limits[2u * i.w + 1u].xyz;
    let x1 = positions[i.x];
    let x2 = positions[i.y];
    let x3 = positions[i.z];
    let o1 = offsets[i.x];
    let o2 = offsets[i.y];
    let o3 = offsets[i.z];
    let f = green_gradient(
        rest,
        (x2.xyz - x1.xyz) + (o2.xyz - o1.xyz),
        (x3.xyz - x1.xyz) + (o3.xyz - o1.xyz),
    );
    let s = stretch_polar(f);
    if !s.valid { return; }
    let strain = s.u - vec3<f32>(1.0, 1.0, 0.0);
    let d = clamp(strain, low, high) - strain;
    if all(abs(d) <= vec3<f32>(launch.weight)) { return; }
    atomicAdd(&limit_violations[launch.index], 1u);
    let shares = vec3<f32>(f32(limit_shares[i.x]), f32(limit_shares[i.y]), f32(limit_shares[i.z]));
    let weights = vec3<f32>(x1.w, x2.w, x3.w) * shares;
    let change = stretch_change(rest, s.u, strain_limits[2u * i.w].w * d, weights);
    limit_corrections[3u * t] = vec4<f32>(s.r * change.x1, 0.0);
    limit_corrections[3u * t + 1u] = vec4<f32>(s.r * change.x2, 0.0);
    limit_corrections[3u * t + 2u] = vec4<f32>(s.r * change.x3, 0.0);
}
