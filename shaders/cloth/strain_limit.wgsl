// Brings triangles that are beyond their strain limits back, one thread per listed triangle of one colour.
#import launch
#import green
#import stretch
#import limited

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;          // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;             // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> strain_limits: array<vec4<f32>>;             // highest weft, warp, shear, ω; lowest
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;                 // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;             // xyz [m], w = solver's 1/mass
@group(0) @binding(6) var<storage, read> limit_list: array<u32>;                      // triangles
@group(0) @binding(7) var<storage, read_write> limit_active: array<u32>;              // 1 for a triangle that was corrected
@group(0) @binding(8) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration

@compute @workgroup_size(64)
fn strain_limit(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    if launch.index > 0u && atomicLoad(&limit_violations[launch.index - 1u]) == 0u { return; }
    let t = limit_list[launch.first + number];
    if launch.index == 0u { limit_active[t] = 0u; }
    let l = limited_triangle(t);
    if !limited_is_beyond(l) { return; }
    atomicAdd(&limit_violations[launch.index], 1u);
    limit_active[t] = 1u;
    let weights = vec3<f32>(l.x1.w, l.x2.w, l.x3.w);
    let change = stretch_change(l.rest, l.shape.u, l.high.w * l.gap, weights);
    let c1 = l.shape.r * change.x1;
    let c2 = l.shape.r * change.x2;
    let c3 = l.shape.r * change.x3;
    if weights.x > 0.0 { offsets[l.i.x] = vec4<f32>(l.o1.xyz + c1, l.o1.w); }
    if weights.y > 0.0 { offsets[l.i.y] = vec4<f32>(l.o2.xyz + c2, l.o2.w); }
    if weights.z > 0.0 { offsets[l.i.z] = vec4<f32>(l.o3.xyz + c3, l.o3.w); }
}
