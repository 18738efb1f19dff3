// Two triangles that share an edge: the angle between them and its gradients. src/math/hinge.rs has the equations.

const HINGE_THIN: f32 = 1e-3;   // height over edge length of a triangle whose normal is not worth following

struct Hinge {
    sine: f32, cosine: f32,                                       // times |N₁||N₂|
    g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, g4: vec3<f32>,   // ∇θ [rad/m]
}

// The gradients are zero when a triangle is too thin to have a normal.
fn hinge_of(
    e: vec3<f32>,   // x₄ − x₃ [m]
    a: vec3<f32>,   // x₁ − x₃ [m]
    c: vec3<f32>,   // x₂ − x₃ [m]
) -> Hinge {
    let n1 = cross(e, a);
    let n2 = cross(c, e);
    let ee = dot(e, e);
    let nn1 = dot(n1, n1);
    let nn2 = dot(n2, n2);
    let length = sqrt(ee);
    let sine = -length * dot(c, n1);
    let cosine = dot(n1, n2);
    let thin = HINGE_THIN * ee;
    if !(min(nn1, nn2) > thin * thin) {
        return Hinge(sine, cosine, vec3<f32>(), vec3<f32>(), vec3<f32>(), vec3<f32>());
    }
    let g1 = (-length / nn1) * n1;
    let g2 = (-length / nn2) * n2;
    let s = dot(a, e) / ee;
    let t = dot(c, e) / ee;
    return Hinge(sine, cosine, g1, g2, (s - 1.0) * g1 + (t - 1.0) * g2, -(s * g1 + t * g2));
}

// sin θ/2 and cos θ/2, without cancellation at any angle; flat where there is no angle.
fn hinge_half_angle(hinge: Hinge) -> vec2<f32> {
    let size = sqrt(hinge.sine * hinge.sine + hinge.cosine * hinge.cosine);
    if !(size > 0.0) { return vec2<f32>(0.0, 1.0); }
    let large = sqrt((size + abs(hinge.cosine)) / (size + size));
    let small = abs(hinge.sine) / (size * (large + large));
    let sharp = hinge.cosine < 0.0;
    let sine = select(small, large, sharp);
    return vec2<f32>(select(sine, -sine, hinge.sine < 0.0), select(large, small, sharp));
}
