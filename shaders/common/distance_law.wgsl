// The law of the distance constraint.

// xyz = n Δλ, the correction of xⱼ per inverse mass, and w = Δλ.
fn distance_law(
    d: vec3<f32>,            // xⱼ − xᵢ [m]
    w: f32,                  // wᵢ + wⱼ [1/kg]
    rest_length: f32,        // L [m]
    compliances: vec2<f32>,  // α stretched, α compressed [m/N]; negative: slack
    lambda: f32,
    per_dt2: f32,            // 1/dt² [1/s²]
) -> vec4<f32> {
    let length = sqrt(dot(d, d));
    // A link without length has no direction; one whose ends are fixed cannot act.
    let valid = length > 0.0 && w > 0.0;
    let c = length - rest_length;
    let near = select(compliances.y, compliances.x, c > 0.0);
    let far = select(compliances.x, compliances.y, c > 0.0);
    let tilde = max(select(near, far, near < 0.0), 0.0) * per_dt2;
    // λ + Δλ has the sign of w λ − C. Where the link is slack on that side, it gives back what it has applied.
    let next = w * lambda - c;
    let lets_go = (compliances.y < 0.0 && next > 0.0) || (compliances.x < 0.0 && next < 0.0);
    let above = select(-c - tilde * lambda, -lambda, lets_go);
    let below = select((w + tilde) * length, length, lets_go);
    let scale = select(0.0, above / below, valid);
    return vec4<f32>(d * scale, scale * length);
}
