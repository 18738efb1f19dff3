// (τ² K + τ D) d at the corners of tetrahedra, one thread per tetrahedron.
#import launch
#import solid_laws
#import rotation
#import elasticity
#import deformation
#import springs
#import twist

const WHOLE: u32 = 2u;
const TURNING: u32 = 64u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> solid_laws: SolidLaws;
@group(0) @binding(2) var<storage, read> tet_corners: array<vec4<u32>>;            // particles
@group(0) @binding(3) var<storage, read> tet_rest: array<vec4<f32>>;               // g₁, V; g₂, law; g₃, 0 [1/m, m³]
@group(0) @binding(4) var<storage, read> tet_turns: array<vec4<f32>>;              // quaternions, of length 2 what is loose
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> residuals: array<vec4<f32>>;              // xyz [m]
@group(0) @binding(7) var<storage, read> cg_directions: array<vec4<f32>>;          // xyz [m/s]
@group(0) @binding(8) var<storage, read> cg_counts: array<u32>;                    // done, iterations
@group(0) @binding(9) var<storage, read_write> corner_forces: array<vec4<f32>>;   // xyz [N s]

@compute @workgroup_size(64)
fn tet_change(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count || cg_counts[0] != 0u { return; }
    let g1 = tet_rest[3u * t];
    let g2 = tet_rest[3u * t + 1u];
    let g3 = tet_rest[3u * t + 2u];
    let q = tet_turns[t];
    let law = solid_law_of_turn(solid_laws.laws[u32(g2.w)], q);
    let model = u32(law.kind.x);
    let i = tet_corners[t];
    let d0 = cg_directions[i.x].xyz;
    let d1 = cg_directions[i.y].xyz;
    let d2 = cg_directions[i.z].xyz;
    let d3 = cg_directions[i.w].xyz;
    let df = elasticity_gradient(g1.xyz, g2.xyz, g3.xyz, d1 - d0, d2 - d0, d3 - d0);
    // A frozen frame's stiffness does not depend on where the corners are; a reflection has that of its rotation.
    var dp: mat3x3<f32>;
    var f: mat3x3<f32>;
    var lame = law.moduli.xy;
    var has_frame = true;
    var is_turning = model == SOLID_COROTATIONAL && (launch.flags & (WHOLE | TURNING)) != 0u;
    if is_turning {
        f = deformation_of(i, g1.xyz, g2.xyz, g3.xyz);
    } else if model == SOLID_NEO_HOOKEAN || model == SOLID_SPRINGS {
        f = deformation_of(i, g1.xyz, g2.xyz, g3.xyz);
        has_frame = model == SOLID_SPRINGS && u32(law.kind.y) != SOLID_IGNORE && elasticity_folded(f);
        if has_frame {
            lame = springs_lame(law.moduli.xyz);
            is_turning = (launch.flags & (WHOLE | TURNING)) != 0u;
        } else {
            f = elasticity_unfolded(f);
        }
    }
    let whole = (launch.flags & WHOLE) != 0u;
    if has_frame {
        var turn = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        if model != SOLID_LINEAR { turn = rotation_matrix(solid_rotation_of_turn(q)); }
        dp = elasticity_frame(turn, transpose(turn) * df, lame.x, lame.y);
        let is_reflected = u32(law.kind.y) == SOLID_IGNORE && dot(f[0], cross(f[1], f[2])) < 0.0;
        if is_turning && !is_reflected { dp += twist_change(twist(turn, f, lame.x, lame.y, whole), df); }
    } else if model == SOLID_SPRINGS {
        dp = springs_change(springs(f, g1.xyz, g2.xyz, g3.xyz, law.moduli.xyz, whole), df);
    } else {
        var here = neo_hookean(f, law.moduli.x, law.moduli.y, law.moduli.z);
        if !whole { here = neo_hookean_bearable(here); }
        dp = neo_hookean_change(here, df);
    }
    let tau = launch.weight * launch.dt;
    let scale = g1.w * tau * (tau + law.kind.w);
    let drag = tau * 0.25 * law.moduli.w * g1.w * law.kind.z;
    let a = scale * (dp * g1.xyz);
    let b = scale * (dp * g2.xyz);
    let c = scale * (dp * g3.xyz);
    let slot = launch.base + 4u * t;
    corner_forces[slot] = vec4<f32>(drag * d0 - (a + b + c), 0.0);
    corner_forces[slot + 1u] = vec4<f32>(a + drag * d1, 0.0);
    corner_forces[slot + 2u] = vec4<f32>(b + drag * d2, 0.0);
    corner_forces[slot + 3u] = vec4<f32>(c + drag * d3, 0.0);
}
