// Forces of tetrahedra at their corners, one thread per tetrahedron.
#import launch
#import solid_laws
#import rotation
#import elasticity
#import deformation
#import springs
#import twist
#import times

const IMPLICIT: u32 = 1u;
const WHOLE: u32 = 2u;
const TURNING: u32 = 64u;
const ASSEMBLED: u32 = 8u;   // factors of the matrix, `launch.first` vectors each

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> solid_laws: SolidLaws;
@group(0) @binding(2) var<storage, read> tet_corners: array<vec4<u32>>;             // particles
@group(0) @binding(3) var<storage, read> tet_rest: array<vec4<f32>>;                // g₁, V; g₂, law; g₃, 0 [1/m, m³]
@group(0) @binding(4) var<storage, read> tet_turns: array<vec4<f32>>;               // quaternions, of length 2 what is loose
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> residuals: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(7) var<storage, read> offsets: array<vec4<f32>>;                 // xyz [m]
@group(0) @binding(8) var<storage, read_write> corner_forces: array<vec4<f32>>;     // xyz [N]
@group(0) @binding(9) var<storage, read_write> corner_blocks: array<vec4<f32>>;    // xx, yy, zz; xy, yz, zx [kg], two per corner

// The share of a tetrahedron's stress that an explicit step bears, of the bounds of its stiffness here and at rest [Pa].
fn explicit_share(law: SolidLaw, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, bound: f32, at_rest: f32) -> f32 {
    let g0 = g1 + g2 + g3;
    let g = mat3x3<f32>(
        g0.x * g0 + g1.x * g1 + g2.x * g2 + g3.x * g3,
        g0.y * g0 + g1.y * g1 + g2.y * g2 + g3.y * g3,
        g0.z * g0 + g1.z * g1 + g2.z * g2 + g3.z * g3,
    );
    let dt = launch.dt;
    let borne = law.moduli.w * max(4.0 - law.kind.z * dt, 0.0)
        / (4.0 * sqrt(elasticity_dot(g, g)) * (dt * dt + law.kind.w * dt));
    return min(max(borne, at_rest) / bound, 1.0);
}

fn velocity(p: u32) -> vec3<f32> {
    return (offsets[p].xyz - residuals[p].xyz) * (1.0 / launch.dt);
}

