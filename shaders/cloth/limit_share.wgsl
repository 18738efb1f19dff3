// How many violated triangles share a particle's mass, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corner_starts: array<u32>;         // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> corner_slots: array<u32>;          // corners; those of triangles are below `launch.base`
@group(0) @binding(3) var<storage, read> limit_active: array<u32>;         // 1 for a triangle beyond its limits
@group(0) @binding(4) var<storage, read_write> limit_shares: array<u32>;   // violated triangles at each particle

@compute @workgroup_size(64)
fn limit_share(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var count = 0u;
    for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
        let slot = corner_slots[s];
        if slot < launch.base { count += limit_active[slot / 3u]; }
    }
    limit_shares[i] = count;
}
