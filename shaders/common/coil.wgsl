// The field of a circular loop and of a sheet of current around a cylinder. src/magnets/field/coil.rs says how.

const COIL_MU: f32 = 1e-7;            // μ₀/4π [T m/A]
const COIL_HALF_PI: f32 = 1.5707963267948966;
const COIL_MEANS: u32 = 6u;           // steps of the arithmetic-geometric mean
const COIL_LEAST: f32 = 1e-12;        // the least k'² and γ
const COIL_FAR: f32 = 16.0;           // how many sizes away a sheet is six loops, squared

struct CoilAxial {
    along: f32,      // B along the axis
    outward: f32,    // B away from it, over ρ
    slope: f32,      // ∂ along/∂ζ
    lean: f32,       // ∂ along/∂ρ over ρ
}

// K, E, T and S.
fn coil_elliptic(kc: f32, k2: f32) -> vec4<f32> {
    var a = 0.5 * (1.0 + kc);
    var b = sqrt(kc);
    var term = 0.5 / (1.0 + kc);
    var weight = 1.0;
    var s = term * term;
    for (var n = 0u; n < COIL_MEANS; n++) {
        let next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
        term = 0.25 * k2 * term * term / a;
        weight = weight + weight;
        s += weight * term * term;
    }
    let k = COIL_HALF_PI / a;
    return vec4<f32>(k, k * (1.0 - 0.5 * k2 - k2 * k2 * s), k * (0.5 - (1.0 + kc * kc) * s), s);
}

// A loop of radius a with 1 A.
fn coil_ring(a: f32, rho: f32, zeta: f32) -> CoilAxial {
    let square = zeta * zeta;
    let near = (a - rho) * (a - rho) + square;
    let far = (a + rho) * (a + rho) + square;
    let kc2 = max(near / far, COIL_LEAST);
    let m = a * a + rho * rho + square;
    let product = a * rho;
    let integrals = coil_elliptic(sqrt(kc2), 4.0 * product / far);
    let cube = 1.0 / (far * sqrt(far) * kc2);
    let p3 = 4.0 * integrals.y * cube;
    let s5 = 16.0 / 3.0 * integrals.z * cube / far;
    let p5 = (m * p3 + 2.0 * product * product * s5) / (far * far * kc2);
    let q5 = (2.0 * p5 + s5) / m;
    let strength = COIL_MU * a;
    return CoilAxial(
        strength * (a * p3 - 3.0 * a * rho * rho * s5),
        strength * 3.0 * a * zeta * s5,
        -strength * 3.0 * zeta * a * (p5 - rho * rho * q5),
        strength * 3.0 * a * (s5 - square * q5),
    );
}

// ∮ (a − ρ cos φ)/(a² + ρ² − 2aρ cos φ) ζ/D dφ, and ∮ sin²φ/D³ dφ.
fn coil_edge(a: f32, rho: f32, zeta: f32) -> vec2<f32> {
    let square = zeta * zeta;
    let near = (a - rho) * (a - rho) + square;
    let far = (a + rho) * (a + rho) + square;
    let kc = sqrt(max(near / far, COIL_LEAST));
    let beta = sqrt(far);
    let integrals = coil_elliptic(kc, 4.0 * a * rho / far);
    let gamma = (a - rho) / (a + rho);
    // Bulirsch's cel(k', γ², 1, γ).
    var p = max(abs(gamma), COIL_LEAST);
    var s = gamma / p;
    var c = 1.0 + s / p;
    s = 2.0 * (s + kc / p);
    p += kc / p;
    var em = 1.0 + kc;
    var product = kc;
    for (var n = 0u; n < COIL_MEANS; n++) {
        let k = 2.0 * sqrt(product);
        product = k * em;
        let f = c;
        let g = product / p;
        c += s / p;
        s = 2.0 * (s + f * g);
        p += g;
        em += k;
    }
    let third = COIL_HALF_PI * (s + c * em) / (em * (em + p));
    return vec2<f32>(4.0 * zeta / (beta * (a + rho)) * third, 32.0 * integrals.x * integrals.w / (far * beta));
}

// Gauss's quadrature on [−1, 1]: points, weights.
const COIL_POINTS = array<vec2<f32>, 6>(
    vec2<f32>(-0.9324695142031521, 0.1713244923791704),
    vec2<f32>(-0.6612093864662645, 0.3607615730481386),
    vec2<f32>(-0.2386191860831969, 0.467913934572691),
    vec2<f32>(0.2386191860831969, 0.467913934572691),
    vec2<f32>(0.6612093864662645, 0.3607615730481386),
    vec2<f32>(0.9324695142031521, 0.1713244923791704),
);

// A sheet of current around a cylinder of radius a and half length h, 1 A/m.
fn coil_sheet(a: f32, h: f32, rho: f32, zeta: f32) -> CoilAxial {
    if rho * rho + zeta * zeta > COIL_FAR * (a * a + h * h) {
        var points = COIL_POINTS;
        var sum = CoilAxial(0.0, 0.0, 0.0, 0.0);
        for (var n = 0u; n < 6u; n++) {
            let part = coil_ring(a, rho, zeta - h * points[n].x);
            let weight = h * points[n].y;
            sum.along += weight * part.along;
            sum.outward += weight * part.outward;
            sum.slope += weight * part.slope;
            sum.lean += weight * part.lean;
        }
        return sum;
    }
    let up = coil_edge(a, rho, zeta + h);
    let down = coil_edge(a, rho, zeta - h);
    let top = coil_ring(a, rho, zeta + h);
    let bottom = coil_ring(a, rho, zeta - h);
    let strength = COIL_MU * a;
    return CoilAxial(
        strength * (up.x - down.x),
        strength * a * (down.y - up.y),
        top.along - bottom.along,
        top.outward - bottom.outward,
    );
}
