//! Particles against colliders: position-based contact with Coulomb friction.
//!
//!   depth = ρ − d(x + o) > 0:    o ← o + n depth − min(1, μ depth / |u_t|) u_t        μ = √(μ_particle μ_collider)
//!
//! d is the collider's signed distance at the end of the substep, n its outward normal, ρ the particle's contact
//! radius (half its body's thickness). u_t is the tangential part of the way the particle goes in the substep
//! relative to the collider's material point under it: within the friction cone it vanishes (the particle sticks),
//! beyond it is shortened by μ depth (it slides). After a substep of free fall depth = g cos θ dt² on a slope, so a
//! particle on it accelerates with g (sin θ − μ cos θ). The bound on friction is that of Macklin, Müller, Chentanez
//! and Kim 2014 (unified particle physics), with one μ for sticking and sliding. The geometric mean of the two
//! coefficients gives equal materials their own value and lets either side be slick.
//!
//! Contact is inelastic and the colliders act in order: between two that overlap the last one has its way. A
//! particle that starts inside is put out within one substep and keeps the speed of that, depth/dt. A particle
//! that passes through a thin collider in one substep is not seen: speed · dt must stay below its thickness.

use super::carry::{POSE_RECORDS, swing};
use crate::math::{Quat, Real, Vec3, Vec4};

/// The half-space n · x ≤ offset: shape (n, offset).
pub const PLANE: u32 = 0;
/// A cuboid around the origin: shape (half edges).
pub const BOX: u32 = 1;
/// A capsule around the origin along y, or a ball: shape (radius, half the distance of the caps' centres).
pub const CAPSULE: u32 = 2;
/// A grid of distances: shape (origin, spacing).
pub const FIELD: u32 = 3;

/// Bits of each of a field's three sizes in one word.
pub const SIZE_BITS: u32 = 10;
const SIZE_MASK: u32 = (1 << SIZE_BITS) - 1;

