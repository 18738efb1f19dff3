// A joint of two rigid bodies, or of one with the world, one thread per joint of one colour: up to six rows, solved as one block.
// src/joints/project_joints.rs has the equations.
#import launch
#import quat
#import turn
#import angle
#import gyration

const JOINT_NOBODY: u32 = 0xffffffffu;
const JOINT_REST: u32 = 8u;
const JOINT_STATE: u32 = 4u;
const JOINT_LAST: u32 = 1u;      // the last iteration of a substep
const JOINT_SWEEPS: u32 = 2u;
const JOINT_FREE: f32 = 3.4028234e38;
const JOINT_EPSILON: f32 = 1.1920929e-7;

const JOINT_BALL: u32 = 0u;
const JOINT_HINGE: u32 = 1u;
const JOINT_SLIDER: u32 = 2u;
const JOINT_UNIVERSAL: u32 = 3u;
const JOINT_FIXED: u32 = 4u;
const JOINT_DISTANCE: u32 = 5u;

const JOINT_LOCKED: u32 = 1u;
const JOINT_SPRING: u32 = 2u;
const JOINT_SPEED: u32 = 3u;
const JOINT_TARGET: u32 = 4u;
const JOINT_CONSTANT: u32 = 5u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> joints: array<vec4<u32>>;                 // particle and frame of the moved body, then of the base
@group(0) @binding(2) var<storage, read> joint_rest: array<vec4<f32>>;             // see src/joints/mod.rs
@group(0) @binding(3) var<storage, read_write> joint_states: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;          // xyz [m], w = the solver's 1/mass
@group(0) @binding(6) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;            // xyz the rotation of this substep

// One of the two bodies within a substep.
struct JointSide {
    x: vec3<f32>,
    w: f32,
    offset: vec4<f32>,
    frame: vec4<f32>,
    residual: vec3<f32>,
    turn: vec3<f32>,
    before: vec4<f32>,
    inverse: vec3<f32>,
}

fn joint_side(particle: u32, frame: u32, inverse: vec3<f32>) -> JointSide {
    let none = vec3<f32>(0.0);
    let identity = vec4<f32>(0.0, 0.0, 0.0, 1.0);
    if particle == JOINT_NOBODY {
        return JointSide(none, 0.0, vec4<f32>(0.0), identity, none, none, identity, none);
    }
    let x = positions[particle];
    let q = frames[2u * frame];
    let residual = frames[2u * frame + 1u].xyz;
    return JointSide(x.xyz, x.w, offsets[particle], q, residual, turns[frame].xyz, turn_apply(q, residual), inverse);
}

// I⁻¹ v, with the axes at the start.
fn joint_inertia(side: JointSide, v: vec3<f32>) -> vec3<f32> {
    return quat_rotate(side.before, side.inverse * quat_rotate(quat_conjugate(side.before), v));
}

// The body after λ n [kg m] and λ τ [kg m²].
fn joint_push(side: JointSide, along: vec3<f32>, about: vec3<f32>) -> JointSide {
    var pushed = side;
    pushed.offset = vec4<f32>(side.offset.xyz + along * side.w, side.offset.w);
    if side.inverse.x > 0.0 {
        let impulse = quat_rotate(quat_conjugate(side.before), about) / launch.dt;
        pushed.turn = gyration_push(side.turn, side.residual, side.inverse, impulse, launch.dt);
    }
    return pushed;
}

// Where the two bodies are, as the joint sees it.
struct JointPose {
    d: vec3<f32>,               // from the anchor of the base to that of the moved body [m]
    u: array<vec3<f32>, 3>,     // the joint's axes on the base
    v: array<vec3<f32>, 3>,     // and on the moved body
}

// The axes of a joint quaternion on a body.
fn joint_axes(q: vec4<f32>, joint: vec4<f32>) -> array<vec3<f32>, 3> {
    return array<vec3<f32>, 3>(
        quat_rotate(q, quat_rotate(joint, vec3<f32>(1.0, 0.0, 0.0))),
        quat_rotate(q, quat_rotate(joint, vec3<f32>(0.0, 1.0, 0.0))),
        quat_rotate(q, quat_rotate(joint, vec3<f32>(0.0, 0.0, 1.0))),
    );
}

