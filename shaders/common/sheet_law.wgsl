// The two membrane laws as one: which axes carry the stress and which strain makes it. src/cloth/sheet_law.rs has the
// equations. Wants `green` and `stretch`.

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
