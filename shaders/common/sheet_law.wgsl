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

// A triangle as its stress sees it: in its material axes, or in the principal ones where it wrinkles.
struct SheetStressed {
    rest: vec4<f32>,    // D⁻¹ by rows [1/m]
    axes: mat2x3<f32>,
    stress: vec3<f32>,  // [N/m]
    moduli: vec4<f32>,  // a₁₁, a₂₂, a₁₂, G of its change [N/m]
    turning: f32,
}

// What is left of a stress that would press.
struct SheetWrinkled {
    is_wrinkled: bool,
    pull: f32,          // along the wrinkles [N/m]
    share: f32,         // S/(S₁ − S₂)
    axis: vec2<f32>,    // cosine and sine of the angle from the weft to the wrinkles
}

const SHEET_KEPT = 0.02;    // share of the taut moduli in the stiffness of a wrinkled triangle

fn sheet_wrinkled(s: vec3<f32>, moduli: vec4<f32>, law: vec4<f32>) -> SheetWrinkled {
    if law.y == 0.0 { return SheetWrinkled(); }
    let mean = 0.5 * (s.x + s.y);
    let difference = 0.5 * (s.x - s.y);
    let radius = sqrt(difference * difference + s.z * s.z);
    let high = mean + radius;
    let low = mean - radius;
    if low >= 0.0 { return SheetWrinkled(); }
    let pull = max(high - moduli.z / moduli.x * low, 0.0);
    let share = select(0.0, pull / (radius + radius), pull > 0.0);
    let twice = select(1.0, difference / radius, radius > 0.0);
    let cosine = sqrt(max(0.5 * (1.0 + twice), 0.0));
    let sine = sqrt(max(0.5 * (1.0 - twice), 0.0));
    return SheetWrinkled(true, pull, share, vec2<f32>(cosine, select(sine, -sine, s.z < 0.0)));
}

fn sheet_stressed(f: mat2x3<f32>, rest: vec4<f32>, moduli: vec4<f32>, law: vec4<f32>) -> SheetStressed {
    let shape = sheet_shape(f, law);
    let s = green_stress(moduli, shape.strain);
    let w = sheet_wrinkled(s, moduli, law);
    if !w.is_wrinkled { return SheetStressed(rest, shape.axes, s, moduli, shape.turning); }
    let ratio = moduli.z / moduli.x;
    let modulus = select(0.0, moduli.x * (1.0 - ratio * ratio), w.pull > 0.0);
    let c = w.axis.x;
    let d = w.axis.y;
    return SheetStressed(
        vec4<f32>(
            rest.x * c + rest.y * d,
            rest.y * c - rest.x * d,
            rest.z * c + rest.w * d,
            rest.w * c - rest.z * d,
        ),
        mat2x3<f32>(shape.axes[0] * c + shape.axes[1] * d, shape.axes[1] * c - shape.axes[0] * d),
        vec3<f32>(w.pull, 0.0, 0.0),
        vec4<f32>(modulus, 0.0, 0.0, moduli.w * w.share) + SHEET_KEPT * moduli,
        shape.turning,
    );
}

// The stress in the material axes.
fn sheet_stress(moduli: vec4<f32>, strain: vec3<f32>, law: vec4<f32>) -> vec3<f32> {
    let s = green_stress(moduli, strain);
    let w = sheet_wrinkled(s, moduli, law);
    if !w.is_wrinkled { return s; }
    return w.pull * vec3<f32>(w.axis.x * w.axis.x, w.axis.y * w.axis.y, w.axis.x * w.axis.y);
}
