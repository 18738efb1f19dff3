// CoRdE, symplectic Euler of the particles, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corde_starts: array<u32>;           // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> corde_slots: array<u32>;            // 2 · place in `corde_loads`, + 1 to subtract
@group(0) @binding(3) var<storage, read> corde_loads: array<vec4<f32>>;      // forces [N] and torques [N m]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;        // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;    // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn corde_kick(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let particle = launch.first + n;
    var force = vec3<f32>(0.0);
    for (var s = corde_starts[n]; s < corde_starts[n + 1u]; s++) {
        let load = corde_loads[corde_slots[s] / 2u].xyz;
        force += select(load, -load, corde_slots[s] % 2u == 1u);
    }
    let offset = offsets[particle];
    let gain = launch.dt * launch.dt * positions[particle].w;
    offsets[particle] = vec4<f32>(offset.xyz + force * gain, offset.w);
}
