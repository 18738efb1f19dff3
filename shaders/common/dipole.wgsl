// The field of a moment.

const DIPOLE_MU: f32 = 1e-7;    // μ₀/4π [T m/A]

// B and its derivatives along the axes.
struct Field {
    b: vec3<f32>,
    x: vec3<f32>,
    y: vec3<f32>,
    z: vec3<f32>,
}

fn dipole_along(n: vec3<f32>, moment: vec3<f32>, e: vec3<f32>, k: vec2<f32>, mn: f32) -> vec3<f32> {
    return n * k.y + moment * k.x + (e - n * (5.0 * k.x)) * mn;
}

// A moment at the origin.
fn dipole_field(moment: vec3<f32>, x: vec3<f32>) -> Field {
    let r = length(x);
    if r == 0.0 {
        let zero = vec3<f32>(0.0);
        return Field(zero, zero, zero, zero);
    }
    let n = x / r;
    let strength = DIPOLE_MU / (r * r * r);
    let mn = dot(moment, n);
    let steep = 3.0 * strength / r;
    return Field(
        (n * (3.0 * mn) - moment) * strength,
        dipole_along(n, moment, vec3<f32>(1.0, 0.0, 0.0), vec2<f32>(n.x, moment.x), mn) * steep,
        dipole_along(n, moment, vec3<f32>(0.0, 1.0, 0.0), vec2<f32>(n.y, moment.y), mn) * steep,
        dipole_along(n, moment, vec3<f32>(0.0, 0.0, 1.0), vec2<f32>(n.z, moment.z), mn) * steep,
    );
}
