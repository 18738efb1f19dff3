// The patch of ground that `ground_sky` covers. The importing file declares `view` and `lights`.

const GROUND_PATCH = 2.5;     // half width over the radius of the bounds

fn ground_axes() -> mat2x3<f32> {
    let up = view.up.xyz;
    let side = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), abs(up.x) > 0.7);
    let a = normalize(side - up * dot(side, up));
    return mat2x3(a, cross(up, a));
}

fn ground_origin() -> vec3<f32> {
    let centre = lights.bounds.xyz;
    return centre + view.up.xyz * (view.up.w - dot(view.up.xyz, centre));
}

fn ground_point(uv: vec2<f32>) -> vec3<f32> {
    return ground_origin() + ground_axes() * ((2.0 * uv - 1.0) * GROUND_PATCH * lights.bounds.w);
}

fn ground_uv(p: vec3<f32>) -> vec2<f32> {
    return ((p - ground_origin()) * ground_axes()) / (2.0 * GROUND_PATCH * lights.bounds.w) + 0.5;
}
