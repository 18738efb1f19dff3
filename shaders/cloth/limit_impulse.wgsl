// The impulses that hold a triangle within its strain limits, one thread per triangle of one colour, or of all in Jacobi.
#import launch
#import green
#import stretch
#import limited

const LIMIT_JACOBI: u32 = 1u;   // corrections go to slots of their own

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;          // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;             // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> strain_limits: array<vec4<f32>>;             // highest weft, warp, shear, ω; lowest
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;                 // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;             // xyz [m], w = solver's 1/mass
@group(0) @binding(6) var<storage, read_write> limit_impulses: array<vec4<f32>>;      // weft, warp, shear [kg m²]; sharing triangles
@group(0) @binding(7) var<storage, read_write> limit_corrections: array<vec4<f32>>;   // xyz [kg m], one per corner
@group(0) @binding(8) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration and fabric

@compute @workgroup_size(64)
fn limit_impulse(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let t = launch.first + number;
    let count = launch.index * launch.base + membrane_corners[t].w;
    let jacobi = (launch.flags & LIMIT_JACOBI) != 0u;
    if jacobi {
        limit_corrections[3u * t] = vec4<f32>();
        limit_corrections[3u * t + 1u] = vec4<f32>();
        limit_corrections[3u * t + 2u] = vec4<f32>();
    }
    if launch.index > 0u && atomicLoad(&limit_violations[count - launch.base]) == 0u { return; }
    let l = limited_triangle(t);
    let memory = limit_impulses[t];
    let before = memory.xyz;
    if !l.shape.valid {
        limit_impulses[t] = vec4<f32>(0.0, 0.0, 0.0, memory.w);
        return;
    }
    let violated = limited_is_beyond(l);
    if launch.index > 0u && !violated { return; }
    if all(l.gap == vec3<f32>(0.0)) && all(before == vec3<f32>(0.0)) { return; }
    let g1 = stretch_mode_gradients(l.shape.u, -(l.rest.xy + l.rest.zw));
    let g2 = stretch_mode_gradients(l.shape.u, l.rest.xy);
    let g3 = stretch_mode_gradients(l.shape.u, l.rest.zw);
    let shares = select(1.0, memory.w, jacobi);
    let w = shares * (l.x1.w * (transpose(g1) * g1) + l.x2.w * (transpose(g2) * g2) + l.x3.w * (transpose(g3) * g3));
    let found = stretch_impulse(w, l.strain, l.low, l.high.xyz, before, l.high.w);
    let after = found.value;
    if violated || found.change > launch.weight { atomicAdd(&limit_violations[count], 1u); }
    let change = before - after;
    let c1 = l.shape.r * (g1 * change);
    let c2 = l.shape.r * (g2 * change);
    let c3 = l.shape.r * (g3 * change);
    limit_impulses[t] = vec4<f32>(after, memory.w);
    if jacobi {
        limit_corrections[3u * t] = vec4<f32>(c1, 0.0);
        limit_corrections[3u * t + 1u] = vec4<f32>(c2, 0.0);
        limit_corrections[3u * t + 2u] = vec4<f32>(c3, 0.0);
        return;
    }
    if l.x1.w > 0.0 { offsets[l.i.x] = vec4<f32>(l.o1.xyz + c1 * l.x1.w, l.o1.w); }
    if l.x2.w > 0.0 { offsets[l.i.y] = vec4<f32>(l.o2.xyz + c2 * l.x2.w, l.o2.w); }
    if l.x3.w > 0.0 { offsets[l.i.z] = vec4<f32>(l.o3.xyz + c3 * l.x3.w, l.o3.w); }
}
