// How often the ring of corners around an edge goes around it, one thread per edge. See `src/solids/ring_winding.rs`.
#import launch
#import ring_period

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> clock: array<u32>;                 // substeps done
@group(0) @binding(2) var<storage, read> ring_starts: array<u32>;           // where each ring begins among the particles, and one end
@group(0) @binding(3) var<storage, read> ring_particles: array<u32>;        // the ends of the edge, then the corners around it
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;       // xyz [m]
@group(0) @binding(5) var<storage, read_write> ring_wounds: array<u32>;     // 1 for a ring that does not go around once and forward

@compute @workgroup_size(64)
fn ring_winding(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count || !ring_is_due(clock[0]) { return; }
    let start = ring_starts[k];
    let end = ring_starts[k + 1u];
    let a = positions[ring_particles[start]].xyz;
    let edge = positions[ring_particles[start + 1u]].xyz - a;
    let corner = positions[ring_particles[start + 2u]].xyz - a;
    // Across the edge, and along the ray.
    let across = cross(edge, corner);
    let along = cross(across, edge);
    let first = vec2<f32>(dot(along, corner), dot(across, corner));
    var before = first;
    var turns = 0;
    var goes_back = false;
    for (var s = start + 3u; s <= end; s++) {
        // The last side comes back to the very numbers it began with.
        var next = first;
        if s < end {
            let x = positions[ring_particles[s]].xyz - a;
            next = vec2<f32>(dot(along, x), dot(across, x));
        }
        let left = before.x * next.y - before.y * next.x;
        goes_back = goes_back || left < 0.0;
        if before.y < 0.0 && next.y >= 0.0 && left > 0.0 { turns += 1; }
        if before.y >= 0.0 && next.y < 0.0 && left < 0.0 { turns -= 1; }
        before = next;
    }
    ring_wounds[k] = select(0u, 1u, turns != 1 || goes_back);
}
