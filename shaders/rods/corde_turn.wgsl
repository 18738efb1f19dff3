// CoRdE, symplectic Euler of the frames, one thread per frame.
#import launch
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corde_frame_starts: array<u32>;     // where each frame's slots begin, and one end
@group(0) @binding(2) var<storage, read> corde_frame_slots: array<u32>;      // places in `corde_loads`
@group(0) @binding(3) var<storage, read> corde_loads: array<vec4<f32>>;      // forces [N] and torques [N m]
@group(0) @binding(4) var<storage, read> rod_rest: array<vec4<f32>>;         // … w = 1 − C/A; …; inverse inertia [1/(kg m²)]
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;           // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(6) var<storage, read_write> spins: array<vec4<f32>>;      // xyz [rad/s], about the frame's axes
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;      // xyz the turn of this substep
@group(0) @binding(8) var<storage, read_write> corde_spins: array<vec4<f32>>;    // xyz what the mean spin lacks [rad/s]

@compute @workgroup_size(64)
fn corde_turn(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let k = launch.first + n;
    let inverse_inertia = rod_rest[4u * k + 3u].xyz;
    // Held and driven frames turn as they are told.
    if inverse_inertia.x == 0.0 { return; }
    var torque = vec3<f32>(0.0);
    for (var s = corde_frame_starts[n]; s < corde_frame_starts[n + 1u]; s++) {
        torque += corde_loads[corde_frame_slots[s]].xyz;
    }
    let h = launch.dt * launch.weight;
    // Half of the precession before the torques and half after: all of it before them feeds energy to what vibrates.
    let rate = rod_rest[4u * k].w * 0.25 * h;
    let entering = spins[k].xyz;
    let kicked = turn_precess(entering, rate * entering.z) + torque * inverse_inertia * h;
    let spin = turn_precess(kicked, rate * kicked.z);
    let residual = frames[2u * k + 1u].xyz;
    var before = residual;
    if launch.index > 0u { before = turns[k].xyz; }
    let turned = turn_compose(before, spin * (0.5 * h));
    turns[k] = vec4<f32>(turned, 0.0);
    spins[k] = vec4<f32>(spin, 0.0);
    if launch.weight < 1.0 {
        let mean = turn_compose(-residual, turned) * (2.0 / launch.dt);
        corde_spins[n] = vec4<f32>(spin - mean, 0.0);
    }
}
