// The impulses that hold a triangle within its strain limits, one thread per triangle of one colour, or of all in Jacobi.
#import launch
#import green
#import stretch

const LIMIT_JACOBI: u32 = 1u;   // corrections go to slots of their own

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;          // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;             // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> strain_limits: array<vec4<f32>>;             // highest weft, warp, shear, ω; lowest
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;                 // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;             // xyz [m], w = solver's 1/mass
@group(0) @binding(6) var<storage, read_write> limit_impulses: array<vec4<f32>>;      // weft, warp, shear [kg m²]; sharing triangles
@group(0) @binding(7) var<storage, read_write> limit_corrections: array<vec4<f32>>;   // xyz [kg m], one per corner
@group(0) @binding(8) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration

@compute @workgroup_size(64)
fn limit_impulse(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    if launch.index > 0u && atomicLoad(&limit_violations[launch.index - 1u]) == 0u { return; }
    let t = launch.first + number;
    let i = membrane_corners[t];
    let rest = membrane_rest[2u * t];
    let high = strain_limits[2u * i.w];
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
    let jacobi = (launch.flags & LIMIT_JACOBI) != 0u;
    let memory = limit_impulses[t];
    let before = memory.xyz;
    if jacobi {
        limit_corrections[3u * t] = vec4<f32>();
        limit_corrections[3u * t + 1u] = vec4<f32>();
        limit_corrections[3u * t + 2u] = vec4<f32>();
    }
    if !s.valid {
        limit_impulses[t] = vec4<f32>(0.0, 0.0, 0.0, memory.w);
        return;
    }
    let strain = s.u - vec3<f32>(1.0, 1.0, 0.0);
    let beyond = abs(clamp(strain, low, high.xyz) - strain);
    let violated = any(beyond > vec3<f32>(launch.weight));
    if launch.index > 0u && !violated { return; }
    if all(beyond <= vec3<f32>(0.0)) && all(before == vec3<f32>(0.0)) { return; }
    let g1 = stretch_mode_gradients(s.u, -(rest.xy + rest.zw));
    let g2 = stretch_mode_gradients(s.u, rest.xy);
    let g3 = stretch_mode_gradients(s.u, rest.zw);
    let shares = select(1.0, memory.w, jacobi);
    let w = shares * (x1.w * (transpose(g1) * g1) + x2.w * (transpose(g2) * g2) + x3.w * (transpose(g3) * g3));
    let found = stretch_impulse(w, strain, low, high.xyz, before, high.w);
    let after = found.value;
    if violated || found.change > launch.weight { atomicAdd(&limit_violations[launch.index], 1u); }
    let change = before - after;
    let c1 = s.r * (g1 * change);
    let c2 = s.r * (g2 * change);
    let c3 = s.r * (g3 * change);
    limit_impulses[t] = vec4<f32>(after, memory.w);
    if jacobi {
        limit_corrections[3u * t] = vec4<f32>(c1, 0.0);
        limit_corrections[3u * t + 1u] = vec4<f32>(c2, 0.0);
        limit_corrections[3u * t + 2u] = vec4<f32>(c3, 0.0);
        return;
    }
    if x1.w > 0.0 { offsets[i.x] = vec4<f32>(o1.xyz + c1 * x1.w, o1.w); }
    if x2.w > 0.0 { offsets[i.y] = vec4<f32>(o2.xyz + c2 * x2.w, o2.w); }
    if x3.w > 0.0 { offsets[i.z] = vec4<f32>(o3.xyz + c3 * x3.w, o3.w); }
}
