// The laws of a tetrahedron: from the deformation gradient F to the stress P. See `src/solids/elasticity.rs`.

fn elasticity_gradient(
    g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>,   // [1/m]
    e1: vec3<f32>, e2: vec3<f32>, e3: vec3<f32>,   // [m]
) -> mat3x3<f32> {
    return mat3x3<f32>(
        g1.x * e1 + g2.x * e2 + g3.x * e3,
        g1.y * e1 + g2.y * e2 + g3.y * e3,
        g1.z * e1 + g2.z * e2 + g3.z * e3,
    );
}

fn elasticity_dot(a: mat3x3<f32>, b: mat3x3<f32>) -> f32 {
    return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
}

const ELASTICITY_NOTHING: f32 = 1e-2;

// F as laws of F alone see it: to a point that has no direction to go, its rest shape shows one.
fn elasticity_unfolded(f: mat3x3<f32>) -> mat3x3<f32> {
    let missing = max(ELASTICITY_NOTHING - sqrt(elasticity_dot(f, f)), 0.0);
    return f + mat3x3<f32>(missing, 0.0, 0.0, 0.0, missing, 0.0, 0.0, 0.0, missing);
}

const ELASTICITY_FOLDED: f32 = 0.1;                 // J over (I/3)^(3/2) of what is folded
const ELASTICITY_DRAWN: f32 = 0.144;                // J/|C| of what is drawn out rather than flat
const ELASTICITY_COFACTORS_SLOPE: f32 = 1.1547006;  // 2/√3: the most that dF changes the cofactors, over √I

// (I/3)^(3/2): the most that edges of these lengths can span.
fn elasticity_upright_volume(f: mat3x3<f32>) -> f32 {
    let third = elasticity_dot(f, f) / 3.0;
    return third * sqrt(third);
}

// Whether a tetrahedron is inside out, nearly flat or next to nothing.
fn elasticity_folded(f: mat3x3<f32>) -> bool {
    let is_upright = dot(f[0], cross(f[1], f[2])) > ELASTICITY_FOLDED * elasticity_upright_volume(f);
    return !(is_upright && elasticity_dot(f, f) > ELASTICITY_NOTHING * ELASTICITY_NOTHING);
}

