// What inertia adds to the forces where a step of Newton's method begins, one thread per particle of finite elements.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> inertial_rows: array<u32>;               // particles
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> inertial: array<vec4<f32>>;              // ô, xyz [m]; w = share of the mass
@group(0) @binding(4) var<storage, read> newton_starts: array<vec4<f32>>;         // o, xyz [m]
@group(0) @binding(5) var<storage, read_write> corner_forces: array<vec4<f32>>;   // xyz [N]

const AGAIN: u32 = 32u;

@compute @workgroup_size(64)
fn inertia(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let i = inertial_rows[k];
    let w = positions[i].w;
    var force = vec3<f32>(0.0);
    if (launch.flags & AGAIN) != 0u && w > 0.0 {
        let tau = launch.weight * launch.dt;
        force = (inertial[i].w / (w * tau * tau)) * (inertial[i].xyz - newton_starts[i].xyz);
    }
    corner_forces[launch.base + k] = vec4<f32>(force, 0.0);
}
