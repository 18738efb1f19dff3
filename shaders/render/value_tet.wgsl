// Energy and von Mises' stress of each tetrahedron. The same as src/model/solid_measure.rs on the host, which has the laws.
#import values
#import elasticity
#import rotation
#import springs

struct HeldTet {
    particles: vec4<u32>,
    kind: vec4<u32>,                 // x: the law, y: 1 if it ignores inversion
    rows: array<vec4<f32>, 3>,       // of D⁻¹ [1/m]; w of the first: a quarter of the volume [m³]
    moduli: vec4<f32>,               // [Pa]
}

const LINEAR = 0u;                   // λ, μ
const COROTATIONAL = 1u;             // λ, μ
const NEO_HOOKEAN = 2u;              // λ, μ of the stable form, and α
const SPRINGS = 3u;                  // of the volume, of springs, of areas
const POSITION = 4u;                 // λ + μ, μ
const STRAIN = 5u;                   // λ, μ
const STRAIN_CRUSHED = 0.01;         // I below which its constraints go by the rest shape
const FLAT = 1e-6;                   // volume over that at rest of what has no Cauchy stress
const SMALL = 0.1;                   // below which x − ln(1 + x) is taken by its series

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(2) var<storage, read> held_tets: array<HeldTet>;
@group(0) @binding(3) var<storage, read_write> element_values: array<vec4<f32>>;    // a particle's share of the energy [J], stress [Pa]

fn square(m: mat3x3<f32>) -> f32 {
    return dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]);
}

fn cofactors(m: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
}

fn diagonal(x: f32) -> mat3x3<f32> {
    return mat3x3(x, 0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, x);
}

// x − ln(1 + x).
fn log_rest(x: f32) -> f32 {
    let series = x * x * (0.5 - x * (1.0 / 3.0 - x * (0.25 - x * (0.2 - x / 6.0))));
    return select(x - log(1.0 + x), series, abs(x) < SMALL);
}

fn von_mises(stress: mat3x3<f32>) -> f32 {
    let s = 0.5 * (stress + transpose(stress));
    return sqrt(1.5 * square(s - diagonal((s[0].x + s[1].y + s[2].z) / 3.0)));
}

// Energy per rest volume and the first Piola–Kirchhoff stress.
struct Answer {
    density: f32,
    p: mat3x3<f32>,
}

// g = F − 1, b = J − 1 without cancellation, `squares` and `minors` what of them is of second order and above.
struct Change {
    b: f32,
    squares: f32,     // |g|²
    minors: f32,      // b − tr g
}

fn change_of(g: mat3x3<f32>) -> Change {
    let c = cofactors(g);
    let minors = c[0].x + c[1].y + c[2].z + dot(g[0], c[0]);
    return Change(g[0].x + g[1].y + g[2].z + minors, square(g), minors);
}

fn hooke(f: mat3x3<f32>, r: mat3x3<f32>, moduli: vec4<f32>) -> Answer {
    let b = transpose(r) * f;
    let strain = 0.5 * (b + transpose(b)) - diagonal(1.0);
    let t = strain[0].x + strain[1].y + strain[2].z;
    let s = strain * (2.0 * moduli.y) + diagonal(moduli.x * t);
    return Answer(moduli.y * square(strain) + 0.5 * moduli.x * t * t, r * s);
}

fn neo_hookean_law(f: mat3x3<f32>, change: Change, g: mat3x3<f32>, moduli: vec4<f32>) -> Answer {
    let trace = g[0].x + g[1].y + g[2].z;
    let more = 2.0 * trace + change.squares;         // I − 3
    let density = moduli.y * (0.375 * change.squares - 0.75 * change.minors + 0.5 * log_rest(0.25 * more))
        + 0.5 * moduli.x * change.b * change.b;
    let p = f * (moduli.y * (1.0 - 1.0 / (more + 4.0))) + cofactors(f) * (moduli.x * (change.b + 1.0 - moduli.z));
    return Answer(density, p);
}

fn position_law(f: mat3x3<f32>, change: Change, moduli: vec4<f32>) -> Answer {
    let density = moduli.y * (0.5 * change.squares - change.minors) + 0.5 * moduli.x * change.b * change.b;
    return Answer(density, f * moduli.y + cofactors(f) * (moduli.x * change.b - moduli.y));
}

fn unit(v: vec3<f32>) -> vec3<f32> {
    let size = length(v);
    return select(vec3(0.0), v / size, size > 0.0);
}

