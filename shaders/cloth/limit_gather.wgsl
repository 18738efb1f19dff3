// The mean of a particle's strain-limit corrections, over-relaxed, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corner_starts: array<u32>;              // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> corner_slots: array<u32>;               // corners; those of triangles are below `launch.base`
@group(0) @binding(3) var<storage, read> limit_active: array<u32>;              // 1 for a triangle beyond its limits
@group(0) @binding(4) var<storage, read> limit_shares: array<u32>;              // violated triangles at each particle
@group(0) @binding(5) var<storage, read> limit_corrections: array<vec4<f32>>;   // xyz [m], one per corner
@group(0) @binding(6) var<storage, read> limit_violations: array<u32>;          // by iteration
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read_write> offsets: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn limit_gather(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let share = limit_shares[i];
    if share == 0u || positions[i].w == 0.0 || limit_violations[launch.index] == 0u { return; }
    var sum = vec3<f32>(0.0);
    for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
        let slot = corner_slots[s];
        if slot < launch.base && limit_active[slot / 3u] != 0u { sum += limit_corrections[slot].xyz; }
    }
    let offset = offsets[i];
    offsets[i] = vec4<f32>(offset.xyz + (launch.weight / f32(share)) * sum, offset.w);
}
