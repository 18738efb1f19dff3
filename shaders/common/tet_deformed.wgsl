// A tetrahedron where it is, and what it holds. See `src/solids/law.rs`.
#import elasticity

struct TetDeformed {
    f: mat3x3<f32>,
    g1: vec3<f32>,       // gradients of the barycentric coordinates at rest [1/m]
    g2: vec3<f32>,
    g3: vec3<f32>,
    moduli: vec3<f32>,   // [Pa]
    ignores_inversion: bool,
}

struct TetHeld {
    energy: f32,         // per volume at rest, above that at rest [J/m³]
    stress: mat3x3<f32>, // the first Piola–Kirchhoff stress [Pa]
}

// Hooke's law in the frame of a rotation.
fn tet_hooke(f: mat3x3<f32>, r: mat3x3<f32>, lame: vec2<f32>) -> TetHeld {
    let b = transpose(r) * f - mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    return TetHeld(elasticity_frame_energy(b, lame.x, lame.y), elasticity_frame(r, b, lame.x, lame.y));
}
