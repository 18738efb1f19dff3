// Tells each tetrahedron whether a ring around one of its edges goes around more than once, one thread per tetrahedron.
#import launch
#import ring_period

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> clock: array<u32>;                 // substeps done
@group(0) @binding(2) var<storage, read> tet_rings: array<vec4<u32>>;       // the rings of six edges, two rows each
@group(0) @binding(3) var<storage, read> ring_wounds: array<u32>;           // 1 for a ring that goes around more than once
@group(0) @binding(4) var<storage, read_write> tet_memories: array<u32>;    // 8 for what is loose, and what `tet_turn` keeps

const LOOSEN_NONE: u32 = 0xffffffffu;
const LOOSEN_LOOSE: u32 = 8u;

@compute @workgroup_size(64)
fn tet_loosen(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count || !ring_is_due(clock[0]) { return; }
    var loose = 0u;
    for (var e = 0u; e < 8u; e++) {
        let ring = tet_rings[2u * t + e / 4u][e % 4u];
        if ring != LOOSEN_NONE && ring_wounds[min(ring, arrayLength(&ring_wounds) - 1u)] != 0u { loose = LOOSEN_LOOSE; }
    }
    tet_memories[t] = (tet_memories[t] & ~LOOSEN_LOOSE) | loose;
}
