// CoRdE, the spin of frames that take several steps in a substep, one thread per frame.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rod_rest: array<vec4<f32>>;           // … inverse inertia [1/(kg m²)]
@group(0) @binding(2) var<storage, read> corde_spins: array<vec4<f32>>;        // xyz what the mean spin lacks [rad/s]
@group(0) @binding(3) var<storage, read_write> spins: array<vec4<f32>>;        // xyz [rad/s], about the frame's axes

@compute @workgroup_size(64)
fn corde_spin(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let k = launch.first + n;
    if rod_rest[4u * k + 3u].x == 0.0 { return; }
    spins[k] = vec4<f32>(spins[k].xyz + corde_spins[n].xyz, 0.0);
}
