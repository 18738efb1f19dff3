// Which triangles are beyond their strain limits, one thread per triangle.
#import launch
#import green
#import stretch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;   // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;      // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> strain_limits: array<vec4<f32>>;      // highest weft, warp, shear; lowest
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> offsets: array<vec4<f32>>;            // xyz [m]
@group(0) @binding(6) var<storage, read> limit_violations: array<u32>;         // by iteration
@group(0) @binding(7) var<storage, read_write> limit_active: array<u32>;       // 1 for a triangle beyond its limits

@compute @workgroup_size(64)
fn limit_mark(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    if launch.index > 0u && limit_violations[launch.index - 1u] == 0u { return; }
    let i = membrane_corners[t];
    let x1 = positions[i.x].xyz;
    let o1 = offsets[i.x].xyz;
    let f = green_gradient(
        membrane_rest[2u * t],
        (positions[i.y].xyz - x1) + (offsets[i.y].xyz - o1),
        (positions[i.z].xyz - x1) + (offsets[i.z].xyz - o1),
    );
    let s = stretch_polar(f);
    let strain = s.u - vec3<f32>(1.0, 1.0, 0.0);
    let d = clamp(strain, strain_limits[2u * i.w + 1u].xyz, strain_limits[2u * i.w].xyz) - strain;
    limit_active[t] = select(0u, 1u, s.valid && any(abs(d) > vec3<f32>(launch.weight)));
}
