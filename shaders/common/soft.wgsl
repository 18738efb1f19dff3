// Moments of triangles and tetrahedra, and the forces that fields put on their corners. src/magnets/soft.rs has the equations.
#import rotation
#import quat

const SOFT_NO_CORNER: u32 = 0xffffffffu;
const SOFT_REST: u32 = 4u;
const SOFT_PLACES: u32 = 3u;
const SOFT_FLAT: f32 = 1e-6;

struct Soft {
    g: vec3<f32>,
    h: vec3<f32>,
    i: vec3<f32>,
    moment: vec3<f32>,
    stretches: bool,
}

// A triangle as it is deformed.
struct SoftSheet {
    a: vec3<f32>,
    b: vec3<f32>,
    normal: vec3<f32>,
    turned_a: vec3<f32>,
    turned_b: vec3<f32>,
    dual_a: vec3<f32>,
    dual_b: vec3<f32>,
    trace: f32,    // 0 where it is flat to a line
}

fn soft_sheet(rest: Soft, d: vec3<f32>, e: vec3<f32>) -> SoftSheet {
    let a = d * rest.g.x + e * rest.h.x;
    let b = d * rest.g.y + e * rest.h.y;
    let across = cross(a, b);
    let j = length(across);
    let zero = vec3<f32>(0.0);
    if j == 0.0 { return SoftSheet(zero, zero, zero, zero, zero, zero, zero, 0.0); }
    let aa = dot(a, a);
    let ab = dot(a, b);
    let bb = dot(b, b);
    let trace = sqrt(aa + bb + j + j);
    let share = 1.0 / (j * trace);
    let square = 1.0 / (j * j);
    return SoftSheet(
        a,
        b,
        across / j,
        (a * (bb + j) - b * ab) * share,
        (b * (aa + j) - a * ab) * share,
        (a * bb - b * ab) * square,
        (b * aa - a * ab) * square,
        trace,
    );
}

fn soft_sheet_moment(rest: Soft, sheet: SoftSheet) -> vec3<f32> {
    let a = select(sheet.turned_a, sheet.a, rest.stretches);
    let b = select(sheet.turned_b, sheet.b, rest.stretches);
    return a * rest.moment.x + b * rest.moment.y + sheet.normal * rest.moment.z;
}

fn soft_sheet_corner(rest: Soft, sheet: SoftSheet, g: vec3<f32>, field: vec3<f32>) -> vec3<f32> {
    let h = sheet.dual_a * g.x + sheet.dual_b * g.y;
    let n = sheet.normal;
    if rest.stretches {
        return field * (rest.moment.x * g.x + rest.moment.y * g.y) - n * (rest.moment.z * dot(h, field));
    }
    let torque = cross(soft_sheet_moment(rest, sheet), field);
    let within = (sheet.turned_b * g.x - sheet.turned_a * g.y) * (dot(torque, n) / sheet.trace);
    return within + n * dot(h, cross(n, torque));
}

fn soft_gradient(rest: Soft, d: vec3<f32>, e: vec3<f32>, f: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(
        d * rest.g.x + e * rest.h.x + f * rest.i.x,
        d * rest.g.y + e * rest.h.y + f * rest.i.y,
        d * rest.g.z + e * rest.h.z + f * rest.i.z,
    );
}

struct SoftMoment {
    moment: vec3<f32>,
    turn: vec4<f32>,
}

// The moment in the world, and the rotation of a tetrahedron; d, e and f lead from the first corner to the others.
fn soft_moment(rest: Soft, d: vec3<f32>, e: vec3<f32>, f: vec3<f32>, is_sheet: bool) -> SoftMoment {
    let unturned = vec4<f32>(0.0, 0.0, 0.0, 1.0);
    if is_sheet {
        return SoftMoment(soft_sheet_moment(rest, soft_sheet(rest, d, e)), unturned);
    }
    let gradient = soft_gradient(rest, d, e, f);
    if rest.stretches { return SoftMoment(gradient * rest.moment, unturned); }
    let first = -(rest.g + rest.h + rest.i);
    let turn = rotation_extract(gradient, first, rest.g, rest.h, rest.i, ROTATION_SMALLEST, unturned, 0u).q;
    return SoftMoment(quat_rotate(turn, rest.moment), turn);
}

// The forces on corners 1 to 3 in a field, by columns.
fn soft_forces_of(
    rest: Soft,
    d: vec3<f32>,
    e: vec3<f32>,
    f: vec3<f32>,
    is_sheet: bool,
    turn: vec4<f32>,
    field: vec3<f32>,
) -> mat3x3<f32> {
    let zero = vec3<f32>(0.0);
    let none = mat3x3<f32>(zero, zero, zero);
    if is_sheet {
        let sheet = soft_sheet(rest, d, e);
        if sheet.trace == 0.0 { return none; }
        return mat3x3<f32>(
            soft_sheet_corner(rest, sheet, rest.g, field),
            soft_sheet_corner(rest, sheet, rest.h, field),
            zero,
        );
    }
    if rest.stretches {
        return mat3x3<f32>(
            field * dot(rest.moment, rest.g),
            field * dot(rest.moment, rest.h),
            field * dot(rest.moment, rest.i),
        );
    }
    let axes = rotation_matrix(turn);
    let s = transpose(axes) * soft_gradient(rest, d, e, f);
    let size = s[0].x + s[1].y + s[2].z;
    let scale = 1.0 / max(abs(size), 1e-30);
    let xx = size - s[0].x;
    let yy = size - s[1].y;
    let zz = size - s[2].z;
    let xy = (s[0].y + s[1].x) * -0.5;
    let yz = (s[1].z + s[2].y) * -0.5;
    let zx = (s[2].x + s[0].z) * -0.5;
    let cofactors = mat3x3<f32>(
        vec3<f32>(yy * zz - yz * yz, yz * zx - xy * zz, xy * yz - zx * yy),
        vec3<f32>(yz * zx - xy * zz, xx * zz - zx * zx, xy * zx - yz * xx),
        vec3<f32>(xy * yz - zx * yy, xy * zx - yz * xx, xx * yy - xy * xy),
    );
    let determinant = xx * cofactors[0].x + xy * cofactors[0].y + zx * cofactors[0].z;
    if abs(determinant * scale * scale * scale) < SOFT_FLAT { return none; }
    let torque = transpose(axes) * cross(quat_rotate(turn, rest.moment), field);
    let y = (cofactors * torque) / determinant;
    return mat3x3<f32>(axes * cross(y, rest.g), axes * cross(y, rest.h), axes * cross(y, rest.i));
}
