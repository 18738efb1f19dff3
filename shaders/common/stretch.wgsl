// The stretch of a triangle and the smallest change that brings it to a target. src/cloth/stretch.rs has the equations.

const STRETCH_FLAT: f32 = 1e-6;   // det U over tr C of a triangle that has collapsed to a line

struct Stretch {
    u: vec3<f32>,        // U: 11, 22, 12
    r: mat2x3<f32>,      // R
    valid: bool,
}

fn stretch_polar(f: mat2x3<f32>) -> Stretch {
    let c = vec3<f32>(dot(f[0], f[0]), dot(f[1], f[1]), dot(f[0], f[1]));
    let s = sqrt(max(c.x * c.y - c.z * c.z, 0.0));
    if !(s > STRETCH_FLAT * (c.x + c.y)) { return Stretch(vec3<f32>(), mat2x3<f32>(), false); }
    let u = vec3<f32>(c.x + s, c.y + s, c.z) * (1.0 / sqrt(c.x + c.y + s + s));
    return Stretch(u, mat2x3<f32>((f[0] * u.y - f[1] * u.z) / s, (f[1] * u.x - f[0] * u.z) / s), true);
}

struct StretchChange { x1: vec2<f32>, x2: vec2<f32>, x3: vec2<f32> }

// (D + w J) of an arm.
fn stretch_field(d: vec3<f32>, w: f32, arm: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(d.x * arm.x + (d.z - w) * arm.y, (d.z + w) * arm.x + d.y * arm.y);
}

// The displacements of the corners in the triangle's own axes that change its strain by d.
fn stretch_change(rest: vec4<f32>, u: vec3<f32>, d: vec3<f32>, weights: vec3<f32>) -> StretchChange {
    let zero = StretchChange(vec2<f32>(), vec2<f32>(), vec2<f32>());
    let det = rest.x * rest.w - rest.y * rest.z;
    let x2 = vec2<f32>(rest.w, -rest.z) / det;
    let x3 = vec2<f32>(-rest.y, rest.x) / det;
    let held = weights <= vec3<f32>(0.0);
    let masses = select(1.0 / select(weights, vec3<f32>(1.0), held), vec3<f32>(0.0), held);
    let count = dot(select(vec3<f32>(1.0), vec3<f32>(0.0), held), vec3<f32>(1.0));
    if count > 2.5 {
        let mean = (masses.y * x2 + masses.z * x3) / (masses.x + masses.y + masses.z);
        let a = mat3x2<f32>(-mean, x2 - mean, x3 - mean);
        let i11 = masses.x * a[0].x * a[0].x + masses.y * a[1].x * a[1].x + masses.z * a[2].x * a[2].x;
        let i12 = masses.x * a[0].x * a[0].y + masses.y * a[1].x * a[1].y + masses.z * a[2].x * a[2].y;
        let i22 = masses.x * a[0].y * a[0].y + masses.y * a[1].y * a[1].y + masses.z * a[2].y * a[2].y;
        let q11 = u.x * d.z - u.z * d.x;
        let q12 = u.x * d.y - u.z * d.z;
        let q21 = u.z * d.z - u.y * d.x;
        let q22 = u.z * d.y - u.y * d.z;
        let turn = q11 * i11 + (q12 + q21) * i12 + q22 * i22;
        let w = -turn / (u.x * i11 + 2.0 * u.z * i12 + u.y * i22);
        return StretchChange(stretch_field(d, w, a[0]), stretch_field(d, w, a[1]), stretch_field(d, w, a[2]));
    }
    if count > 1.5 {
        let origin = select(select(x3, x2, held.y), vec2<f32>(), held.x);
        var a = array<vec2<f32>, 3>(-origin, x2 - origin, x3 - origin);
        var shares = array<f32, 3>(masses.x, masses.y, masses.z);
        var turn = 0.0;
        var inertia = 0.0;
        for (var c = 0; c < 3; c++) {
            let arm = a[c];
            turn += shares[c] * (arm.x * (d.z * arm.x + d.y * arm.y) - arm.y * (d.x * arm.x + d.z * arm.y));
            inertia += shares[c] * dot(arm, arm);
        }
        let w = -turn / inertia;
        return StretchChange(stretch_field(d, w, a[0]), stretch_field(d, w, a[1]), stretch_field(d, w, a[2]));
    }
    if count > 0.5 {
        let n = select(select(rest.zw, rest.xy, !held.y), -(rest.xy + rest.zw), !held.x);
        let a = n.x * n.x + 0.25 * n.y * n.y;
        let b = n.y * n.y + 0.25 * n.x * n.x;
        let c = 0.25 * n.x * n.y;
        let p = n.x * d.x + 0.5 * n.y * d.z;
        let q = n.y * d.y + 0.5 * n.x * d.z;
        let way = vec2<f32>(b * p - c * q, a * q - c * p) / (a * b - c * c);
        let none = vec2<f32>();
        return StretchChange(select(none, way, !held.x), select(none, way, !held.y), select(none, way, !held.z));
    }
    return zero;
}

