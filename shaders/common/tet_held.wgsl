// What a tetrahedron holds by its law, for colours. Constraints have theirs in their own shaders, above the bindings. See
// `src/solids/law.rs`.
#import tet_deformed
#import rotation
#import springs

fn tet_held_rotation(f: mat3x3<f32>) -> mat3x3<f32> {
    let none = vec3<f32>(0.0);
    let before = vec4<f32>(0.0, 0.0, 0.0, 1.0);
    return rotation_matrix(rotation_extract(f, none, none, none, none, ROTATION_SMALLEST, before, 0u).q);
}

// R of F: of what is inverted along its smallest stretch, or a reflection.
fn tet_rotation(at: TetDeformed) -> mat3x3<f32> {
    let is_reflected = at.ignores_inversion && dot(at.f[0], cross(at.f[1], at.f[2])) < 0.0;
    let side = select(1.0, -1.0, is_reflected);
    return tet_held_rotation(at.f * side) * side;
}

fn linear_held(at: TetDeformed) -> TetHeld {
    return tet_hooke(at.f, mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), at.moduli.xy);
}

fn corotational_held(at: TetDeformed) -> TetHeld {
    return tet_hooke(at.f, tet_rotation(at), at.moduli.xy);
}

fn neo_hookean_held(at: TetDeformed) -> TetHeld {
    let growth = elasticity_growth(at.f);
    let shape = 0.375 * growth.squares - 0.75 * growth.minors + 0.5 * elasticity_rest_of_log(0.25 * growth.size);
    let energy = at.moduli.y * shape + 0.5 * at.moduli.x * growth.volume * growth.volume;
    return TetHeld(energy, neo_hookean_stress(neo_hookean(at.f, at.moduli.x, at.moduli.y, at.moduli.z)));
}

fn springs_held(at: TetDeformed) -> TetHeld {
    if !at.ignores_inversion && elasticity_folded(at.f) {
        return tet_hooke(at.f, tet_rotation(at), springs_lame(at.moduli));
    }
    let s = springs(at.f, at.g1, at.g2, at.g3, at.moduli, true);
    return TetHeld(springs_energy(s), springs_stress(s));
}
