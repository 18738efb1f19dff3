// Magnetic fields in closed form, and what they do to a moment. src/magnets/field/mod.rs says what the records of a source are.
#import bar
#import coil
#import dipole
#import quat

const FIELD_RECORDS: u32 = 5u;
const FIELD_AFFINE: f32 = 0.0;
const FIELD_BALL: f32 = 1.0;
const FIELD_LOOP: f32 = 2.0;
const FIELD_WIRE: f32 = 4.0;
const FIELD_BAR: f32 = 5.0;
const FIELD_LEAST: f32 = 1e-12;    // of |a||b| at a wire

// A straight wire from the origin to d: src/magnets/field/wire.rs.
fn field_wire(d: vec3<f32>, current: f32, x: vec3<f32>) -> Field {
    let a = x;
    let b = x - d;
    let la = length(a);
    let lb = length(b);
    if la == 0.0 || lb == 0.0 {
        let zero = vec3<f32>(0.0);
        return Field(zero, zero, zero, zero);
    }
    let c = cross(d, a);
    let w = la * lb;
    let cosine = dot(a, b);
    var s = w + cosine;
    if cosine < 0.0 { s = dot(c, c) / (w - cosine); }
    s = max(s, w * FIELD_LEAST);
    let u = la + lb;
    let f = DIPOLE_MU * current * u / (w * s);
    let na = a / la;
    let nb = b / lb;
    let product = na * lb + nb * la;
    let change = (na + nb) / u - product / w - (product + a + b) / s;
    return Field(
        c * f,
        (cross(d, vec3<f32>(1.0, 0.0, 0.0)) + c * change.x) * f,
        (cross(d, vec3<f32>(0.0, 1.0, 0.0)) + c * change.y) * f,
        (cross(d, vec3<f32>(0.0, 0.0, 1.0)) + c * change.z) * f,
    );
}

// From a field with the axis y to B and its derivatives, times a strength.
fn field_around_axis(axial: CoilAxial, strength: f32, x: vec3<f32>) -> Field {
    let widening = -axial.slope - axial.outward - axial.outward;
    let square = x.x * x.x + x.z * x.z;
    var share = vec3<f32>(0.0);
    if square > 0.0 { share = vec3<f32>(x.x * x.x, x.x * x.z, x.z * x.z) / square; }
    let bent = share.y * widening;
    return Field(
        vec3<f32>(axial.outward * x.x, axial.along, axial.outward * x.z) * strength,
        vec3<f32>(axial.outward + share.x * widening, axial.lean * x.x, bent) * strength,
        vec3<f32>(axial.lean * x.x, axial.slope, axial.lean * x.z) * strength,
        vec3<f32>(bent, axial.lean * x.z, axial.outward + share.z * widening) * strength,
    );
}

// B and its derivatives at x in the frame of a source.
fn field_near(kind: f32, p: vec4<f32>, q: vec4<f32>, s: vec4<f32>, x: vec3<f32>) -> Field {
    let zero = vec3<f32>(0.0);
    if kind == FIELD_AFFINE {
        let along_x = vec3<f32>(q.x, s.z, s.y);
        let along_y = vec3<f32>(s.z, q.y, s.x);
        let along_z = vec3<f32>(s.y, s.x, q.z);
        return Field(p.xyz + along_x * x.x + along_y * x.y + along_z * x.z, along_x, along_y, along_z);
    }
    if kind == FIELD_BALL {
        if dot(x, x) < p.w * p.w {
            return Field(p.xyz * (2.0 * DIPOLE_MU / (p.w * p.w * p.w)), zero, zero, zero);
        }
        return dipole_field(p.xyz, x);
    }
    if kind == FIELD_WIRE { return field_wire(p.xyz, p.w, x); }
    if kind == FIELD_BAR { return bar_field(q.xyz, p.xyz, x); }
    let rho = sqrt(x.x * x.x + x.z * x.z);
    if kind == FIELD_LOOP { return field_around_axis(coil_ring(p.y, rho, x.y), p.x, x); }
    return field_around_axis(coil_sheet(p.y, p.z, rho, x.y), p.x, x);
}

struct FieldAct {
    b: vec3<f32>,        // at a point of the world [T]
    force: vec3<f32>,    // on the moment there [N]
}

fn field_act(source: array<vec4<f32>, 5>, x: vec3<f32>, moment: vec3<f32>) -> FieldAct {
    let axes = source[1];
    let back = quat_conjugate(axes);
    let near = field_near(source[0].w, source[2], source[3], source[4], quat_rotate(back, x - source[0].xyz));
    let m = quat_rotate(back, moment);
    let force = vec3<f32>(dot(near.x, m), dot(near.y, m), dot(near.z, m));
    let factor = source[4].w;
    return FieldAct(quat_rotate(axes, near.b) * factor, quat_rotate(axes, force) * factor);
}
