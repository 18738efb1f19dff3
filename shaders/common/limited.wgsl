// A triangle with strain limits, as the kernels that keep it within them see it. Wants `green` and `stretch`; the kernel
// binds `membrane_corners`, `membrane_rest`, `strain_limits`, `positions` and `offsets`.

struct Limited {
    i: vec4<u32>,        // three particles, fabric
    rest: vec4<f32>,     // D⁻¹ by rows [1/m]
    high: vec4<f32>,     // highest weft, warp, shear, ω
    low: vec3<f32>,
    x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32>,
    o1: vec4<f32>, o2: vec4<f32>, o3: vec4<f32>,
    shape: Stretch,
    strain: vec3<f32>,   // weft, warp, shear
    gap: vec3<f32>,      // what the strain lacks to be within the limits
}

fn limited_triangle(t: u32) -> Limited {
    var l: Limited;
    l.i = membrane_corners[t];
    l.rest = membrane_rest[2u * t];
    l.high = strain_limits[2u * l.i.w];
    l.low = strain_limits[2u * l.i.w + 1u].xyz;
    l.x1 = positions[l.i.x];
    l.x2 = positions[l.i.y];
    l.x3 = positions[l.i.z];
    l.o1 = offsets[l.i.x];
    l.o2 = offsets[l.i.y];
    l.o3 = offsets[l.i.z];
    let f = green_gradient(
        l.rest,
        (l.x2.xyz - l.x1.xyz) + (l.o2.xyz - l.o1.xyz),
        (l.x3.xyz - l.x1.xyz) + (l.o3.xyz - l.o1.xyz),
    );
    l.shape = stretch_polar(f);
    l.strain = l.shape.u - vec3<f32>(1.0, 1.0, 0.0);
    l.gap = clamp(l.strain, l.low, l.high.xyz) - l.strain;
    return l;
}

// Whether a mode is further beyond its limit than the tolerance `launch.weight`.
fn limited_is_beyond(l: Limited) -> bool {
    return l.shape.valid && any(abs(l.gap) > vec3<f32>(launch.weight));
}