fn strain_law(f: mat3x3<f32>, change: Change, moduli: vec4<f32>) -> Answer {
    if square(f) < STRAIN_CRUSHED { return hooke(f, diagonal(1.0), moduli); }
    if elasticity_folded(f) { return hooke(f, rotation_of(f), moduli); }
    let lengths = vec3(length(f[0]), length(f[1]), length(f[2]));
    var columns = array<vec3<f32>, 3>(unit(f[0]), unit(f[1]), unit(f[2]));
    var sizes = array<f32, 3>(lengths.x, lengths.y, lengths.z);
    var p = array<vec3<f32>, 3>();
    var density = 0.5 * moduli.x * change.b * change.b;
    for (var k = 0u; k < 3u; k++) {
        let a = (k + 1u) % 3u;
        let b = (k + 2u) % 3u;
        let shear = dot(columns[a], columns[b]);
        let stretch = sizes[k] - 1.0;
        density += moduli.y * (stretch * stretch + 0.5 * shear * shear);
        p[k] += 2.0 * moduli.y * stretch * columns[k];
        if sizes[a] > 0.0 && sizes[b] > 0.0 {
            p[a] += moduli.y * shear / sizes[a] * (columns[b] - shear * columns[a]);
            p[b] += moduli.y * shear / sizes[b] * (columns[a] - shear * columns[b]);
        }
    }
    return Answer(density, mat3x3(p[0], p[1], p[2]) + cofactors(f) * (moduli.x * change.b));
}

fn spring_law(f: mat3x3<f32>, change: Change, tet: HeldTet) -> Answer {
    if tet.kind.y != 1u && elasticity_folded(f) {
        return hooke(f, rotation_of(f), vec4(springs_lame(tet.moduli.xyz), 0.0, 0.0));
    }
    let s = springs(f, tet.rows[0].xyz, tet.rows[1].xyz, tet.rows[2].xyz, tet.moduli.xyz, true);
    var lines = s.lines;
    var normals = s.normals;
    var along = 0.0;
    for (var k = 0u; k < 6u; k++) {
        let stretch = length(f * lines[k]) - 1.0;
        along += stretch * stretch;
    }
    var areas = 0.0;
    if tet.moduli.z > 0.0 {
        for (var k = 0u; k < 4u; k++) {
            let growth = length(s.cofactors * normals[k]) - 1.0;
            areas += growth * growth;
        }
    }
    let density = 0.5 * (tet.moduli.y * along + tet.moduli.z * areas + tet.moduli.x * change.b * change.b);
    return Answer(density, springs_stress(s));
}

fn rotation_of(f: mat3x3<f32>) -> mat3x3<f32> {
    let none = vec3(0.0);
    return rotation_matrix(rotation_extract(f, none, none, none, none, ROTATION_SMALLEST, vec4(0.0, 0.0, 0.0, 1.0), 0u).q);
}

@compute @workgroup_size(64)
fn value_tet(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.tet_count { return; }
    let tet = held_tets[i];
    let a = positions[tet.particles.x].xyz;
    let edges = mat3x3(positions[tet.particles.y].xyz - a, positions[tet.particles.z].xyz - a, positions[tet.particles.w].xyz - a);
    let f = edges * transpose(mat3x3(tet.rows[0].xyz, tet.rows[1].xyz, tet.rows[2].xyz));
    let g = f - diagonal(1.0);
    let change = change_of(g);
    let j = change.b + 1.0;
    let law = tet.kind.x;
    var r = diagonal(1.0);
    if law == COROTATIONAL || abs(j) <= FLAT {
        let side = select(1.0, -1.0, tet.kind.y == 1u && j < 0.0);
        r = rotation_of(f * side) * side;
    }
    if law == LINEAR { r = diagonal(1.0); }
    var answer: Answer;
    switch law {
        case NEO_HOOKEAN { answer = neo_hookean_law(f, change, g, tet.moduli); }
        case SPRINGS { answer = spring_law(f, change, tet); }
        case POSITION { answer = position_law(f, change, tet.moduli); }
        case STRAIN { answer = strain_law(f, change, tet.moduli); }
        default { answer = hooke(f, r, tet.moduli); }
    }
    // A flat element has no Cauchy stress; P Rᵀ is what is left of it.
    var cauchy = answer.p * transpose(r);
    if abs(j) > FLAT { cauchy = answer.p * transpose(f) * (1.0 / j); }
    element_values[values.held_count + i] = vec4(tet.rows[0].w * answer.density, von_mises(cauchy), 0.0, 0.0);
}
