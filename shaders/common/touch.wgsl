// The law of a contact: a constraint that keeps two surfaces their thickness apart, with dry friction.

// The impulse after one more iteration: tangential in xyz, normal in w [kg m].
fn touch_project(before: vec4<f32>, n: vec3<f32>, gap: f32, moved: vec3<f32>, weight: f32, tilde: f32, mu: vec2<f32>) -> vec4<f32> {
    let along = dot(n, moved);
    let change = -(gap + along + tilde * before.w) / (weight + tilde);
    let normal = max(before.w + change, 0.0);
    var tangential = before.xyz - (moved - n * along) / weight;
    let size = length(tangential);
    if size > mu.x * normal { tangential = tangential * (mu.y * normal / size); }
    return vec4<f32>(tangential, normal);
}

// Whether a contact acts: it is closed, or has an impulse to give back.
fn touch_acts(normal_impulse: f32, gap: f32, along: f32) -> bool {
    return normal_impulse > 0.0 || gap + along < 0.0;
}
