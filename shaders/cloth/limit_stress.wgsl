// The impulses of the strain limits as a stress, for the forces of the next substep; one thread per triangle.
#import launch
#import green
#import stretch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;        // three particles, fabric
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> offsets: array<vec4<f32>>;                 // xyz [m]
@group(0) @binding(4) var<storage, read> limit_impulses: array<vec4<f32>>;          // weft, warp, shear [kg m²]
@group(0) @binding(5) var<storage, read_write> membrane_rest: array<vec4<f32>>;     // D⁻¹ by rows [1/m]; limits' stress [N/m]

@compute @workgroup_size(64)
fn limit_stress(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let impulse = limit_impulses[t].xyz;
    var stress = vec3<f32>(0.0);
    if any(impulse != vec3<f32>(0.0)) {
        let i = membrane_corners[t];
        let rest = membrane_rest[2u * t];
        let x1 = positions[i.x].xyz;
        let o1 = offsets[i.x].xyz;
        let s = stretch_polar(
            green_gradient(
                rest,
                (positions[i.y].xyz - x1) + (offsets[i.y].xyz - o1),
                (positions[i.z].xyz - x1) + (offsets[i.z].xyz - o1),
            ),
        );
        let scale = 1.0 / (green_area(rest) * launch.dt * launch.dt);
        if s.valid { stress = scale * stretch_stress(s.u, impulse); }
    }
    membrane_rest[2u * t + 1u] = vec4<f32>(stress, 0.0);
}
