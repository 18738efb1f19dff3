// How the energy of a tetrahedron differs between where a step of Newton's method begins and where it leads, one thread per tetrahedron.
#import launch
#import solid_laws
#import rotation
#import elasticity
#import springs

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> solid_laws: SolidLaws;
@group(0) @binding(2) var<storage, read> tet_corners: array<vec4<u32>>;         // particles
@group(0) @binding(3) var<storage, read> tet_rest: array<vec4<f32>>;            // g₁, V; g₂, law; g₃, 0 [1/m, m³]
@group(0) @binding(4) var<storage, read> tet_turns: array<vec4<f32>>;           // quaternions, of length 2 what is loose
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> residuals: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(7) var<storage, read> newton_starts: array<vec4<f32>>;       // where the step begins, xyz [m]
@group(0) @binding(8) var<storage, read> search_steps: array<vec4<f32>>;        // the step, xyz [m]; w = 1 while the search goes on
@group(0) @binding(9) var<storage, read_write> corner_energies: array<f32>;     // [J]

const IDENTITY: mat3x3<f32> = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);

// The frame of a law that has one at F, by its quaternion.
fn frame_of(law: SolidLaw, f: mat3x3<f32>, q: vec4<f32>) -> mat3x3<f32> {
    if u32(law.kind.x) == SOLID_LINEAR { return IDENTITY; }
    let turn = rotation_matrix(q);
    if u32(law.kind.y) == SOLID_IGNORE && dot(f[0], cross(f[1], f[2])) < 0.0 { return -1.0 * turn; }
    return turn;
}

fn is_folded(law: SolidLaw, f: mat3x3<f32>) -> bool {
    return u32(law.kind.x) == SOLID_SPRINGS && u32(law.kind.y) != SOLID_IGNORE && elasticity_folded(f);
}

// The frame that is nearest to `before`.
fn nearest_frame(
    law: SolidLaw, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, f: mat3x3<f32>, before: vec4<f32>,
) -> mat3x3<f32> {
    if u32(law.kind.x) == SOLID_LINEAR { return IDENTITY; }
    var strategy = u32(law.kind.y);
    var upright = f;
    if strategy == SOLID_IGNORE {
        strategy = ROTATION_SMALLEST;
        if dot(f[0], cross(f[1], f[2])) < 0.0 { upright = -1.0 * f; }
    }
    return frame_of(law, f, rotation_extract(upright, -(g1 + g2 + g3), g1, g2, g3, strategy, before, 0u).q);
}

// The Lamé moduli of a law that has a frame.
fn lame_of(law: SolidLaw) -> vec2<f32> {
    if u32(law.kind.x) == SOLID_SPRINGS { return springs_lame(law.moduli.xyz); }
    return law.moduli.xy;
}

// Energy per volume of a law with a frame or of springs [J/m³], in the rotation that is nearest to `before`.
fn density(
    law: SolidLaw, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, f: mat3x3<f32>, before: vec4<f32>,
) -> f32 {
    if u32(law.kind.x) == SOLID_SPRINGS && !is_folded(law, f) {
        return springs_energy(springs(elasticity_unfolded(f), g1, g2, g3, law.moduli.xyz, true));
    }
    let lame = lame_of(law);
    return elasticity_frame_energy(transpose(nearest_frame(law, g1, g2, g3, f, before)) * f - IDENTITY, lame.x, lame.y);
}

// How it differs between F and F + dF.
fn density_difference(
    law: SolidLaw, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, f: mat3x3<f32>, df: mat3x3<f32>, before: vec4<f32>,
) -> f32 {
    if u32(law.kind.x) == SOLID_SPRINGS && !(is_folded(law, f) && is_folded(law, f + df)) {
        return density(law, g1, g2, g3, f + df, before) - density(law, g1, g2, g3, f, before);
    }
    let lame = lame_of(law);
    let here = nearest_frame(law, g1, g2, g3, f, before);
    let there = nearest_frame(law, g1, g2, g3, f + df, before);
    return elasticity_frame_difference(here, there, f, df, lame.x, lame.y);
}