crate::kernel! {
    "contact/collide" => collide per Invocation {
        read colliders: uint4,          // kind, track, first value, sizes of the field
        read collider_shapes: real4,    // sizes by kind [m]; friction
        read collider_poses: real4,     // position [m]; rotation; way in the substep [m]; turn in the substep
        read field_values: real,        // signed distances [m]
        read contact_surfaces: real2,   // contact radius [m], friction
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn collide<R: Real>(b: &Bindings<R>, i: u32) {
    let x = b.positions[i as usize];
    if x.w == R::ZERO {
        return;
    }
    let [radius, friction] = b.contact_surfaces[i as usize];
    let offset = b.offsets.get(i);
    let mut o = offset.xyz();
    for (k, &[kind, _, first, sizes]) in b.colliders.iter().enumerate() {
        let pose = &b.collider_poses[k * POSE_RECORDS as usize..];
        let (shape, surface) = (b.collider_shapes[2 * k], b.collider_shapes[2 * k + 1]);
        let rotation = Quat::from_vec4(pose[1]);
        let arm = x.xyz() - pose[0].xyz();
        let (p, s) = (rotation.conjugate().rotate(arm), rotation.conjugate().rotate(o));
        let values = &b.field_values[first as usize..];
        let (distance, local_normal) = distance(kind, shape, [p, s], (values, sizes), radius);
        let depth = radius - distance;
        // Also false where the distance is not a number.
        if depth > R::ZERO {
            let n = rotation.rotate(local_normal);
            let carried = pose[2].xyz() + swing(pose[3], (arm + o) - n * distance);
            let mu = (friction * surface.x).sqrt();
            o = contact(o, n, depth, carried, mu);
        }
    }
    b.offsets.set(i, o.with_w(offset.w));
}

/// The way `o` of a particle, after contact.
#[inline(always)]
pub fn contact<R: Real>(
    o: Vec3<R>,       // the particle's way in the substep [m]
    n: Vec3<R>,       // outward unit normal
    depth: R,         // how far the particle is in [m]
    carried: Vec3<R>, // the collider's way at the contact [m]
    mu: R,            // friction coefficient
) -> Vec3<R> {
    let u = o - carried;
    let tangential = u - n * n.dot(u);
    let (slide, grip) = (tangential.length(), mu * depth);
    let held = R::select(slide > grip, grip / slide, R::ONE);
    o + n * depth - tangential * held
}

/// The signed distance of a collider at p + s and the outward normal, in its own axes. A field, by its values and sizes, is not
/// read beyond `reach` of its grid.
#[inline(always)]
pub fn distance<R: Real>(
    kind: u32,
    shape: Vec4<R>,
    [p, s]: [Vec3<R>; 2],
    (values, sizes): (&[R], u32),
    reach: R,
) -> (R, Vec3<R>) {
    match kind {
        PLANE => plane(p, s, shape),
        BOX => cuboid(p, s, shape.xyz()),
        CAPSULE => capsule(p, s, shape.x, shape.y),
        _ => field(p + s, shape, values, sizes, reach),
    }
}

// Each shape gives the signed distance and the outward normal at p + s. The way s is small and p near the surface,
// so that p and the size are subtracted first: a particle at rest keeps the digits of s, which are its weight.

#[inline(always)]
fn plane<R: Real>(p: Vec3<R>, s: Vec3<R>, shape: Vec4<R>) -> (R, Vec3<R>) {
    let n = shape.xyz();
    ((n.dot(p) - shape.w) + n.dot(s), n)
}

/// Inside, the nearest face counts; on the medial planes x goes before y before z, and the positive side.
#[inline(always)]
pub fn cuboid<R: Real>(p: Vec3<R>, s: Vec3<R>, half: Vec3<R>) -> (R, Vec3<R>) {
    let side = |c: R| R::select(c < R::ZERO, -R::ONE, R::ONE);
    let (x, y, z) = (side(p.x + s.x), side(p.y + s.y), side(p.z + s.z));
    let beyond =
        Vec3::new((x * p.x - half.x) + x * s.x, (y * p.y - half.y) + y * s.y, (z * p.z - half.z) + z * s.z);
    let outside = beyond.max(Vec3::ZERO);
    let length = outside.length();
    if length > R::ZERO {
        return (length, Vec3::new(x * outside.x, y * outside.y, z * outside.z) / length);
    }
    if beyond.x >= beyond.y && beyond.x >= beyond.z {
        (beyond.x, Vec3::new(x, R::ZERO, R::ZERO))
    } else if beyond.y >= beyond.z {
        (beyond.y, Vec3::new(R::ZERO, y, R::ZERO))
    } else {
        (beyond.z, Vec3::new(R::ZERO, R::ZERO, z))
    }
}

/// |p + s| − r = (|p| − r) + s·(2p + s) / (|p| + |p + s|), from the nearest point of the axis; on the axis, towards x.
#[inline(always)]
fn capsule<R: Real>(p: Vec3<R>, s: Vec3<R>, radius: R, half_length: R) -> (R, Vec3<R>) {
    let along = (p.y + s.y).clamp(-half_length, half_length);
    let from = Vec3::new(p.x, p.y - along, p.z);
    let to = from + s;
    let (before, after) = (from.length(), to.length());
    if after > R::ZERO {
        ((before - radius) + s.dot(from + to) / (before + after), to / after)
    } else {
        (-radius, Vec3::new(R::ONE, R::ZERO, R::ZERO))
    }
}

/// Trilinear between the nodes. Beyond the grid, its nearest value plus the way there, which grows as the true
/// distance does but is never less; where the gradient vanishes, the normal is y.
#[inline(always)]
fn field<R: Real>(p: Vec3<R>, shape: Vec4<R>, values: &[R], sizes: u32, reach: R) -> (R, Vec3<R>) {
    let up = Vec3::new(R::ZERO, R::ONE, R::ZERO);
    let size = [sizes & SIZE_MASK, sizes >> SIZE_BITS & SIZE_MASK, sizes >> (2 * SIZE_BITS)];
    let spacing = shape.w;
    let place = (p - shape.xyz()) / spacing;
    let inside = Vec3::new(
        place.x.clamp(R::ZERO, last(size[0])),
        place.y.clamp(R::ZERO, last(size[1])),
        place.z.clamp(R::ZERO, last(size[2])),
    );
    let beyond = place - inside;
    let way = beyond.length();
    // Few particles are near a field: the others need not read it.
    if way > R::ZERO && way * spacing >= reach {
        return (way * spacing, up);
    }
    let [(i, tx), (j, ty), (k, tz)] =
        [cell(inside.x, size[0]), cell(inside.y, size[1]), cell(inside.z, size[2])];
    let first = (k * size[1] + j) * size[0] + i;
    let v = |dx: u32, dy: u32, dz: u32| values[(first + (dz * size[1] + dy) * size[0] + dx) as usize];
    // Along x on the four edges of the cell, then along y on two of its faces, then along z.
    let (x00, x10, x01, x11) = (
        [v(0, 0, 0), v(1, 0, 0)],
        [v(0, 1, 0), v(1, 1, 0)],
        [v(0, 0, 1), v(1, 0, 1)],
        [v(0, 1, 1), v(1, 1, 1)],
    );
    let mix = |[a, b]: [R; 2], t: R| a + (b - a) * t;
    let step = |[a, b]: [R; 2]| b - a;
    let y0 = [mix(x00, tx), mix(x10, tx)];
    let y1 = [mix(x01, tx), mix(x11, tx)];
    let z = [mix(y0, ty), mix(y1, ty)];
    let slope_x = mix([mix([step(x00), step(x10)], ty), mix([step(x01), step(x11)], ty)], tz);
    let slope_y = mix([step(y0), step(y1)], tz);
    // Across the edge of the grid its value does not change, the way to it does.
    let across = |slope: R, beyond: R| {
        R::select(beyond == R::ZERO, slope / spacing, beyond / R::select(way > R::ZERO, way, R::ONE))
    };
    let gradient = Vec3::new(across(slope_x, beyond.x), across(slope_y, beyond.y), across(step(z), beyond.z));
    let steepness = gradient.length();
    let normal = if steepness > R::ZERO { gradient / steepness } else { up };
    (mix(z, tz) + way * spacing, normal)
}

/// The last node's number along an axis.
#[inline(always)]
fn last<R: Real>(size: u32) -> R {
    R::of(f64::from(size - 1))
}

/// The cell that holds a place of the grid, and the place within it. What is not a number is in the first cell.
#[inline(always)]
fn cell<R: Real>(place: R, size: u32) -> (u32, R) {
    let index = (place.floor().to_f64() as u32).min(size - 2);
    (index, place - R::of(f64::from(index)))
}