@compute @workgroup_size(64)
fn tet_force(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let g1 = tet_rest[3u * t];
    let g2 = tet_rest[3u * t + 1u];
    let g3 = tet_rest[3u * t + 2u];
    let volume = g1.w;
    let q = tet_turns[t];
    let law = solid_law_of_turn(solid_laws.laws[u32(g2.w)], q);
    let model = u32(law.kind.x);
    let i = tet_corners[t];
    let f = deformation_of(i, g1.xyz, g2.xyz, g3.xyz);
    let v0 = velocity(i.x);
    let v1 = velocity(i.y);
    let v2 = velocity(i.z);
    let v3 = velocity(i.w);
    let fdot = elasticity_gradient(g1.xyz, g2.xyz, g3.xyz, v1 - v0, v2 - v0, v3 - v0);
    let implicit = (launch.flags & IMPLICIT) != 0u;
    let tau = select(0.0, launch.weight * launch.dt, implicit);
    let reach = select(0.0, times_reach(), implicit);

    let identity = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let is_ignored = u32(law.kind.y) == SOLID_IGNORE;
    let is_folded = model == SOLID_SPRINGS && !is_ignored && elasticity_folded(f);
    let has_frame = model < SOLID_NEO_HOOKEAN || is_folded;
    var lame = law.moduli.xy;
    if is_folded { lame = springs_lame(law.moduli.xyz); }
    let whole = (launch.flags & WHOLE) != 0u;
    let is_turning = (model == SOLID_COROTATIONAL || is_folded) && (launch.flags & (WHOLE | TURNING)) != 0u;
    var turn = identity;
    var turning = Twist(identity, mat3x3<f32>());
    if has_frame && model != SOLID_LINEAR {
        turn = rotation_matrix(solid_rotation_of_turn(q));
        if is_ignored && dot(f[0], cross(f[1], f[2])) < 0.0 {
            turn = -1.0 * turn;
        } else if is_turning {
            turning = twist(turn, f, lame.x, lame.y, whole);
        }
    }
    var p: mat3x3<f32>;
    var here: NeoHookean;
    var held: Springs;
    if has_frame {
        let change = elasticity_frame(turn, transpose(turn) * fdot, lame.x, lame.y) + twist_change(turning, fdot);
        p = elasticity_frame(turn, transpose(turn) * f - identity, lame.x, lame.y) + (law.kind.w + reach) * change;
    } else if model == SOLID_NEO_HOOKEAN {
        let exact = neo_hookean(elasticity_unfolded(f), law.moduli.x, law.moduli.y, law.moduli.z);
        here = exact;
        if !whole { here = neo_hookean_bearable(exact); }
        p = neo_hookean_stress(exact) + (law.kind.w + reach) * neo_hookean_change(here, fdot);
        if !implicit {
            let at_rest = neo_hookean_bound(neo_hookean(identity, law.moduli.x, law.moduli.y, law.moduli.z));
            p = explicit_share(law, g1.xyz, g2.xyz, g3.xyz, neo_hookean_bound(exact), at_rest) * p;
        }
    } else {
        held = springs(elasticity_unfolded(f), g1.xyz, g2.xyz, g3.xyz, law.moduli.xyz, whole);
        p = springs_stress(held) + (law.kind.w + reach) * springs_change(held, fdot);
        if !implicit {
            let at_rest = springs_bound(springs(identity, g1.xyz, g2.xyz, g3.xyz, law.moduli.xyz, false));
            p = explicit_share(law, g1.xyz, g2.xyz, g3.xyz, springs_bound(held), at_rest) * p;
        }
    }
    let mass = 0.25 * law.moduli.w * volume;
    let drag = mass * law.kind.z;
    let slot = launch.base + 4u * t;
    let a = volume * (p * g1.xyz);
    let b = volume * (p * g2.xyz);
    let c = volume * (p * g3.xyz);
    corner_forces[slot] = vec4<f32>((a + b + c) - drag * v0, 0.0);
    corner_forces[slot + 1u] = vec4<f32>(-a - drag * v1, 0.0);
    corner_forces[slot + 2u] = vec4<f32>(-b - drag * v2, 0.0);
    corner_forces[slot + 3u] = vec4<f32>(-c - drag * v3, 0.0);
    if !implicit { return; }

    let scale = volume * tau * (tau + times_damping_share() * law.kind.w);
    let own = vec3<f32>(tau * drag * times_damping_share());
    if (launch.flags & ASSEMBLED) != 0u {
        var place = launch.index + launch.first * t;
        if model < SOLID_NEO_HOOKEAN && !is_turning {
            corner_blocks[place] = vec4<f32>(turn * g1.xyz, lame.x * scale);
            corner_blocks[place + 1u] = vec4<f32>(turn * g2.xyz, lame.y * scale);
            corner_blocks[place + 2u] = vec4<f32>(turn * g3.xyz, own.x);
            return;
        }
        let rows = array<vec3<f32>, 3>(g1.xyz, g2.xyz, g3.xyz);
        for (var a = 0u; a < 3u; a++) {
            for (var c = a; c < 3u; c++) {
                var block: mat3x3<f32>;
                for (var axis = 0u; axis < 3u; axis++) {
                    var df = mat3x3<f32>();
                    df[0][axis] = scale * rows[c].x;
                    df[1][axis] = scale * rows[c].y;
                    df[2][axis] = scale * rows[c].z;
                    var dp: mat3x3<f32>;
                    if has_frame {
                        dp = elasticity_frame(turn, transpose(turn) * df, lame.x, lame.y) + twist_change(turning, df);
                    } else if model == SOLID_NEO_HOOKEAN {
                        dp = neo_hookean_change(here, df);
                    } else {
                        dp = springs_change(held, df);
                    }
                    block[axis] = dp * rows[a];
                }
                if a == c {
                    corner_blocks[place] = vec4<f32>(block[0].x, block[1].y, block[2].z, own.x);
                    corner_blocks[place + 1u] = vec4<f32>(block[1].x, block[2].y, block[2].x, 0.0);
                    place += 2u;
                } else {
                    corner_blocks[place] = vec4<f32>(block[0], 0.0);
                    corner_blocks[place + 1u] = vec4<f32>(block[1], 0.0);
                    corner_blocks[place + 2u] = vec4<f32>(block[2], 0.0);
                    place += 3u;
                }
            }
        }
        return;
    }
    var gradients = array<vec3<f32>, 4>(-(g1.xyz + g2.xyz + g3.xyz), g1.xyz, g2.xyz, g3.xyz);
    for (var corner = 0u; corner < 4u; corner++) {
        let g = gradients[corner];
        var diagonal: vec3<f32>;
        var off: vec3<f32>;
        if has_frame {
            let rg = turn * g;
            let sum = lame.x + lame.y;
            diagonal = sum * rg * rg + lame.y * dot(g, g);
            off = sum * rg * rg.yzx;
        } else if model == SOLID_NEO_HOOKEAN {
            let fg = here.f * g;
            let cg = here.cofactors * g;
            diagonal = here.curvature * fg * fg + here.lambda * cg * cg + here.stiffness * dot(g, g);
            off = here.curvature * fg * fg.yzx + here.lambda * cg * cg.yzx;
        } else {
            let block = springs_block(held, g);
            diagonal = block[0];
            off = block[1];
        }
        corner_blocks[2u * (slot + corner)] = vec4<f32>(scale * diagonal + own, 0.0);
        corner_blocks[2u * (slot + corner) + 1u] = vec4<f32>(scale * off, 0.0);
    }
}
