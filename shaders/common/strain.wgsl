// The strains of a rod and their gradients. src/rods/strain.rs has the equations.
#import turn

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

// P = c + [s]×.
fn strain_joint(relative: vec4<f32>) -> mat3x3<f32> {
    return strain_diagonal(vec3<f32>(relative.w)) + strain_cross(relative.xyz);
}

// The rotation matrix of a relative orientation.
fn strain_rotation(relative: vec4<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(
        quat_rotate(relative, vec3<f32>(1.0, 0.0, 0.0)),
        quat_rotate(relative, vec3<f32>(0.0, 1.0, 0.0)),
        quat_rotate(relative, vec3<f32>(0.0, 0.0, 1.0)),
    );
}

// M diag(d) Mᵀ.
fn strain_congruence(m: mat3x3<f32>, d: vec3<f32>) -> mat3x3<f32> {
    return strain_scale_columns(m, d) * transpose(m);
}
