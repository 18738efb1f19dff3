// The rotation of each tetrahedron that is co-rotational or of springs, one thread per tetrahedron.
#import launch
#import solid_laws
#import rotation
#import elasticity
#import deformation

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> solid_laws: SolidLaws;
@group(0) @binding(2) var<storage, read> tet_corners: array<vec4<u32>>;         // particles
@group(0) @binding(3) var<storage, read> tet_rest: array<vec4<f32>>;            // g₁, V; g₂, law; g₃, 0 [1/m, m³]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(5) var<storage, read> residuals: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(6) var<storage, read_write> tet_turns: array<vec4<f32>>;     // quaternions, of length 2 what is loose
@group(0) @binding(7) var<storage, read_write> tet_memories: array<u32>;        // the vertex that passed through its face, 1 to 4 or 0; 8 if loose; 16 × switches

const TURN_LOOSE: u32 = 8u;
const TURN_SWITCH: u32 = 16u;

@compute @workgroup_size(64)
fn tet_turn(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let g1 = tet_rest[3u * t];
    let g2 = tet_rest[3u * t + 1u];
    let g3 = tet_rest[3u * t + 2u];
    let law = solid_laws.laws[u32(g2.w)];
    let model = u32(law.kind.x);
    if model == SOLID_LINEAR { return; }
    let kept = tet_memories[t];
    var strategy = u32(law.kind.y);
    let is_ignored = strategy == SOLID_IGNORE;
    let is_loose = (kept & TURN_LOOSE) != 0u && !is_ignored;
    let before = solid_rotation_of_turn(tet_turns[t]);
    if model == SOLID_NEO_HOOKEAN {
        tet_turns[t] = solid_turn_of_rotation(before, is_loose);
        return;
    }
    let i = tet_corners[t];
    var f = deformation_of(i, g1.xyz, g2.xyz, g3.xyz);
    let is_inverted = dot(f[0], cross(f[1], f[2])) < 0.0;
    if is_ignored {
        strategy = ROTATION_SMALLEST;
        if is_inverted { f = -1.0 * f; }
    }
    let g0 = -(g1.xyz + g2.xyz + g3.xyz);
    let turn = rotation_extract(f, g0, g1.xyz, g2.xyz, g3.xyz, strategy, before, kept % TURN_LOOSE);
    // To be inverted along another stretch is to be turned by half a turn.
    let half_cosine = dot(turn.q, before);
    let has_switched = is_inverted && !is_ignored && half_cosine * half_cosine < 0.5;
    tet_turns[t] = solid_turn_of_rotation(turn.q, is_loose);
    tet_memories[t] = kept - kept % TURN_LOOSE + turn.memory + select(0u, TURN_SWITCH, has_switched);
}
