// Small rotations as Gibbs vectors g = tan(θ/2) n. src/rods/turn.rs says why.
#import quat

// The turn a, then b about the axes that a has turned.
fn turn_compose(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return (a + b + cross(a, b)) * (1.0 / (1.0 - dot(a, b)));
}

// q p.
fn turn_product(q: vec4<f32>, p: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(q.w * p.xyz + p.w * q.xyz + cross(q.xyz, p.xyz), q.w * p.w - dot(q.xyz, p.xyz));
}

// The vector part of q̄ (p − q), which is that of q̄ p to the last digit when p is near q.
fn turn_difference(q: vec4<f32>, p: vec4<f32>) -> vec3<f32> {
    let d = p - q;
    return q.w * d.xyz - d.w * q.xyz - cross(q.xyz, d.xyz);
}

// The turn that leads from q to p, whichever sign p has.
fn turn_between(q: vec4<f32>, p: vec4<f32>) -> vec3<f32> {
    let c = dot(q, p);
    return turn_difference(q, select(p, -p, c < 0.0)) / abs(c);
}

// q turned, a unit quaternion again.
fn turn_apply(q: vec4<f32>, turn: vec3<f32>) -> vec4<f32> {
    let p = turn_product(q, vec4<f32>(turn, 1.0));
    return p * (1.0 / sqrt(dot(p, p)));
}

// ω with (ω₁, ω₂) turned by −2 atan t.
fn turn_precess(w: vec3<f32>, t: f32) -> vec3<f32> {
    let scale = 1.0 / (1.0 + t * t);
    let c = (1.0 - t * t) * scale;
    let s = (t + t) * scale;
    return vec3<f32>(c * w.x + s * w.y, c * w.y - s * w.x, w.z);
}
