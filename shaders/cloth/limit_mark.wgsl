// Which triangles are beyond their strain limits, one thread per triangle.
#import launch
#import green
#import stretch
#import limited

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
    limit_active[t] = select(0u, 1u, limited_is_beyond(limited_triangle(t)));
}
