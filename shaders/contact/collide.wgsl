// Particles against colliders, one thread per particle: position-based contact with Coulomb friction.
#import launch
#import quat

const COLLIDE_PLANE: u32 = 0u;
const COLLIDE_BOX: u32 = 1u;
const COLLIDE_CAPSULE: u32 = 2u;
const COLLIDE_SIZE_BITS: u32 = 10u;   // of each of a field's three sizes in one word
const COLLIDE_SIZE_MASK: u32 = 0x3ffu;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> colliders: array<vec4<u32>>;          // kind, track, first value, sizes of the field
@group(0) @binding(2) var<storage, read> collider_shapes: array<vec4<f32>>;    // sizes by kind [m]; friction
// Position [m]; rotation; way in the substep [m]; turn in the substep.
@group(0) @binding(3) var<storage, read> collider_poses: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> field_values: array<f32>;             // signed distances [m]
@group(0) @binding(5) var<storage, read> contact_surfaces: array<vec2<f32>>;   // contact radius [m], friction
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass

// A signed distance and the outward normal there.
struct Nearest {
    distance: f32,
    normal: vec3<f32>,
}

// Each shape is measured at p + s. The way s is small and p near the surface, so that p and the size are
// subtracted first: a particle at rest keeps the digits of s, which are its weight.

fn collide_plane(p: vec3<f32>, s: vec3<f32>, shape: vec4<f32>) -> Nearest {
    return Nearest((dot(shape.xyz, p) - shape.w) + dot(shape.xyz, s), shape.xyz);
}

// Inside, the nearest face counts; on the medial planes x goes before y before z, and the positive side.
fn collide_box(p: vec3<f32>, s: vec3<f32>, size: vec3<f32>) -> Nearest {
    let side = select(vec3<f32>(1.0), vec3<f32>(-1.0), p + s < vec3<f32>(0.0));
    let beyond = (side * p - size) + side * s;
    let outside = max(beyond, vec3<f32>(0.0));
    let outside_length = length(outside);
    if outside_length > 0.0 {
        return Nearest(outside_length, side * outside / outside_length);
    }
    if beyond.x >= beyond.y && beyond.x >= beyond.z {
        return Nearest(beyond.x, vec3<f32>(side.x, 0.0, 0.0));
    }
    if beyond.y >= beyond.z {
        return Nearest(beyond.y, vec3<f32>(0.0, side.y, 0.0));
    }
    return Nearest(beyond.z, vec3<f32>(0.0, 0.0, side.z));
}

// |p + s| − r = (|p| − r) + s·(2p + s) / (|p| + |p + s|), from the nearest point of the axis; on the axis, towards x.
fn collide_capsule(p: vec3<f32>, s: vec3<f32>, radius: f32, half_length: f32) -> Nearest {
    let along = clamp(p.y + s.y, -half_length, half_length);
    let before = vec3<f32>(p.x, p.y - along, p.z);
    let after = before + s;
    let before_length = length(before);
    let after_length = length(after);
    if after_length > 0.0 {
        let change = dot(s, before + after) / (before_length + after_length);
        return Nearest((before_length - radius) + change, after / after_length);
    }
    return Nearest(-radius, vec3<f32>(1.0, 0.0, 0.0));
}

// Trilinear between the nodes. Beyond the grid, its nearest value plus the way there, which grows as the true
// distance does but is never less; where the gradient vanishes, the normal is y.
fn collide_field(p: vec3<f32>, shape: vec4<f32>, first: u32, sizes: u32, reach: f32) -> Nearest {
    let up = vec3<f32>(0.0, 1.0, 0.0);
    let size = (vec3<u32>(sizes) >> vec3<u32>(0u, COLLIDE_SIZE_BITS, 2u * COLLIDE_SIZE_BITS)) & vec3<u32>(COLLIDE_SIZE_MASK);
    let spacing = shape.w;
    let place = (p - shape.xyz) / spacing;
    let inside = clamp(place, vec3<f32>(0.0), vec3<f32>(size - 1u));
    let beyond = place - inside;
    let way = length(beyond);
    // Few particles are near a field: the others need not read it.
    if way > 0.0 && way * spacing >= reach { return Nearest(way * spacing, up); }
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
    return Nearest(at_y.x + step_z * t.z + way * spacing, normal);
}

// v − q̄ v q: how far a turn has brought the point that is now at v.
fn collide_swing(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return q.w * t - cross(q.xyz, t);
}

@compute @workgroup_size(64)
fn collide(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let x = positions[i];
    if x.w == 0.0 { return; }
    let particle = contact_surfaces[i];
    let offset = offsets[i];
    var o = offset.xyz;
    for (var k = 0u; k < arrayLength(&colliders); k++) {
        let collider = colliders[k];
        let shape = collider_shapes[2u * k];
        let rotation = collider_poses[4u * k + 1u];
        let arm = x.xyz - collider_poses[4u * k].xyz;
        let p = quat_rotate(quat_conjugate(rotation), arm);
        let s = quat_rotate(quat_conjugate(rotation), o);
        var nearest: Nearest;
        switch collider.x {
            case COLLIDE_PLANE: { nearest = collide_plane(p, s, shape); }
            case COLLIDE_BOX: { nearest = collide_box(p, s, shape.xyz); }
            case COLLIDE_CAPSULE: { nearest = collide_capsule(p, s, shape.x, shape.y); }
            default: { nearest = collide_field(p + s, shape, collider.z, collider.w, particle.x); }
        }
        let depth = particle.x - nearest.distance;
        // Also false where the distance is not a number.
        if depth > 0.0 {
            let n = quat_rotate(rotation, nearest.normal);
            let touching = (arm + o) - n * nearest.distance;
            let u = o - (collider_poses[4u * k + 2u].xyz + collide_swing(collider_poses[4u * k + 3u], touching));
            let tangential = u - n * dot(n, u);
            let slide = length(tangential);
            let grip = sqrt(particle.y * collider_shapes[2u * k + 1u].x) * depth;
            let held = select(1.0, grip / slide, slide > grip);
            o += n * depth - tangential * held;
        }
    }
    offsets[i] = vec4<f32>(o, offset.w);
}
