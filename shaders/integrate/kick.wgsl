// Symplectic Euler: the forces at a particle's corners change its way in this substep, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corner_starts: array<u32>;            // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> corner_slots: array<u32>;             // places in `corner_forces`
@group(0) @binding(3) var<storage, read> corner_forces: array<vec4<f32>>;     // xyz [N]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;         // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;     // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn kick(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var force = vec3<f32>(0.0);
    for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
        force += corner_forces[corner_slots[s]].xyz;
    }
    let offset = offsets[i];
    offsets[i] = vec4<f32>(offset.xyz + (launch.dt * launch.dt * positions[i].w) * force, offset.w);
}
