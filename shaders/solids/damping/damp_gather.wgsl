// The impulses of a particle's tetrahedra change its way, one thread per particle of a body.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> damp_starts: array<u32>;               // where each particle's corners begin, and one end
@group(0) @binding(2) var<storage, read> damp_slots: array<u32>;                // corners
@group(0) @binding(3) var<storage, read> damp_impulses: array<vec4<f32>>;       // dt Δ(m v) of each corner [kg m]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn damp_gather(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let i = launch.first + number;
    var impulse = vec3<f32>(0.0);
    for (var s = damp_starts[i]; s < damp_starts[i + 1u]; s++) {
        impulse += damp_impulses[damp_slots[s]].xyz;
    }
    offsets[i] += vec4<f32>(positions[i].w * impulse, 0.0);
}