// Whether a tetrahedron is upright and thick, however long.
fn elasticity_drawn(f: mat3x3<f32>) -> bool {
    let c = mat3x3<f32>(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
    let size = elasticity_dot(c, c);
    return dot(f[0], c[0]) > ELASTICITY_DRAWN * sqrt(size)
        && size > ELASTICITY_NOTHING * ELASTICITY_NOTHING;
}

// A bound of the stiffness of ½ b (J − c)² [Pa].
fn elasticity_volume_bound(f: mat3x3<f32>, cofactors: mat3x3<f32>, modulus: f32, pressure: f32) -> f32 {
    let slope = ELASTICITY_COFACTORS_SLOPE * sqrt(elasticity_dot(f, f));
    return modulus * elasticity_dot(cofactors, cofactors) + abs(pressure) * slope;
}

// R (2 μ sym B + λ tr B), of B = RᵀF − 1 for the stress and B = Rᵀ dF for its change.
fn elasticity_frame(r: mat3x3<f32>, b: mat3x3<f32>, lambda: f32, mu: f32) -> mat3x3<f32> {
    let pressure = lambda * (b[0].x + b[1].y + b[2].z);
    var s = mu * (b + transpose(b));
    s[0].x += pressure;
    s[1].y += pressure;
    s[2].z += pressure;
    return r * s;
}

// Energy per volume of Hooke's law in the frame R at F + dF, where it is `to`, above that at F [J/m³].
fn elasticity_frame_difference(
    r: mat3x3<f32>, to: mat3x3<f32>, f: mat3x3<f32>, df: mat3x3<f32>, lambda: f32, mu: f32,
) -> f32 {
    let b = transpose(r) * f - mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let d = transpose(to) * df + transpose(to - r) * f;
    let sum = b + transpose(b);
    let ds = d + transpose(d);
    let trace = b[0].x + b[1].y + b[2].z;
    let dt = d[0].x + d[1].y + d[2].z;
    return 0.5 * (0.5 * mu * elasticity_dot(ds, sum + sum + ds) + lambda * dt * (trace + trace + dt));
}

// Energy per volume of Hooke's law in the frame R, of B = RᵀF − 1 [J/m³].
fn elasticity_frame_energy(b: mat3x3<f32>, lambda: f32, mu: f32) -> f32 {
    let sum = b + transpose(b);
    let trace = b[0].x + b[1].y + b[2].z;
    return 0.25 * mu * elasticity_dot(sum, sum) + 0.5 * lambda * trace * trace;
}

// ln(1 + u), which keeps the digits of a small u.
fn elasticity_log_of_one_and(u: f32) -> f32 {
    let z = u / (2.0 + u);
    if abs(z) > 0.1 { return log(1.0 + u); }
    let s = z * z;
    return (z + z) * (1.0 + s * (1.0 / 3.0 + s * (0.2 + s * (1.0 / 7.0))));
}

fn elasticity_cofactors(f: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
}

// Energy per volume of the stable neo-Hookean law at F + dF above that at F [J/m³].
fn neo_hookean_difference(f: mat3x3<f32>, df: mat3x3<f32>, lambda: f32, mu: f32, alpha: f32) -> f32 {
    let square = elasticity_dot(df, f + f + df);
    let volume = elasticity_dot(elasticity_cofactors(f), df) + elasticity_dot(elasticity_cofactors(df), f)
        + dot(df[0], cross(df[1], df[2]));
    let shape = square - elasticity_log_of_one_and(square / (elasticity_dot(f, f) + 1.0));
    let pressure = dot(f[0], cross(f[1], f[2])) - alpha;
    return 0.5 * mu * shape + 0.5 * lambda * volume * (pressure + pressure + volume);
}

// How F differs from rest, each without the others' rounding.
struct Growth {
    volume: f32,      // J − 1
    squares: f32,     // |F − 1|²
    minors: f32,      // J − 1 without its part of first order
    size: f32,        // F:F − 3
}

fn elasticity_growth(f: mat3x3<f32>) -> Growth {
    let g = f - mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let c = elasticity_cofactors(g);
    let trace = g[0].x + g[1].y + g[2].z;
    let minors = c[0].x + c[1].y + c[2].z + dot(g[0], c[0]);
    let squares = elasticity_dot(g, g);
    return Growth(trace + minors, squares, minors, 2.0 * trace + squares);
}

// u − ln(1 + u), which keeps the digits of a small u.
fn elasticity_rest_of_log(u: f32) -> f32 {
    let z = u / (2.0 + u);
    if abs(z) > 0.1 { return u - log(1.0 + u); }
    let s = z * z;
    let series = 1.0 / 3.0 + s * (0.2 + s * (1.0 / 7.0 + s * (1.0 / 9.0 + s * (1.0 / 11.0))));
    return 2.0 * s * (1.0 / (1.0 - z) - z * series);
}

// The stable neo-Hookean law at F.
struct NeoHookean {
    f: mat3x3<f32>,
    cofactors: mat3x3<f32>,
    stiffness: f32,    // μ (1 − 1/(I + 1)) [Pa]
    pressure: f32,     // λ (J − α) [Pa]
    curvature: f32,    // 2 μ/(I + 1)² [Pa]
    lambda: f32,       // [Pa]
}

fn neo_hookean(f: mat3x3<f32>, lambda: f32, mu: f32, alpha: f32) -> NeoHookean {
    let c = mat3x3<f32>(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
    let share = 1.0 / (elasticity_dot(f, f) + 1.0);
    return NeoHookean(f, c, mu * (1.0 - share), lambda * (dot(f[0], c[0]) - alpha), 2.0 * mu * share * share, lambda);
}

fn neo_hookean_stress(law: NeoHookean) -> mat3x3<f32> {
    return law.stiffness * law.f + law.pressure * law.cofactors;
}

// The same with no more pressure than the stiffness bears.
fn neo_hookean_bearable(law: NeoHookean) -> NeoHookean {
    let c = transpose(law.f) * law.f;
    let mean = (c[0].x + c[1].y + c[2].z) / 3.0;
    let variance = elasticity_dot(c, c) / 3.0 - mean * mean;
    let stretch = sqrt(mean + sqrt(max(2.0 * variance, 0.0)));
    // A point has neither stiffness nor stretch.
    var most = 0.0;
    if stretch > 0.0 { most = law.stiffness / stretch; }
    var bearable = law;
    bearable.pressure = clamp(law.pressure, -most, most);
    return bearable;
}

// No less than the stiffness in any direction [Pa].
fn neo_hookean_bound(law: NeoHookean) -> f32 {
    let shape = law.stiffness + law.curvature * elasticity_dot(law.f, law.f);
    return shape + elasticity_volume_bound(law.f, law.cofactors, law.lambda, law.pressure);
}

fn neo_hookean_change(law: NeoHookean, df: mat3x3<f32>) -> mat3x3<f32> {
    let f = law.f;
    let dc = mat3x3<f32>(
        cross(df[1], f[2]) + cross(f[1], df[2]),
        cross(df[2], f[0]) + cross(f[2], df[0]),
        cross(df[0], f[1]) + cross(f[0], df[1]),
    );
    return law.stiffness * df
        + (law.curvature * elasticity_dot(f, df)) * f
        + (law.lambda * elasticity_dot(law.cofactors, df)) * law.cofactors
        + law.pressure * dc;
}
