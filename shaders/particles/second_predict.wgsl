// Where inertia leads in a substep of second order, one thread per particle.
#import launch
#import world
#import second_order

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;        // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> residuals: array<vec4<f32>>;        // xyz [m]
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;       // xyz [m/s]
@group(0) @binding(5) var<storage, read_write> pasts: array<vec4<f32>>;      // v_n [m/s] and dt [s], 0 without a past; v_{n−1} [m/s]; d [m]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;    // xyz [m], w = the solver's 1/mass

@compute @workgroup_size(64)
fn second_predict(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || positions[i].w == 0.0 { return; }
    let v = velocities[i].xyz;
    let now = pasts[3u * i];
    if now.w != launch.dt {
        pasts[3u * i] = vec4<f32>((v - launch.dt * world.gravity.xyz) / world.keep, 0.0);
        return;
    }
    let lead = second_lead(v, now.xyz, pasts[3u * i + 1u].xyz, pasts[3u * i + 2u].xyz, launch.dt);
    offsets[i] = vec4<f32>(residuals[i].xyz + lead, offsets[i].w);
}
