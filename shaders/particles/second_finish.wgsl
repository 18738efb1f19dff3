// The velocity of the end of a substep of second order, and the past of the next, one thread per particle.
#import launch
#import second_order

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4<f32>>;   // xyz [m/s]
@group(0) @binding(3) var<storage, read_write> pasts: array<vec4<f32>>;        // v_n [m/s] and dt [s], 0 without a past; v_{n−1} [m/s]; d [m]

@compute @workgroup_size(64)
fn second_finish(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if positions[i].w == 0.0 {
        pasts[3u * i] = vec4<f32>();
        return;
    }
    let past = SecondPast(pasts[3u * i], pasts[3u * i + 1u], pasts[3u * i + 2u]);
    let next = second_finished(velocities[i].xyz, past, launch.dt);
    velocities[i] = vec4<f32>(next.now.xyz, 0.0);
    pasts[3u * i] = next.now;
    pasts[3u * i + 1u] = next.before;
    pasts[3u * i + 2u] = next.way;
}
