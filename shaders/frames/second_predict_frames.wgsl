// Where a frame's spin leads in a substep of second order, one thread per frame.
#import launch
#import world
#import turn
#import second_order

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> frame_inertia: array<vec4<f32>>;        // inverse inertia [1/(kg m²)], w = 1 − C/A
@group(0) @binding(3) var<storage, read> frames: array<vec4<f32>>;               // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(4) var<storage, read> spins: array<vec4<f32>>;                // xyz [rad/s], about the frame's axes
@group(0) @binding(5) var<storage, read_write> frame_pasts: array<vec4<f32>>;    // ω_n [rad/s] and dt [s], 0 without a past; ω_{n−1} [rad/s]; the last rotation vector [rad]
@group(0) @binding(6) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep

@compute @workgroup_size(64)
fn second_predict_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count || frame_inertia[k].x == 0.0 { return; }
    let spin = spins[k].xyz;
    let now = frame_pasts[3u * k];
    if now.w != launch.dt {
        frame_pasts[3u * k] = vec4<f32>(spin / world.keep, 0.0);
        return;
    }
    let half = 0.5 * second_lead(spin, now.xyz, frame_pasts[3u * k + 1u].xyz, frame_pasts[3u * k + 2u].xyz, launch.dt);
    turns[k] = vec4<f32>(turn_compose(frames[2u * k + 1u].xyz, half), 0.0);
}
