// The membrane laws as one: which axes carry the stress, which strain makes it, and whether it may press.
// src/cloth/sheet_law.rs has the equations. Wants `green` and `stretch`.

struct SheetShape {
    axes: mat2x3<f32>,
    strain: vec3<f32>,
    turning: f32,       // 1 if the stress turns with the axes' change, 0 if their turn is taken as known
}

fn sheet_shape(f: mat2x3<f32>, law: vec4<f32>) -> SheetShape {
    if law.x == 0.0 { return SheetShape(f, green_strain(f), 1.0); }
    let s = stretch_polar(f);
    if !s.valid { return SheetShape(mat2x3<f32>(), vec3<f32>(), 0.0); }
    return SheetShape(s.r, s.u - vec3<f32>(1.0, 1.0, 0.0), 0.0);
}

// C:E, or what a sheet that wrinkles leaves of it if `law.y` is 1.
fn sheet_stress(moduli: vec4<f32>, strain: vec3<f32>, law: vec4<f32>) -> vec3<f32> {
    let s = green_stress(moduli, strain);
    if law.y == 0.0 { return s; }
    let mean = 0.5 * (s.x + s.y);
    let difference = 0.5 * (s.x - s.y);
    let radius = sqrt(difference * difference + s.z * s.z);
    let high = mean + radius;
    let low = mean - radius;
    if low >= 0.0 { return s; }
    let pull = high - (moduli.z / moduli.x) * low;
    if !(pull > 0.0) { return vec3<f32>(0.0); }
    return (pull / (radius + radius)) * vec3<f32>(s.x - low, s.y - low, s.z);
}
