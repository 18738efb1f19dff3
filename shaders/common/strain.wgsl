// The strains of a rod and their gradients. src/rods/strain.rs has the equations.
#import turn
#import ldl

// The relative orientation (s, c) of two neighbouring frames at the present iterate.
fn strain_relative(qa: vec4<f32>, qb: vec4<f32>, ga: vec3<f32>, gb: vec3<f32>) -> vec4<f32> {
    let s = turn_difference(qa, qb);
    let c = dot(qa, qb);
    let v = s - c * ga - cross(ga, s);
    let w = c + dot(ga, s);
    let scalar = w - dot(v, gb);
    let scale = 1.0 / sqrt((1.0 + dot(ga, ga)) * (1.0 + dot(gb, gb)));
    return select(scale, -scale, scalar < 0.0) * vec4<f32>(v + w * gb + cross(v, gb), scalar);
}

// [v]×.
fn strain_cross(v: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(0.0, v.z, -v.y, -v.z, 0.0, v.x, v.y, -v.x, 0.0);
}

fn strain_diagonal(d: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(d.x, 0.0, 0.0, 0.0, d.y, 0.0, 0.0, 0.0, d.z);
}

// M diag(d).
fn strain_scale_columns(m: mat3x3<f32>, d: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(m[0] * d.x, m[1] * d.y, m[2] * d.z);
}

// M diag(d) Mᵀ.
fn strain_congruence(m: mat3x3<f32>, d: vec3<f32>) -> mat3x3<f32> {
    return strain_scale_columns(m, d) * transpose(m);
}

// P = c + [s]×.
fn strain_joint(r: vec4<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(r.w, r.z, -r.y, -r.z, r.w, r.x, r.y, -r.x, r.w);
}

// P v.
fn strain_forth(r: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return r.w * v + cross(r.xyz, v);
}

// Pᵀ v.
fn strain_back(r: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return r.w * v - cross(r.xyz, v);
}

// The rotation matrix of a relative orientation.
fn strain_rotation(r: vec4<f32>) -> mat3x3<f32> {
    let t = r.xyz + r.xyz;
    let square = t * r.xyz;
    let xy = t.x * r.y;
    let xz = t.x * r.z;
    let yz = t.y * r.z;
    let w = t * r.w;
    return mat3x3<f32>(
        1.0 - square.y - square.z, xy + w.z, xz - w.y,
        xy - w.z, 1.0 - square.x - square.z, yz + w.x,
        xz + w.y, yz - w.x, 1.0 - square.x - square.y,
    );
}

// [b]× W [b]×ᵀ.
fn strain_crossed(b: vec3<f32>, w: vec3<f32>) -> LdlSymmetric {
    let square = b * b;
    return LdlSymmetric(square.zzy * w.yxx + square.yxx * w.zzy, -b.xxy * b.yzz * w.zyx);
}

// P W_b Pᵀ + Pᵀ Wₐ P.
fn strain_joint_weight(r: vec4<f32>, first: vec3<f32>, second: vec3<f32>) -> LdlSymmetric {
    let sum = first + second;
    let d = second - first;
    let m = strain_crossed(r.xyz, sum);
    return LdlSymmetric(m.diagonal + sum * (r.w * r.w), m.aside + r.zyx * (d.xzy - d.yxz) * r.w);
}