fn joint_pose(k: u32, base: vec4<f32>, moved: vec4<f32>, apart: vec3<f32>) -> JointPose {
    let rest = JOINT_REST * k;
    let d = apart + quat_rotate(moved, joint_rest[rest + 1u].xyz) - quat_rotate(base, joint_rest[rest].xyz);
    return JointPose(d, joint_axes(base, joint_rest[rest + 2u]), joint_axes(moved, joint_rest[rest + 3u]));
}

// The conditions of all rows but the last, and in its place that of a fixed joint.
fn joint_errors(kind: u32, pose: JointPose) -> array<f32, 6> {
    var c = array<f32, 6>(0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if kind == JOINT_DISTANCE { return c; }
    let d = pose.d;
    if kind == JOINT_SLIDER {
        c[0] = dot(pose.u[1], d);
        c[1] = dot(pose.u[2], d);
    } else {
        c[0] = dot(pose.u[0], d);
        c[1] = dot(pose.u[1], d);
        c[2] = dot(pose.u[2], d);
    }
    let first = cross(pose.u[0], pose.v[0]);
    let all = (first + cross(pose.u[1], pose.v[1]) + cross(pose.u[2], pose.v[2])) * 0.5;
    if kind == JOINT_HINGE {
        c[3] = dot(pose.u[1], first);
        c[4] = dot(pose.u[2], first);
    } else if kind == JOINT_UNIVERSAL {
        c[3] = dot(pose.u[0], pose.v[1]);
    } else if kind == JOINT_SLIDER {
        c[2] = dot(all, pose.u[0]);
        c[3] = dot(all, pose.u[1]);
        c[4] = dot(all, pose.u[2]);
    } else if kind == JOINT_FIXED {
        c[3] = dot(all, pose.u[0]);
        c[4] = dot(all, pose.u[1]);
        c[5] = dot(all, pose.u[2]);
    }
    return c;
}

// What the free coordinate is told from: sine and cosine of an angle, or a length.
fn joint_reading(kind: u32, pose: JointPose) -> vec2<f32> {
    if kind == JOINT_HINGE { return vec2<f32>(dot(pose.u[2], pose.v[1]), dot(pose.u[1], pose.v[1])); }
    if kind == JOINT_SLIDER { return vec2<f32>(dot(pose.u[0], pose.d), 1.0); }
    if kind == JOINT_DISTANCE { return vec2<f32>(length(pose.d), 1.0); }
    return vec2<f32>(length(cross(pose.u[0], pose.v[0])), dot(pose.u[0], pose.v[0]));
}

// The free coordinate, counted on from what it was, and its change in the substep.
fn joint_coordinate(kind: u32, before: vec2<f32>, now: vec2<f32>, was: f32) -> vec2<f32> {
    if kind == JOINT_SLIDER || kind == JOINT_DISTANCE { return vec2<f32>(now.x, now.x - before.x); }
    let change = angle_atan2(now.x * before.y - now.y * before.x, now.y * before.y + now.x * before.x);
    let angle = angle_atan2(now.x, now.y);
    let turns = (was + change - angle) / (2.0 * ANGLE_PI);
    return vec2<f32>(angle + 2.0 * ANGLE_PI * floor(turns + 0.5), change);
}

// Directions of the rows: along n, and the levers of base and moved body.
struct JointRows {
    along: array<vec3<f32>, 6>,
    base: array<vec3<f32>, 6>,
    moved: array<vec3<f32>, 6>,
    about: array<vec3<f32>, 6>,    // torques of rows that turn
}

fn joint_rows(kind: u32, pose: JointPose, base: vec3<f32>, moved: vec3<f32>) -> JointRows {
    var rows: JointRows;
    if kind == JOINT_SLIDER {
        rows.along[0] = pose.u[1];
        rows.along[1] = pose.u[2];
        rows.along[5] = pose.u[0];
    } else if kind == JOINT_DISTANCE {
        let size = length(pose.d);
        rows.along[5] = select(vec3<f32>(0.0), pose.d / select(1.0, size, size > 0.0), size > 0.0);
    } else {
        rows.along[0] = pose.u[0];
        rows.along[1] = pose.u[1];
        rows.along[2] = pose.u[2];
    }
    if kind == JOINT_HINGE {
        rows.about[3] = pose.u[1];
        rows.about[4] = pose.u[2];
        rows.about[5] = pose.u[0];
    } else if kind == JOINT_SLIDER {
        rows.about[2] = pose.u[0];
        rows.about[3] = pose.u[1];
        rows.about[4] = pose.u[2];
    } else if kind == JOINT_FIXED {
        rows.about[3] = pose.u[0];
        rows.about[4] = pose.u[1];
        rows.about[5] = pose.u[2];
    } else if kind == JOINT_UNIVERSAL {
        rows.about[3] = cross(pose.v[1], pose.u[0]);
    }
    for (var i = 0u; i < 6u; i++) {
        rows.base[i] = cross(base, rows.along[i]) + rows.about[i];
        rows.moved[i] = cross(moved, rows.along[i]) + rows.about[i];
    }
    return rows;
}

// What row i moves when row j pushes.
fn joint_weight(base: JointSide, moved: JointSide, rows: JointRows, i: u32, j: u32) -> f32 {
    return (base.w + moved.w) * dot(rows.along[i], rows.along[j])
        + dot(joint_inertia(base, rows.base[j]), rows.base[i]) + dot(joint_inertia(moved, rows.moved[j]), rows.moved[i]);
}

// What the last row is to do in a sweep.
struct JointDrive {
    is_active: bool,
    error: f32,
    give: f32,       // 1/stiffness
    least: f32,      // of λ
    most: f32,
    is_limit: bool,  // whose λ is another one
}

fn joint_drive(kind: u32, mode: u32, k: u32, now: f32, change: f32, fixed: f32, held: f32, limited: f32, limits: bool, weight: f32) -> JointDrive {
    let h = launch.dt;
    let law = joint_rest[JOINT_REST * k + 6u];
    let bounds = joint_rest[JOINT_REST * k + 7u];
    if limits && (now < bounds.x || now > bounds.y || limited != 0.0) {
        let is_low = limited > 0.0 || (limited == 0.0 && now < bounds.x);
        let error = now - select(bounds.y, bounds.x, is_low);
        return JointDrive(true, error, 0.0, select(-JOINT_FREE, 0.0, is_low), select(0.0, JOINT_FREE, is_low), true);
    }
    let most = min(bounds.z * h * h, JOINT_FREE);
    if mode == JOINT_LOCKED {
        return JointDrive(true, select(now - law.z, fixed, kind == JOINT_FIXED), 0.0, -most, most, false);
    }
    if mode == JOINT_SPRING {
        let stiffness = law.x * h * h;
        let damping = law.y * h;
        let give = 1.0 / (stiffness + damping);
        let error = (stiffness * (now - law.z) + damping * change + held) * give;
        return JointDrive(true, error, give, -JOINT_FREE, JOINT_FREE, false);
    }
    if mode == JOINT_SPEED { return JointDrive(true, change - bounds.w * h, 0.0, -most, most, false); }
    if mode == JOINT_TARGET {
        let way = law.z - (now - change);
        let fastest = min(bounds.w, sqrt(0.5 * bounds.z * weight * abs(way))) * h;
        return JointDrive(true, change - clamp(way, -fastest, fastest), 0.0, -most, most, false);
    }
    if mode == JOINT_CONSTANT {
        let push = law.z * h * h;
        return JointDrive(true, 0.0, 0.0, push, push, false);
    }
    return JointDrive(false, 0.0, 0.0, 0.0, 0.0, false);
}

@compute @workgroup_size(64)
fn project_joints(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let place = JOINT_STATE * k;
    let carried = joint_states[place + 2u];
    if joint_states[place + 3u].w != 0.0 { return; }
    let h = launch.dt;
    let bodies = joints[k];
    let rest = JOINT_REST * k;
    let kind = u32(joint_rest[rest].w);
    let mode = u32(joint_rest[rest + 1u].w);
    var base = joint_side(bodies.z, bodies.w, joint_rest[rest + 4u].xyz);
    var moved = joint_side(bodies.x, bodies.y, joint_rest[rest + 5u].xyz);
    let apart = moved.x - base.x;
    let start = joint_pose(k, base.before, moved.before, apart);
    let arm = quat_rotate(moved.before, joint_rest[rest + 1u].xyz);
    var rows = joint_rows(kind, start, apart + arm, arm);
    let before = joint_reading(kind, start);
    var lambda = array<f32, 7>(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if launch.index > 0u {
        let first = joint_states[place];
        let second = joint_states[place + 1u];
        lambda = array<f32, 7>(first.x, first.y, first.z, first.w, second.x, second.y, second.z);
    }
    var coordinate = vec2<f32>(carried.w, 0.0);
    for (var sweep = 0u; sweep < JOINT_SWEEPS; sweep++) {
        let pose = joint_pose(k, turn_apply(base.frame, base.turn), turn_apply(moved.frame, moved.turn),
            apart + (moved.offset.xyz - base.offset.xyz));
        let errors = joint_errors(kind, pose);
        coordinate = joint_coordinate(kind, before, joint_reading(kind, pose), carried.w);
        if kind == JOINT_BALL {
            let across = cross(pose.u[0], pose.v[0]);
            let size = length(across);
            let axis = select(vec3<f32>(0.0), across / select(1.0, size, size > 0.0), size > 0.0);
            rows.about[5] = axis;
            rows.base[5] = axis;
            rows.moved[5] = axis;
        }
        let drive = joint_drive(kind, mode, k, coordinate.x, coordinate.y, errors[5], lambda[5], lambda[6], sweep > 0u,
            joint_weight(base, moved, rows, 5u, 5u));

        // Δλ of all rows: L D Lᵀ without pivoting, the last row kept within its bounds.
        var a: array<array<f32, 6>, 6>;
        var y: array<f32, 6>;
        var scale: array<f32, 6>;
        var inverse: array<f32, 6>;
        var change: array<f32, 6>;
        for (var j = 0u; j < 6u; j++) {
            for (var i = j; i < 6u; i++) { a[i][j] = joint_weight(base, moved, rows, i, j); }
            y[j] = -errors[j];
        }
        a[5][5] += drive.give;
        y[5] = -drive.error;
        for (var j = 0u; j < 6u; j++) { scale[j] = a[j][j]; }
        for (var j = 0u; j < 6u; j++) {
            let is_active = scale[j] > 0.0 && (j < 5u || drive.is_active);
            inverse[j] = select(0.0, 1.0 / select(1.0, max(a[j][j], scale[j] * JOINT_EPSILON), is_active), is_active);
            for (var i = j + 1u; i < 6u; i++) {
                let factor = a[i][j] * inverse[j];
                for (var c = j + 1u; c <= i; c++) { a[i][c] -= factor * a[c][j]; }
                y[i] -= factor * y[j];
            }
        }
        let last = select(lambda[5], lambda[6], drive.is_limit);
        let wanted = clamp(last + y[5] * inverse[5], drive.least, drive.most) - last;
        change[5] = select(0.0, wanted, drive.is_active && scale[5] > 0.0);
        for (var row = 0u; row < 5u; row++) {
            let i = 4u - row;
            var sum = y[i];
            for (var c = i + 1u; c < 6u; c++) { sum -= a[c][i] * change[c]; }
            change[i] = sum * inverse[i];
        }

        var along = vec3<f32>(0.0);
        var on_base = vec3<f32>(0.0);
        var on_moved = vec3<f32>(0.0);
        for (var i = 0u; i < 6u; i++) {
            along += rows.along[i] * change[i];
            on_base += rows.base[i] * change[i];
            on_moved += rows.moved[i] * change[i];
            lambda[select(i, 6u, drive.is_limit && i == 5u)] += change[i];
        }
        base = joint_push(base, -along, -on_base);
        moved = joint_push(moved, along, on_moved);
    }
    if bodies.z != JOINT_NOBODY {
        offsets[bodies.z] = base.offset;
        turns[bodies.w] = vec4<f32>(base.turn, 0.0);
    }
    offsets[bodies.x] = moved.offset;
    turns[bodies.y] = vec4<f32>(moved.turn, 0.0);
    joint_states[place] = vec4<f32>(lambda[0], lambda[1], lambda[2], lambda[3]);
    joint_states[place + 1u] = vec4<f32>(lambda[4], lambda[5], lambda[6], 0.0);
    if (launch.flags & JOINT_LAST) != 0u {
        lambda[5] += lambda[6];
        var force = vec3<f32>(0.0);
        var torque = vec3<f32>(0.0);
        for (var i = 0u; i < 6u; i++) {
            force += rows.along[i] * lambda[i];
            torque += rows.about[i] * lambda[i];
        }
        force = force / (h * h);
        torque = torque / (h * h);
        let is_broken = length(force) > joint_rest[rest + 4u].w || length(torque) > joint_rest[rest + 5u].w;
        // What has broken carries nothing.
        let share = select(1.0, 0.0, is_broken);
        joint_states[place + 2u] = vec4<f32>(force * share, coordinate.x);
        joint_states[place + 3u] = vec4<f32>(torque * share, 1.0 - share);
    }
}