const STRETCH_SWEEPS: i32 = 3;          // over the modes of one triangle
const STRETCH_LOOSE: f32 = 1e-6;        // a mode that its free corners hardly change, relative to the others

// ∂(U₁₁, U₂₂, U₁₂)/∂x of a corner whose shape function has the gradient n, in the triangle's own axes, a column a mode.
fn stretch_mode_gradients(u: vec3<f32>, n: vec2<f32>) -> mat3x2<f32> {
    let p = u / (u.x + u.y);
    return mat3x2<f32>(
        n.x - p.z * n.y, p.z * n.x,
        p.z * n.y, n.y - p.z * n.x,
        p.x * n.y, p.y * n.x,
    );
}

struct StretchImpulse {
    value: vec3<f32>,
    change: f32,        // the largest change of a strain
}

// The impulses of a triangle's modes that keep its strains within their limits, from those before.
fn stretch_impulse(
    w: mat3x3<f32>,
    strain: vec3<f32>,
    low: vec3<f32>,
    high: vec3<f32>,
    before: vec3<f32>,
    omega: f32,
) -> StretchImpulse {
    let loose = STRETCH_LOOSE * (w[0][0] + w[1][1] + w[2][2]);
    var now = before;
    for (var sweep = 0; sweep < STRETCH_SWEEPS; sweep++) {
        for (var k = 0; k < 3; k++) {
            let stiffness = w[k][k];
            if !(stiffness > loose) {
                now[k] = 0.0;
                continue;
            }
            let e = strain[k] - dot(w[k], now - before);
            let upper = now[k] + (e - high[k]) / stiffness;
            let lower = now[k] + (e - low[k]) / stiffness;
            now[k] = max(upper, 0.0) + min(lower, 0.0);
        }
    }
    // Over-relaxed, but never to the other side.
    let far = before + omega * (now - before);
    let zero = vec3<f32>(0.0);
    let value = select(select(zero, min(far, zero), now < zero), max(far, zero), now > zero);
    let changes = abs(w * (value - before));
    return StretchImpulse(value, max(max(changes.x, changes.y), changes.z));
}

// U⁻¹ Σ λₖ ∂Uₖ/∂F: 11, 22, 12.
fn stretch_stress(u: vec3<f32>, impulse: vec3<f32>) -> vec3<f32> {
    let p = u / (u.x + u.y);
    let turn = p.z * (impulse.x - impulse.y);
    let g12 = p.x * impulse.z - turn;
    let g21 = p.y * impulse.z + turn;
    let s = vec3<f32>(u.y * impulse.x - u.z * g21, u.x * impulse.y - u.z * g12, u.y * g12 - u.z * impulse.y);
    return s / (u.x * u.y - u.z * u.z);
}
