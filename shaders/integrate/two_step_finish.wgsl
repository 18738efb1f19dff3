// The velocity at the end of a substep of backward differentiation, and the past of the next one, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corner_starts: array<u32>;           // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;         // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> offsets: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(4) var<storage, read> newton_starts: array<vec4<f32>>;     // what has been solved, xyz [m]
@group(0) @binding(5) var<storage, read> inertial: array<vec4<f32>>;          // w = share of the mass, 1 with a past
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4<f32>>;  // xyz [m/s]
@group(0) @binding(7) var<storage, read_write> histories: array<vec4<f32>>;   // v_n [m/s] and dt [s]; v_{n−1} [m/s]; d [m]

const SHARE: f32 = 0.6666667;

@compute @workgroup_size(64)
fn two_step_finish(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if !(positions[i].w > 0.0 && corner_starts[i + 1u] > corner_starts[i]) {
        histories[3u * i] = vec4<f32>(0.0);
        return;
    }
    let dt = launch.dt;
    let finished = velocities[i];
    let way = finished.xyz * dt;
    let pushed = offsets[i].xyz - newton_starts[i].xyz;
    var v = finished.xyz;
    if inertial[i].w == 1.0 {
        let third = histories[3u * i + 2u].xyz * (1.0 / 3.0);
        v = ((way - pushed) - third) / (SHARE * dt) + pushed / dt;
    }
    let before = histories[3u * i].xyz;
    histories[3u * i] = vec4<f32>(v, select(dt, 0.0, dot(pushed, pushed) > 0.0));
    histories[3u * i + 1u] = vec4<f32>(before, 0.0);
    histories[3u * i + 2u] = vec4<f32>(way, 0.0);
    velocities[i] = vec4<f32>(v, finished.w);
}
