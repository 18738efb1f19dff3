// The spin of the end of a substep of second order, and the past of the next, one thread per frame.
#import launch
#import second_order

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> frame_inertia: array<vec4<f32>>;        // inverse inertia [1/(kg m²)], w = 1 − C/A
@group(0) @binding(2) var<storage, read_write> spins: array<vec4<f32>>;          // xyz [rad/s], about the frame's axes
@group(0) @binding(3) var<storage, read_write> frame_pasts: array<vec4<f32>>;    // ω_n [rad/s] and dt [s], 0 without a past; ω_{n−1} [rad/s]; the last rotation vector [rad]

@compute @workgroup_size(64)
fn second_finish_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    if frame_inertia[k].x == 0.0 {
        frame_pasts[3u * k] = vec4<f32>();
        return;
    }
    let past = SecondPast(frame_pasts[3u * k], frame_pasts[3u * k + 1u], frame_pasts[3u * k + 2u]);
    let next = second_finished(spins[k].xyz, past, launch.dt);
    spins[k] = vec4<f32>(next.now.xyz, 0.0);
    frame_pasts[3u * k] = next.now;
    frame_pasts[3u * k + 1u] = next.before;
    frame_pasts[3u * k + 2u] = next.way;
}
