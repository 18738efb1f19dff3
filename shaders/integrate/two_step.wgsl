// Where inertia alone leads by backward differentiation of second order, one thread per particle.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> corner_starts: array<u32>;           // where each particle's slots begin, and one end
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;         // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> residuals: array<vec4<f32>>;         // xyz [m]
@group(0) @binding(5) var<storage, read> velocities: array<vec4<f32>>;        // xyz [m/s]
@group(0) @binding(6) var<storage, read_write> histories: array<vec4<f32>>;   // v_n [m/s] and dt [s]; v_{n−1} [m/s]; d [m]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;     // xyz [m], w = the solver's 1/mass
@group(0) @binding(8) var<storage, read_write> inertial: array<vec4<f32>>;    // xyz [m], w = share of the mass

const SHARE: f32 = 0.6666667;

@compute @workgroup_size(64)
fn two_step(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var mass = 1.0;
    if positions[i].w > 0.0 && corner_starts[i + 1u] > corner_starts[i] {
        let dt = launch.dt;
        let v = velocities[i].xyz;
        let now = histories[3u * i];
        if now.w == dt {
            let gamma = SHARE * dt;
            let mean = now.xyz + (now.xyz - histories[3u * i + 1u].xyz) * (1.0 / 3.0);
            let forced = (v - now.xyz) * SHARE;
            let way = histories[3u * i + 2u].xyz * (1.0 / 3.0);
            offsets[i] = vec4<f32>(residuals[i].xyz + way + (mean + forced) * gamma, offsets[i].w);
        } else {
            mass = SHARE * SHARE;
            let before = (v - world.gravity.xyz * dt) / world.keep;
            histories[3u * i] = vec4<f32>(before, 0.0);
        }
    }
    inertial[i] = vec4<f32>(inertial[i].xyz, mass);
}
