// L D Lᵀ of a symmetric positive 3 × 3 matrix. src/rods/ldl.rs says why pivots have a floor.

const LDL_EPSILON: f32 = 1.1920929e-7;

struct Ldl {
    inverse_pivots: vec3<f32>,
    lower: vec3<f32>,    // l₂₁, l₃₁, l₃₂
}

fn ldl_factor(m: mat3x3<f32>, scale: vec3<f32>) -> Ldl {
    let least = scale * LDL_EPSILON;
    let a = 1.0 / max(m[0].x, least.x);
    let l21 = m[0].y * a;
    let l31 = m[0].z * a;
    let b = 1.0 / max(m[1].y - l21 * m[0].y, least.y);
    let m32 = m[1].z - l21 * m[0].z;
    let l32 = m32 * b;
    let c = 1.0 / max(m[2].z - l31 * m[0].z - l32 * m32, least.z);
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
