// Springs along the edges of a tetrahedron, areas and volume. See `src/solids/springs.rs`. Moduli are those of the volume, of
// springs and of areas [Pa].
#import elasticity

const SPRINGS_OF_SHEAR: f32 = 2.5;    // s over μ

struct Springs {
    f: mat3x3<f32>,
    cofactors: mat3x3<f32>,
    lines: array<vec3<f32>, 6>,
    normals: array<vec3<f32>, 4>,
    moduli: vec3<f32>,
    whole: bool,
}

fn springs(f: mat3x3<f32>, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, moduli: vec3<f32>, whole: bool) -> Springs {
    let x = cross(g2, g3);
    let y = cross(g3, g1);
    let z = cross(g1, g2);
    let lines = array<vec3<f32>, 6>(
        normalize(x), normalize(y), normalize(z), normalize(y - x), normalize(z - x), normalize(z - y),
    );
    // Without a penalty nobody asks for the normals.
    var normals = array<vec3<f32>, 4>();
    if moduli.z > 0.0 {
        normals = array<vec3<f32>, 4>(normalize(-(g1 + g2 + g3)), normalize(g1), normalize(g2), normalize(g3));
    }
    let cofactors = mat3x3<f32>(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
    return Springs(f, cofactors, lines, normals, moduli, whole);
}

// Lamé's λ and μ of springs in all directions alike [Pa].
fn springs_lame(moduli: vec3<f32>) -> vec2<f32> {
    let mu = moduli.y / SPRINGS_OF_SHEAR;
    return vec2<f32>(moduli.x + mu, mu);
}

// y nᵀ.
fn springs_dyad(y: vec3<f32>, n: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(n.x * y, n.y * y, n.z * y);
}

// The derivative of the cofactors at F in the direction B.
fn springs_cofactors_change(f: mat3x3<f32>, b: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(
        cross(b[1], f[2]) + cross(f[1], b[2]),
        cross(b[2], f[0]) + cross(f[2], b[0]),
        cross(b[0], f[1]) + cross(f[0], b[1]),
    );
}

// A unit vector along v, and 1 − 1/|v|; zeros if there is no direction.
fn springs_stretched(v: vec3<f32>) -> vec4<f32> {
    let size = length(v);
    if size > 0.0 { return vec4<f32>(v / size, 1.0 - 1.0 / size); }
    return vec4<f32>(0.0);
}

// Σ (1 − 1/A) y Nᵀ.
fn springs_pressed(s: Springs) -> mat3x3<f32> {
    var normals = s.normals;
    var sum = mat3x3<f32>();
    for (var k = 0u; k < 4u; k++) {
        let y = s.cofactors * normals[k];
        sum += springs_dyad(springs_stretched(y).w * y, normals[k]);
    }
    return sum;
}

// Energy per volume [J/m³].
fn springs_energy(s: Springs) -> f32 {
    var lines = s.lines;
    var normals = s.normals;
    let volume = dot(s.f[0], s.cofactors[0]) - 1.0;
    var sum = s.moduli.x * volume * volume;
    for (var k = 0u; k < 6u; k++) {
        let stretch = length(s.f * lines[k]) - 1.0;
        sum += s.moduli.y * stretch * stretch;
    }
    if s.moduli.z > 0.0 {
        for (var k = 0u; k < 4u; k++) {
            let stretch = length(s.cofactors * normals[k]) - 1.0;
            sum += s.moduli.z * stretch * stretch;
        }
    }
    return 0.5 * sum;
}

fn springs_stress(s: Springs) -> mat3x3<f32> {
    var lines = s.lines;
    var p = (s.moduli.x * (dot(s.f[0], s.cofactors[0]) - 1.0)) * s.cofactors;
    for (var k = 0u; k < 6u; k++) {
        let u = s.f * lines[k];
        p += springs_dyad((s.moduli.y * springs_stretched(u).w) * u, lines[k]);
    }
    if s.moduli.z > 0.0 { p += s.moduli.z * springs_cofactors_change(s.f, springs_pressed(s)); }
    return p;
}

// The stiffness across what is stretched.
fn springs_across(s: Springs, tension: f32) -> f32 {
    return select(max(tension, 0.0), tension, s.whole);
}

// No less than the stiffness in any direction, but for what compressed springs take away [Pa].
fn springs_bound(s: Springs) -> f32 {
    let pressure = s.moduli.x * (dot(s.f[0], s.cofactors[0]) - 1.0);
    var sum = 6.0 * s.moduli.y + elasticity_volume_bound(s.f, s.cofactors, s.moduli.x, pressure);
    if s.moduli.z > 0.0 {
        let pressed = springs_pressed(s);
        let slope = 4.0 / 3.0 * elasticity_dot(s.f, s.f);
        sum += s.moduli.z * (4.0 * slope + 2.0 * sqrt(elasticity_dot(pressed, pressed)));
    }
    return sum;
}

fn springs_change(s: Springs, df: mat3x3<f32>) -> mat3x3<f32> {
    var lines = s.lines;
    var normals = s.normals;
    let dh = springs_cofactors_change(s.f, df);
    let h = s.cofactors;
    var dp = (s.moduli.x * (dot(h[0], df[0]) + dot(h[1], df[1]) + dot(h[2], df[2]))) * h;
    if s.whole { dp += (s.moduli.x * (dot(s.f[0], h[0]) - 1.0)) * dh; }
    for (var k = 0u; k < 6u; k++) {
        let u = springs_stretched(s.f * lines[k]);
        // A unit vector, or none.
        let du = dot(u.xyz, u.xyz) * (df * lines[k]);
        let along = dot(u.xyz, du) * u.xyz;
        dp += springs_dyad(s.moduli.y * (along + springs_across(s, u.w) * (du - along)), lines[k]);
    }
    if s.moduli.z > 0.0 {
        var sum = mat3x3<f32>();
        for (var k = 0u; k < 4u; k++) {
            let u = springs_stretched(h * normals[k]);
            let dy = dot(u.xyz, u.xyz) * (dh * normals[k]);
            let along = dot(u.xyz, dy) * u.xyz;
            sum += springs_dyad(along + springs_across(s, u.w) * (dy - along), normals[k]);
        }
        dp += s.moduli.z * springs_cofactors_change(s.f, sum);
        if s.whole { dp += s.moduli.z * springs_cofactors_change(df, springs_pressed(s)); }
    }
    return dp;
}

// A corner's own block of the stiffness per volume: xx, yy, zz; xy, yz, zx.
fn springs_block(s: Springs, g: vec3<f32>) -> mat2x3<f32> {
    var lines = s.lines;
    var normals = s.normals;
    let hg = s.cofactors * g;
    var diagonal = s.moduli.x * hg * hg;
    var off = s.moduli.x * hg * hg.yzx;
    for (var k = 0u; k < 6u; k++) {
        let u = springs_stretched(s.f * lines[k]);
        let weight = s.moduli.y * dot(lines[k], g) * dot(lines[k], g);
        let across = max(u.w, 0.0);
        diagonal += (weight * (1.0 - across)) * u.xyz * u.xyz + vec3<f32>(weight * across);
        off += (weight * (1.0 - across)) * u.xyz * u.yzx;
    }
    if s.moduli.z > 0.0 {
        for (var k = 0u; k < 4u; k++) {
            let u = springs_stretched(s.cofactors * normals[k]);
            let w = s.f * cross(normals[k], g);
            let across = s.moduli.z * max(u.w, 0.0);
            let turned = cross(w, u.xyz);
            diagonal += (s.moduli.z - across) * turned * turned + across * (vec3<f32>(dot(w, w)) - w * w);
            off += (s.moduli.z - across) * turned * turned.yzx - across * w * w.yzx;
        }
    }
    return mat2x3<f32>(diagonal, off);
}
