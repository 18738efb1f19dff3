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

struct SolidLaws {
    laws: array<SolidLaw, 512>,
}
