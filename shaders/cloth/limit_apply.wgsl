// Moves a particle by the impulses at its corners, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corner_starts: array<u32>;              // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> corner_slots: array<u32>;               // corners; those of triangles are below `launch.base`
@group(0) @binding(3) var<storage, read> limit_corrections: array<vec4<f32>>;   // xyz [kg m], one per corner
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn limit_apply(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let w = positions[i].w;
    if w == 0.0 { return; }
    var sum = vec3<f32>(0.0);
    for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
        let slot = corner_slots[s];
        if slot < launch.base { sum += limit_corrections[slot].xyz; }
    }
    let offset = offsets[i];
    offsets[i] = vec4<f32>(offset.xyz + sum * w, offset.w);
}
