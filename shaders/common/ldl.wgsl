// L D Lᵀ of a symmetric positive 3 × 3 matrix. src/rods/ldl.rs says why pivots have a floor.

const LDL_EPSILON: f32 = 1.1920929e-7;

struct LdlSymmetric {
    diagonal: vec3<f32>,    // xx, yy, zz
    aside: vec3<f32>,       // xy, xz, yz
}

struct Ldl {
    inverse_pivots: vec3<f32>,
    lower: vec3<f32>,    // l₂₁, l₃₁, l₃₂
}

// Mᵀ N where that is known to be symmetric.
fn ldl_product(m: mat3x3<f32>, n: mat3x3<f32>) -> LdlSymmetric {
    return LdlSymmetric(
        vec3<f32>(dot(m[0], n[0]), dot(m[1], n[1]), dot(m[2], n[2])),
        vec3<f32>(dot(m[0], n[1]), dot(m[0], n[2]), dot(m[1], n[2])),
    );
}

fn ldl_factor(m: mat3x3<f32>, scale: vec3<f32>) -> Ldl {
    let diagonal = vec3<f32>(m[0].x, m[1].y, m[2].z);
    return ldl_factor_symmetric(LdlSymmetric(diagonal, vec3<f32>(m[0].y, m[0].z, m[1].z)), scale);
}

fn ldl_factor_symmetric(m: LdlSymmetric, scale: vec3<f32>) -> Ldl {
    let least = scale * LDL_EPSILON;
    let d = m.diagonal;
    let o = m.aside;
    let a = 1.0 / max(d.x, least.x);
    let l21 = o.x * a;
    let l31 = o.y * a;
    let b = 1.0 / max(d.y - l21 * o.x, least.y);
    let m32 = o.z - l21 * o.y;
    let l32 = m32 * b;
    let c = 1.0 / max(d.z - l31 * o.y - l32 * m32, least.z);
    return Ldl(vec3<f32>(a, b, c), vec3<f32>(l21, l31, l32));
}

fn ldl_solve(f: Ldl, r: vec3<f32>) -> vec3<f32> {
    let y = r.y - f.lower.x * r.x;
    let z = (r.z - f.lower.y * r.x - f.lower.z * y) * f.inverse_pivots.z;
    let v = y * f.inverse_pivots.y - f.lower.z * z;
    return vec3<f32>(r.x * f.inverse_pivots.x - f.lower.x * v - f.lower.y * z, v, z);
}

fn ldl_solve_columns(f: Ldl, m: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(ldl_solve(f, m[0]), ldl_solve(f, m[1]), ldl_solve(f, m[2]));
}
