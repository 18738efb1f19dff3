// Rigid bodies against colliders, one thread for each body: features against signed distances, friction, restitution.
#import launch
#import world
#import quat
#import turn
#import collider
#import rigid
#import touching

const TOUCH_ALONG: u32 = 5u;    // points along a capsule's axis at which a box is measured
const TOUCH_SLOW: f32 = 2.0;    // speeds below this many substeps of gravity do not bounce

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> colliders: array<vec4<u32>>;              // kind, track, first value, sizes of the field
@group(0) @binding(3) var<storage, read> collider_shapes: array<vec4<f32>>;        // sizes by kind [m]; friction
// Position [m]; rotation; way in the substep [m]; turn in the substep.
@group(0) @binding(4) var<storage, read> collider_poses: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> field_values: array<f32>;                 // signed distances [m]
@group(0) @binding(6) var<storage, read> rigid_bodies: array<vec4<u32>>;           // particle, frame, first record of its parts, features
// The solid; friction, restitution, bounding radius [m]; features: arm and radius [m].
@group(0) @binding(7) var<storage, read> rigid_parts: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> rigid_motions: array<vec4<f32>>;

// A contact with collider k.
fn touch(k: u32, motion: RigidMotion, relative: vec3<f32>, friction: f32, normal: vec3<f32>, arm: vec3<f32>, gap: f32) {
    let swing = collider_swing(collider_poses[4u * k + 3u], relative + motion.offset + arm);
    let carried = collider_poses[4u * k + 2u].xyz + swing;
    let way = rigid_way(motion, quat_rotate(quat_conjugate(motion.after), arm)) - carried;
    touching_add(TouchingContact(normal, arm, gap, way, friction, 0.0, vec3<f32>(0.0)));
}

// A point of a collider, and w the radius around it.
fn touch_point(kind: u32, size: vec3<f32>, j: u32) -> vec4<f32> {
    if kind == COLLIDER_BOX {
        let side = select(vec3<f32>(-1.0), vec3<f32>(1.0), (vec3<u32>(j) >> vec3<u32>(0u, 1u, 2u) & vec3<u32>(1u)) == vec3<u32>(1u));
        return vec4<f32>(side * size, 0.0);
    }
    let share = 2.0 * f32(j) / f32(TOUCH_ALONG - 1u) - 1.0;
    return vec4<f32>(0.0, share * size.y, 0.0, size.x);
}

@compute @workgroup_size(64)
fn touch_colliders(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let first = rigid_bodies[i].z;
    let count = rigid_bodies[i].w;
    let record = RIGID_RECORDS * i;
    let axes = rigid_motions[record + 1u];
    let turn = rigid_motions[record + 4u].xyz;
    let motion = RigidMotion(rigid_motions[record], axes, turn_apply(axes, turn), rigid_motions[record + 2u].xyz,
        rigid_motions[record + 3u].xyz, turn);
    let solid = rigid_parts[first];
    let surface = rigid_parts[first + 1u];
    touching_count = 0u;
    for (var k = 0u; k < arrayLength(&colliders); k++) {
        let collider = colliders[k];
        let shape = collider_shapes[2u * k];
        let mu = sqrt(surface.x * collider_shapes[2u * k + 1u].x);
        let rotation = collider_poses[4u * k + 1u];
        let back = quat_conjugate(rotation);
        let relative = motion.x.xyz - collider_poses[4u * k].xyz;
        if collider.x <= COLLIDER_CAPSULE {
            let centre = collider_distance(collider, shape, quat_rotate(back, relative), quat_rotate(back, motion.offset), 0.0);
            if centre.distance > surface.z { continue; }
        }
        for (var f = first + RIGID_HEADER; f < first + RIGID_HEADER + count; f++) {
            let arm = rigid_parts[f].xyz;
            let radius = rigid_parts[f].w;
            let p = quat_rotate(back, relative + quat_rotate(motion.before, arm));
            let s = quat_rotate(back, rigid_way(motion, arm));
            let nearest = collider_distance(collider, shape, p, s, radius);
            let gap = nearest.distance - radius;
            // Also false where the distance is not a number.
            if gap < 0.0 {
                let normal = quat_rotate(rotation, nearest.normal);
                touch(k, motion, relative, mu, normal, quat_rotate(motion.after, arm) - normal * radius, gap);
            }
        }
        if solid.w != RIGID_BOX || (collider.x != COLLIDER_BOX && collider.x != COLLIDER_CAPSULE) { continue; }
        let points = select(TOUCH_ALONG, 8u, collider.x == COLLIDER_BOX);
        for (var j = 0u; j < points; j++) {
            let corner = touch_point(collider.x, shape.xyz, j);
            // From the body's centre along its axes: at the start of the substep, and how far that changes.
            let p = quat_rotate(quat_conjugate(motion.before), quat_rotate(rotation, corner.xyz) - relative);
            let shifted = p - quat_rotate(quat_conjugate(motion.before), motion.offset);
            let s = (shifted - p) + rigid_swing(-motion.turn, shifted);
            let nearest = collider_box(p, s, solid.xyz);
            let gap = nearest.distance - corner.w;
            if gap < 0.0 {
                let arm = quat_rotate(motion.after, (p + s) - nearest.normal * nearest.distance);
                touch(k, motion, relative, mu, -quat_rotate(motion.after, nearest.normal), arm, gap);
            }
        }
    }
    if touching_count == 0u { return; }
    let slow = TOUCH_SLOW * length(world.gravity.xyz) * launch.dt * launch.dt;
    // Once for the displacement and once for the bounce: one call, because compilers copy the function into each.
    for (var bounce = 0u; bounce < 2u; bounce++) {
        touching_solve(motion);
        let turned = quat_rotate(quat_conjugate(motion.after), touching_turned);
        if bounce == 1u {
            rigid_motions[record + 5u] = vec4<f32>(rigid_motions[record + 5u].xyz + touching_moved / launch.dt, 0.0);
            rigid_motions[record + 6u] = vec4<f32>(rigid_motions[record + 6u].xyz + turned / launch.dt, 0.0);
            return;
        }
        rigid_motions[record + 3u] = vec4<f32>(motion.offset + touching_moved, 0.0);
        rigid_motions[record + 4u] = vec4<f32>(turn_compose(motion.turn, 0.5 * turned), 0.0);
        if surface.y == 0.0 { return; }
        if !touching_bounce(surface.y, slow) { return; }
    }
}
