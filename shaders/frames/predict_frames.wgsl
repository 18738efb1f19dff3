// Where a frame's spin leads in a substep, one thread per frame.
#import launch
#import world
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> frame_inertia: array<vec4<f32>>;        // inverse inertia [1/(kg m²)], w = 1 − C/A
@group(0) @binding(3) var<storage, read> frames: array<vec4<f32>>;               // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(4) var<storage, read_write> spins: array<vec4<f32>>;          // xyz [rad/s], about the frame's axes
@group(0) @binding(5) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep

@compute @workgroup_size(64)
fn predict_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let inertia = frame_inertia[k];
    let half = 0.5 * launch.dt;
    var spin = spins[k].xyz;
    if inertia.x > 0.0 {
        spin = world.keep * turn_precess(spin, inertia.w * spin.z * half);
        spins[k] = vec4<f32>(spin, 0.0);
    }
    turns[k] = vec4<f32>(turn_compose(frames[2u * k + 1u].xyz, half * spin), 0.0);
}