// The change of the stress with F, with the rotation of the start.
fn change_of(
    law: SolidLaw, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, f: mat3x3<f32>, q: vec4<f32>, df: mat3x3<f32>,
) -> mat3x3<f32> {
    let model = u32(law.kind.x);
    let folded = is_folded(law, f);
    if model == SOLID_NEO_HOOKEAN {
        let exact = neo_hookean(elasticity_unfolded(f), law.moduli.x, law.moduli.y, law.moduli.z);
        return neo_hookean_change(neo_hookean_bearable(exact), df);
    }
    if model == SOLID_SPRINGS && !folded {
        return springs_change(springs(elasticity_unfolded(f), g1, g2, g3, law.moduli.xyz, false), df);
    }
    let lame = lame_of(law);
    let turn = frame_of(law, f, q);
    return elasticity_frame(turn, transpose(turn) * df, lame.x, lame.y);
}

// The velocity at the middle of the step [m/s].
fn velocity_of(p: u32, step: vec3<f32>) -> vec3<f32> {
    return ((newton_starts[p].xyz - residuals[p].xyz) + 0.5 * step) / launch.dt;
}

@compute @workgroup_size(64)
fn tet_energy(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let i = tet_corners[t];
    if search_steps[i.x].w == 0.0 { return; }
    let g1 = tet_rest[3u * t].xyz;
    let g2 = tet_rest[3u * t + 1u].xyz;
    let g3 = tet_rest[3u * t + 2u].xyz;
    let volume = tet_rest[3u * t].w;
    let turn = tet_turns[t];
    let law = solid_law_of_turn(solid_laws.laws[u32(tet_rest[3u * t + 1u].w)], turn);
    let x = positions[i.x].xyz;
    let s = newton_starts[i.x].xyz;
    let f = elasticity_gradient(
        g1, g2, g3,
        (positions[i.y].xyz - x) + (newton_starts[i.y].xyz - s),
        (positions[i.z].xyz - x) + (newton_starts[i.z].xyz - s),
        (positions[i.w].xyz - x) + (newton_starts[i.w].xyz - s),
    );
    let d0 = search_steps[i.x].xyz;
    let d1 = search_steps[i.y].xyz;
    let d2 = search_steps[i.z].xyz;
    let d3 = search_steps[i.w].xyz;
    let df = elasticity_gradient(g1, g2, g3, d1 - d0, d2 - d0, d3 - d0);
    let before = solid_rotation_of_turn(turn);
    var energy: f32;
    if u32(law.kind.x) == SOLID_NEO_HOOKEAN {
        let start = elasticity_unfolded(f);
        let end = elasticity_unfolded(f + df);
        // The difference of what is not unfolded has its digits.
        var step = df;
        if elasticity_dot(start, start) != elasticity_dot(f, f)
            || elasticity_dot(end, end) != elasticity_dot(f + df, f + df) { step = end - start; }
        energy = neo_hookean_difference(start, step, law.moduli.x, law.moduli.y, law.moduli.z);
    } else {
        energy = density_difference(law, g1, g2, g3, f, df, before);
    }
    var drag = 0.0;
    if law.kind.z > 0.0 || law.kind.w > 0.0 {
        let v0 = velocity_of(i.x, d0);
        let v1 = velocity_of(i.y, d1);
        let v2 = velocity_of(i.z, d2);
        let v3 = velocity_of(i.w, d3);
        let rate = elasticity_gradient(g1, g2, g3, v1 - v0, v2 - v0, v3 - v0);
        energy += law.kind.w * elasticity_dot(change_of(law, g1, g2, g3, f, before, rate), df);
        let work = dot(v0, d0) + dot(v1, d1) + dot(v2, d2) + dot(v3, d3);
        drag = law.kind.z * (0.25 * law.moduli.w * volume) * work;
    }
    let share = 0.25 * (volume * energy + drag);
    let slot = launch.base + 4u * t;
    for (var c = 0u; c < 4u; c++) { corner_energies[slot + c] = share; }
}
