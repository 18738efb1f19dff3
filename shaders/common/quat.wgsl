// Unit quaternions (x, y, z, w), w the scalar part.

// The inverse rotation.
fn quat_conjugate(q: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(-q.xyz, q.w);
}

// q v q̄, by v + 2 w (u × v) + 2 u × (u × v).
fn quat_rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// The normalised linear interpolation along the shorter arc.
fn quat_blend(a: vec4<f32>, b: vec4<f32>, t: f32) -> vec4<f32> {
    let s = select(t, -t, dot(a, b) < 0.0);
    return normalize((1.0 - t) * a + s * b);
}
