// What the tetrahedra of all solids are made of. See `src/solids/laws.rs`.

const SOLID_LINEAR: u32 = 0u;
const SOLID_COROTATIONAL: u32 = 1u;
const SOLID_NEO_HOOKEAN: u32 = 2u;
const SOLID_SPRINGS: u32 = 3u;
const SOLID_IGNORE: u32 = 4u;    // an inverted tetrahedron is reflected, not rotated

struct SolidLaw {
    moduli: vec4<f32>,    // λ, μ [Pa], α of the neo-Hookean law or the moduli of springs' volume, edges and areas [Pa]; density [kg/m³]
    kind: vec4<f32>,      // model, inversion, Rayleigh's damping of the mass [1/s] and of the stiffness [s]
}

const SOLID_LOOSE_LAMBDA: f32 = 1.5;    // the most that λ of a loose tetrahedron is, over μ

// Whether a tetrahedron is loose: the quaternion of its rotation has the length 2 then.
fn solid_is_loose(turn: vec4<f32>) -> bool {
    return dot(turn.xyz, turn.xyz) + turn.w * turn.w > 2.0;
}

// The quaternion of a tetrahedron's rotation.
fn solid_rotation_of_turn(turn: vec4<f32>) -> vec4<f32> {
    return select(1.0, 0.5, solid_is_loose(turn)) * turn;
}

// The turn of a rotation and of who is loose.
fn solid_turn_of_rotation(q: vec4<f32>, is_loose: bool) -> vec4<f32> {
    return select(1.0, 2.0, is_loose) * q;
}

// The law of a tetrahedron, with less of λ if its turn says that it is loose.
fn solid_law_of_turn(law: SolidLaw, turn: vec4<f32>) -> SolidLaw {
    let model = u32(law.kind.x);
    var loose = law;
    if !solid_is_loose(turn) || model == SOLID_LINEAR { return loose; }
    var most = SOLID_LOOSE_LAMBDA;
    // λ + 5/6 μ over 4/3 μ; b is λ − μ, and s 5/2 μ.
    if model == SOLID_NEO_HOOKEAN { most = 0.75 * SOLID_LOOSE_LAMBDA + 0.625; }
    if model == SOLID_SPRINGS { most = (SOLID_LOOSE_LAMBDA - 1.0) / 2.5; }
    loose.moduli.x = min(law.moduli.x, most * law.moduli.y);
    if model == SOLID_NEO_HOOKEAN { loose.moduli.z = 1.0 + 0.75 * law.moduli.y / loose.moduli.x; }
    return loose;
}

struct SolidLaws {
    laws: array<SolidLaw, 512>,
}
