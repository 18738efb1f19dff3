// The membrane law of an orthotropic St. Venant–Kirchhoff sheet. src/cloth/green.rs has the equations.
// F is a mat2x3: the deformed weft and warp unit vectors. Symmetric 2×2 matrices are (11, 22, 12).

// F of a triangle, or its rate or change from those of the edges.
fn green_gradient(rest: vec4<f32>, e2: vec3<f32>, e3: vec3<f32>) -> mat2x3<f32> {
    return mat2x3<f32>(e2 * rest.x + e3 * rest.z, e2 * rest.y + e3 * rest.w);
}

// The area at rest [m²].
fn green_area(rest: vec4<f32>) -> f32 {
    return 0.5 / (rest.x * rest.w - rest.y * rest.z);
}

fn green_strain(f: mat2x3<f32>) -> vec3<f32> {
    return 0.5 * vec3<f32>(dot(f[0], f[0]) - 1.0, dot(f[1], f[1]) - 1.0, dot(f[0], f[1]));
}

// dE = sym(Fᵀ dF).
fn green_strain_change(f: mat2x3<f32>, d: mat2x3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(f[0], d[0]), dot(f[1], d[1]), 0.5 * (dot(f[0], d[1]) + dot(f[1], d[0])));
}

// C:E for the moduli (a₁₁, a₂₂, a₁₂, G).
fn green_stress(moduli: vec4<f32>, e: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(moduli.x * e.x + moduli.z * e.y, moduli.y * e.y + moduli.z * e.x, 2.0 * moduli.w * e.z);
}

// S : E.
fn green_contract(s: vec3<f32>, e: vec3<f32>) -> f32 {
    return s.x * e.x + s.y * e.y + 2.0 * s.z * e.z;
}

// F S.
fn green_product(f: mat2x3<f32>, s: vec3<f32>) -> mat2x3<f32> {
    return mat2x3<f32>(f[0] * s.x + f[1] * s.z, f[0] * s.z + f[1] * s.y);
}

// The stress without its negative eigenvalues.
fn green_tension(s: vec3<f32>) -> vec3<f32> {
    let mean = 0.5 * (s.x + s.y);
    let difference = 0.5 * (s.x - s.y);
    let radius = sqrt(difference * difference + s.z * s.z);
    let high = mean + radius;
    let low = mean - radius;
    if low >= 0.0 { return s; }
    if !(high > 0.0) { return vec3<f32>(0.0); }
    return (high / (radius + radius)) * vec3<f32>(s.x - low, s.y - low, s.z);
}

// A P ∇N at the second and third corner; that of the first is minus their sum.
fn green_corners(rest: vec4<f32>, p: mat2x3<f32>) -> mat2x3<f32> {
    let area = green_area(rest);
    return mat2x3<f32>((p[0] * rest.x + p[1] * rest.y) * area, (p[0] * rest.z + p[1] * rest.w) * area);
}

// The 3×3 block of two corners whose shape functions have the gradients `a` (row) and `b` (column).
fn green_pair(
    rest: vec4<f32>, f: mat2x3<f32>, moduli: vec4<f32>, s: vec3<f32>, a: vec2<f32>, b: vec2<f32>,
) -> mat3x3<f32> {
    let area = green_area(rest);
    let own = area * (a.x * b.x * s.x + (a.x * b.y + a.y * b.x) * s.z + a.y * b.y * s.y);
    let k11 = area * (moduli.x * a.x * b.x + moduli.w * a.y * b.y);
    let k12 = area * (moduli.z * a.x * b.y + moduli.w * a.y * b.x);
    let k21 = area * (moduli.w * a.x * b.y + moduli.z * a.y * b.x);
    let k22 = area * (moduli.w * a.x * b.x + moduli.y * a.y * b.y);
    let first = k11 * f[0] + k21 * f[1];
    let second = k12 * f[0] + k22 * f[1];
    return mat3x3<f32>(
        f[0].x * first + f[1].x * second + vec3<f32>(own, 0.0, 0.0),
        f[0].y * first + f[1].y * second + vec3<f32>(0.0, own, 0.0),
        f[0].z * first + f[1].z * second + vec3<f32>(0.0, 0.0, own),
    );
}

// The 3×3 diagonal block of a corner whose shape function has the gradient `a`: (xx, yy, zz), (xy, yz, zx).
fn green_block(rest: vec4<f32>, f: mat2x3<f32>, moduli: vec4<f32>, s: vec3<f32>, a: vec2<f32>) -> mat2x3<f32> {
    let area = green_area(rest);
    let straight = area * (a.x * a.x * s.x + 2.0 * a.x * a.y * s.z + a.y * a.y * s.y);
    let k11 = area * (moduli.x * a.x * a.x + moduli.w * a.y * a.y);
    let k22 = area * (moduli.y * a.y * a.y + moduli.w * a.x * a.x);
    let k12 = area * (moduli.z + moduli.w) * a.x * a.y;
    let u = f[0];
    let v = f[1];
    return mat2x3<f32>(
        straight + k11 * u * u + k22 * v * v + 2.0 * k12 * u * v,
        k11 * u * u.yzx + k22 * v * v.yzx + k12 * (u * v.yzx + v * u.yzx),
    );
}
