// Slows triangles down whose strains change too fast, one thread per triangle of one colour.
#import launch
#import green
#import stretch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> membrane_corners: array<vec4<u32>>;        // three particles, fabric
@group(0) @binding(2) var<storage, read> membrane_rest: array<vec4<f32>>;           // D⁻¹ by rows [1/m]; limits' stress [N/m]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;        // xyz [m/s]

@compute @workgroup_size(64)
fn strain_rate(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let t = launch.first + number;
    let i = membrane_corners[t];
    let rest = membrane_rest[2u * t];
    let x1 = positions[i.x];
    let x2 = positions[i.y];
    let x3 = positions[i.z];
    let s = stretch_polar(green_gradient(rest, x2.xyz - x1.xyz, x3.xyz - x1.xyz));
    if !s.valid { return; }
    let v1 = velocities[i.x];
    let v2 = velocities[i.y];
    let v3 = velocities[i.z];
    let rate = green_strain_change(s.r, green_gradient(rest, v2.xyz - v1.xyz, v3.xyz - v1.xyz));
    let highest = vec3<f32>(launch.weight / launch.dt);
    let d = clamp(rate, -highest, highest) - rate;
    if all(d == vec3<f32>(0.0)) { return; }
    let change = stretch_change(rest, s.u, d, vec3<f32>(x1.w, x2.w, x3.w));
    if x1.w > 0.0 { velocities[i.x] = vec4<f32>(v1.xyz + s.r * change.x1, v1.w); }
    if x2.w > 0.0 { velocities[i.y] = vec4<f32>(v2.xyz + s.r * change.x2, v2.w); }
    if x3.w > 0.0 { velocities[i.z] = vec4<f32>(v3.xyz + s.r * change.x3, v3.w); }
}
