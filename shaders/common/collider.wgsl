// Signed distances of colliders in their own axes, and how they are carried. The kernel binds `field_values`.

const COLLIDER_PLANE: u32 = 0u;
const COLLIDER_BOX: u32 = 1u;
const COLLIDER_CAPSULE: u32 = 2u;
const COLLIDER_SIZE_BITS: u32 = 10u;   // of each of a field's three sizes in one word
const COLLIDER_SIZE_MASK: u32 = 0x3ffu;

// A signed distance and the outward normal there.
struct ColliderNearest {
    distance: f32,
    normal: vec3<f32>,
}

// Each shape is measured at p + s. The way s is small and p near the surface, so that p and the size are
// subtracted first: a particle at rest keeps the digits of s, which are its weight.

fn collider_plane(p: vec3<f32>, s: vec3<f32>, shape: vec4<f32>) -> ColliderNearest {
    return ColliderNearest((dot(shape.xyz, p) - shape.w) + dot(shape.xyz, s), shape.xyz);
}

// Inside, the nearest face counts; on the medial planes x goes before y before z, and the positive side.
fn collider_box(p: vec3<f32>, s: vec3<f32>, size: vec3<f32>) -> ColliderNearest {
    let side = select(vec3<f32>(1.0), vec3<f32>(-1.0), p + s < vec3<f32>(0.0));
    let beyond = (side * p - size) + side * s;
    let outside = max(beyond, vec3<f32>(0.0));
    let outside_length = length(outside);
    if outside_length > 0.0 {
        return ColliderNearest(outside_length, side * outside / outside_length);
    }
    if beyond.x >= beyond.y && beyond.x >= beyond.z {
        return ColliderNearest(beyond.x, vec3<f32>(side.x, 0.0, 0.0));
    }
    if beyond.y >= beyond.z {
        return ColliderNearest(beyond.y, vec3<f32>(0.0, side.y, 0.0));
    }
    return ColliderNearest(beyond.z, vec3<f32>(0.0, 0.0, side.z));
}

// |p + s| − r = (|p| − r) + s·(2p + s) / (|p| + |p + s|), from the nearest point of the axis; on the axis, towards x.
fn collider_capsule(p: vec3<f32>, s: vec3<f32>, radius: f32, half_length: f32) -> ColliderNearest {
    let along = clamp(p.y + s.y, -half_length, half_length);
    let before = vec3<f32>(p.x, p.y - along, p.z);
    let after = before + s;
    let before_length = length(before);
    let after_length = length(after);
    if after_length > 0.0 {
        let change = dot(s, before + after) / (before_length + after_length);
        return ColliderNearest((before_length - radius) + change, after / after_length);
    }
    return ColliderNearest(-radius, vec3<f32>(1.0, 0.0, 0.0));
}

// Trilinear between the nodes. Beyond the grid, its nearest value plus the way there, which grows as the true
// distance does but is never less; where the gradient vanishes, the normal is y.
fn collider_field(p: vec3<f32>, shape: vec4<f32>, first: u32, sizes: u32, reach: f32) -> ColliderNearest {
    let up = vec3<f32>(0.0, 1.0, 0.0);
    let size = (vec3<u32>(sizes) >> vec3<u32>(0u, COLLIDER_SIZE_BITS, 2u * COLLIDER_SIZE_BITS)) & vec3<u32>(COLLIDER_SIZE_MASK);
    let spacing = shape.w;
    let place = (p - shape.xyz) / spacing;
    let inside = clamp(place, vec3<f32>(0.0), vec3<f32>(size - 1u));
    let beyond = place - inside;
    let way = length(beyond);
    // Few particles are near a field: the others need not read it.
    if way > 0.0 && way * spacing >= reach { return ColliderNearest(way * spacing, up); }
    let cell = min(vec3<u32>(floor(inside)), size - 2u);
    let t = inside - vec3<f32>(cell);
    let v = first + (cell.z * size.y + cell.y) * size.x + cell.x;
    let row = size.x;
    let layer = size.x * size.y;
    // Along x on the four edges of the cell, then along y on two of its faces, then along z.
    let x0 = vec4<f32>(field_values[v], field_values[v + row], field_values[v + layer], field_values[v + layer + row]);
    let x1 = vec4<f32>(
        field_values[v + 1u], field_values[v + row + 1u], field_values[v + layer + 1u], field_values[v + layer + row + 1u]);
    let step_x = x1 - x0;
    let at_x = x0 + step_x * t.x;
    let step_y = at_x.yw - at_x.xz;
    let at_y = at_x.xz + step_y * t.y;
    let step_z = at_y.y - at_y.x;
    let slope_x = step_x.xz + (step_x.yw - step_x.xz) * t.y;
    let slope = vec3<f32>(slope_x.x + (slope_x.y - slope_x.x) * t.z, step_y.x + (step_y.y - step_y.x) * t.z, step_z);
    // Across the edge of the grid its value does not change, the way to it does.
    let gradient = select(beyond / select(1.0, way, way > 0.0), slope / spacing, beyond == vec3<f32>(0.0));
    let steepness = length(gradient);
    let normal = select(up, gradient / steepness, steepness > 0.0);
    return ColliderNearest(at_y.x + step_z * t.z + way * spacing, normal);
}

// v − q̄ v q: how far a turn has brought the point that is now at v.
fn collider_swing(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return q.w * t - cross(q.xyz, t);
}

// The signed distance of a collider at p + s, and the outward normal, in its own axes. A field is not read beyond `reach` of its grid.
fn collider_distance(collider: vec4<u32>, shape: vec4<f32>, p: vec3<f32>, s: vec3<f32>, reach: f32) -> ColliderNearest {
    switch collider.x {
        case COLLIDER_PLANE: { return collider_plane(p, s, shape); }
        case COLLIDER_BOX: { return collider_box(p, s, shape.xyz); }
        case COLLIDER_CAPSULE: { return collider_capsule(p, s, shape.x, shape.y); }
        default: { return collider_field(p + s, shape, collider.z, collider.w, reach); }
    }
}
