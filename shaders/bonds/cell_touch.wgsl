// What colliders do to cells, one thread per cell.
#import launch
#import quat
#import collider

const POSE: u32 = 3u;
const TOUCH: u32 = 11u;
const POINTS: u32 = 27u;
const CENTRE: u32 = 13u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> colliders: array<vec4<u32>>;             // kind, track, first value, sizes of the field
@group(0) @binding(2) var<storage, read> collider_shapes: array<vec4<f32>>;       // sizes by kind [m]; friction
@group(0) @binding(3) var<storage, read> collider_poses: array<vec4<f32>>;        // position [m]; rotation; way in the substep [m]; turn
@group(0) @binding(4) var<storage, read> field_values: array<f32>;                // signed distances [m]
@group(0) @binding(5) var<storage, read> cell_numbers: array<vec4<u32>>;          // particle, frame, body
@group(0) @binding(6) var<storage, read> cell_skins: array<vec4<f32>>;            // two per body
@group(0) @binding(7) var<storage, read> cell_poses: array<vec4<f32>>;            // three per cell
@group(0) @binding(8) var<storage, read_write> cell_touches: array<vec4<f32>>;    // eleven per cell

fn side(k: u32) -> f32 {
    return f32(k % 3u) - 1.0;
}

@compute @workgroup_size(64)
fn cell_touch(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = cell_numbers[i].z;
    let half = cell_skins[2u * body];
    let surface = cell_skins[2u * body + 1u];
    let centre = cell_poses[POSE * i].xyz;
    let offset = cell_poses[POSE * i + 1u].xyz;
    let axes = cell_poses[POSE * i + 2u];
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    var tt = mat3x3<f32>();
    var tr = mat3x3<f32>();
    var rr = mat3x3<f32>();
    for (var k = 0u; k < arrayLength(&colliders); k++) {
        let collider = colliders[k];
        let shape = collider_shapes[2u * k];
        let mu = sqrt(surface.x * collider_shapes[2u * k + 1u].x);
        let rotation = collider_poses[4u * k + 1u];
        let back = quat_conjugate(rotation);
        let relative = centre - collider_poses[4u * k].xyz;
        let way = quat_rotate(back, offset);
        if collider_distance(collider, shape, quat_rotate(back, relative), way, surface.y).distance > surface.y { continue; }
        for (var n = 0u; n < POINTS; n++) {
            let arm = quat_rotate(axes, half.xyz * vec3<f32>(side(n), side(n / 3u), side(n / 9u)));
            let near = collider_distance(collider, shape, quat_rotate(back, relative + arm), way, 0.0);
            // Also false where the distance is not a number.
            if n == CENTRE || !(near.distance < 0.0) { continue; }
            let normal = quat_rotate(rotation, near.normal);
            let push = -near.distance * half.w;
            let carried = collider_poses[4u * k + 2u].xyz
                + collider_swing(collider_poses[4u * k + 3u], relative + offset + arm);
            let moved = offset - carried;
            let slip = moved - dot(normal, moved) * normal;
            let slide = length(slip);
            var grip = half.w;
            if slide * half.w > mu * push { grip = mu * push / slide; }
            let pull = push * normal - grip * slip;
            force += pull;
            torque += cross(arm, pull);
            let across = half.w - grip;
            let c = mat3x3<f32>(grip, 0.0, 0.0, 0.0, grip, 0.0, 0.0, 0.0, grip)
                + mat3x3<f32>((normal.x * across) * normal, (normal.y * across) * normal, (normal.z * across) * normal);
            // θ × a = X θ.
            let x = mat3x3<f32>(0.0, -arm.z, arm.y, arm.z, 0.0, -arm.x, -arm.y, arm.x, 0.0);
            let cx = c * x;
            tt += c;
            tr += cx;
            rr += transpose(x) * cx;
        }
    }
    let first = TOUCH * i;
    cell_touches[first] = vec4<f32>(force, 0.0);
    cell_touches[first + 1u] = vec4<f32>(torque, 0.0);
    for (var k = 0u; k < 3u; k++) {
        cell_touches[first + 2u + k] = vec4<f32>(tt[k], 0.0);
        cell_touches[first + 5u + k] = vec4<f32>(tr[k], 0.0);
        cell_touches[first + 8u + k] = vec4<f32>(rr[k], 0.0);
    }
}
