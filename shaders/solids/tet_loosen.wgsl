// Tells each tetrahedron whether it is loose, one thread per tetrahedron. See `src/solids/tet_loosen.rs`.
#import launch
#import ring_period
#import elasticity

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> clock: array<u32>;                 // substeps done
@group(0) @binding(2) var<storage, read> tet_corners: array<vec4<u32>>;     // particles
@group(0) @binding(3) var<storage, read> tet_rest: array<vec4<f32>>;        // g₁; g₂; g₃ [1/m], w = 1 where what is drawn out is not flat
@group(0) @binding(4) var<storage, read> tet_rings: array<vec4<u32>>;       // the rings of six edges, two rows each
@group(0) @binding(5) var<storage, read> ring_wounds: array<u32>;           // 1 for a ring that does not go around once and forward
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;       // xyz [m]
@group(0) @binding(7) var<storage, read_write> tet_memories: array<u32>;    // 8 for what is loose, and what `tet_turn` keeps

const LOOSEN_NONE: u32 = 0xffffffffu;
const LOOSEN_LOOSE: u32 = 8u;
const LOOSEN_TOLERABLE: f32 = 0.5;    // J over the volume it is compared with

@compute @workgroup_size(64)
fn tet_loosen(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count || !ring_is_due(clock[0]) { return; }
    var is_wound = false;
    for (var e = 0u; e < 8u; e++) {
        let ring = tet_rings[2u * t + e / 4u][e % 4u];
        if ring != LOOSEN_NONE && ring_wounds[min(ring, arrayLength(&ring_wounds) - 1u)] != 0u { is_wound = true; }
    }
    let i = tet_corners[t];
    let x = positions[i.x].xyz;
    let f = elasticity_gradient(
        tet_rest[3u * t].xyz, tet_rest[3u * t + 1u].xyz, tet_rest[3u * t + 2u].xyz,
        positions[i.y].xyz - x, positions[i.z].xyz - x, positions[i.w].xyz - x,
    );
    let is_tolerable = dot(f[0], cross(f[1], f[2])) > LOOSEN_TOLERABLE * elasticity_upright_volume(f);
    let knows_rubber = tet_rest[3u * t + 2u].w > 0.0;
    let is_flat = elasticity_folded(f) && !(knows_rubber && elasticity_drawn(f));
    let memory = tet_memories[t];
    let is_loose = is_wound || is_flat || ((memory & LOOSEN_LOOSE) != 0u && !is_tolerable);
    tet_memories[t] = select(memory & ~LOOSEN_LOOSE, memory | LOOSEN_LOOSE, is_loose);
}
