// All constraints of a rod at once, one thread per rod. src/rods/solve_chain.rs has the equations.
#import launch
#import strain

const JOINT: u32 = 1u;    // the frame has a joint to the next

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rods: array<vec4<u32>>;                 // first frame, frames, first rod of its run, rods in the run
@group(0) @binding(2) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j; flags
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;             // l, α of shear, stretch; C₀; α of the joint; inverse inertia
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep
@group(0) @binding(8) var<storage, read_write> rod_work: array<vec4<f32>>;       // per run, vector by vector of all its rods

// The vectors of a frame in `rod_work`: λ of segment and joint, b, (s, c), and a row of the elimination for each.
const LAMBDA: u32 = 0u;
const LOCAL: u32 = 2u;
const RELATIVE: u32 = 3u;
const SEGMENT_ROW: u32 = 4u;
const JOINT_ROW: u32 = 10u;

struct Segment {
    q: vec4<f32>,
    turn: vec3<f32>,
    local: vec3<f32>,              // b, the segment in its frame's axes [m]
    far: vec4<f32>,                // its far end: position, 1/mass
    far_offset: vec3<f32>,
    near_weight: f32,              // inverse mass of its near end [1/kg]
    inverse_inertia: vec3<f32>,
}

struct Row {
    u1: mat3x3<f32>,
    u2: mat3x3<f32>,
    e: mat3x3<f32>,
    f: mat3x3<f32>,
    y: vec3<f32>,
    z: vec3<f32>,
}

// Where this rod keeps its vectors, and how many rods do beside it.
var<private> work_start: u32;
var<private> work_rods: u32;
var<private> first_frame: u32;

fn work_place(k: u32, vector: u32) -> u32 {
    return work_start + (16u * k + vector) * work_rods;
}

// Eliminates the row (d, e, f, r) with the two before it.
fn eliminate(d: LdlSymmetric, e: mat3x3<f32>, f: mat3x3<f32>, r: vec3<f32>, before: Row, earlier: Row) -> Row {
    let one = ldl_product(before.e, before.u1);
    let two = ldl_product(earlier.f, earlier.u2);
    let reduced = LdlSymmetric(d.diagonal - one.diagonal - two.diagonal, d.aside - one.aside - two.aside);
    var row: Row;
    row.e = e - transpose(before.e) * before.u2;
    row.f = f;
    row.y = r - before.y * before.u1 - earlier.y * earlier.u2;
    let factor = ldl_factor_symmetric(reduced, d.diagonal);
    row.u1 = ldl_solve_columns(factor, row.e);
    row.u2 = ldl_solve_columns(factor, f);
    row.z = ldl_solve(factor, row.y);
    return row;
}

// The segment of frame k, whose near end is the far end of the one before.
fn segment(k: u32, near: vec4<f32>, near_offset: vec3<f32>) -> Segment {
    let frame = first_frame + k;
    let particle = rod_segments[frame].y;
    let far = positions[particle];
    let far_offset = offsets[particle].xyz;
    let d = (far.xyz - near.xyz) + (far_offset - near_offset);
    let g = turns[frame].xyz;
    let q = frames[2u * frame];
    let b = quat_rotate(quat_conjugate(turn_apply(q, g)), d);
    return Segment(q, g, b, far, far_offset, near.w, rod_rest[4u * frame + 3u].xyz);
}

fn relative_of(a: Segment, b: Segment) -> vec4<f32> {
    return strain_relative(a.q, b.q, a.turn, b.turn);
}

// λ of the segment (0) or joint (1) of frame k; the first iteration starts from nothing.
fn lambda(k: u32, which: u32) -> vec3<f32> {
    if launch.index == 0u { return vec3<f32>(0.0); }
    return rod_work[work_place(k, LAMBDA + which)].xyz;
}

// Keeps U¹, U² and D'⁻¹ y, the last in the fourth components of U¹.
fn store(k: u32, vector: u32, row: Row) {
    rod_work[work_place(k, vector)] = vec4<f32>(row.u1[0], row.z.x);
    rod_work[work_place(k, vector + 1u)] = vec4<f32>(row.u1[1], row.z.y);
    rod_work[work_place(k, vector + 2u)] = vec4<f32>(row.u1[2], row.z.z);
    rod_work[work_place(k, vector + 3u)] = vec4<f32>(row.u2[0], 0.0);
    rod_work[work_place(k, vector + 4u)] = vec4<f32>(row.u2[1], 0.0);
    rod_work[work_place(k, vector + 5u)] = vec4<f32>(row.u2[2], 0.0);
}

// Δλ of the row kept at `vector` from those of the two rows after it.
fn back(k: u32, vector: u32, next: vec3<f32>, after: vec3<f32>) -> vec3<f32> {
    let a = rod_work[work_place(k, vector)];
    let b = rod_work[work_place(k, vector + 1u)];
    let c = rod_work[work_place(k, vector + 2u)];
    let u1 = mat3x3<f32>(a.xyz, b.xyz, c.xyz);
    let u2 = mat3x3<f32>(
        rod_work[work_place(k, vector + 3u)].xyz,
        rod_work[work_place(k, vector + 4u)].xyz,
        rod_work[work_place(k, vector + 5u)].xyz,
    );
    return vec3<f32>(a.w, b.w, c.w) - u1 * next - u2 * after;
}

fn is_wall(k: u32) -> bool {
    let record = rod_segments[first_frame + k];
    return record.x == record.y;
}

fn forward(last: u32) {
    let per_dt2 = 1.0 / (launch.dt * launch.dt);
    var segments: Row;
    var joints: Row;
    let start = rod_segments[first_frame].x;
    var here = segment(0u, positions[start], offsets[start].xyz);
    var next = segment(min(1u, last), here.far, here.far_offset);
    var bend = relative_of(here, next);
    for (var k = 0u; k <= last; k++) {
        let frame = first_frame + k;
        // The last frames stand for what would come after them, and count for nothing.
        let after = segment(min(k + 2u, last), next.far, next.far_offset);
        let bend_after = relative_of(next, after);
        let inertia = here.inverse_inertia;
        let p = strain_joint(bend);

        let rest = rod_rest[4u * frame];
        var alpha = rest.yyz * per_dt2;
        var on = select(0.0, -1.0, k < last);
        let crossed = strain_crossed(here.local, inertia);
        let total = vec3<f32>(here.near_weight + here.far.w);
        // The particle of a wall is that of the segment beside it, which alone pulls at it.
        let apart = is_wall(k) || is_wall(min(k + 1u, last));
        let linked = select(on * here.far.w, 0.0, apart);
        let c = here.local - vec3<f32>(0.0, 0.0, rest.x);
        let shifted = inertia * on;
        segments = eliminate(
            LdlSymmetric(crossed.diagonal + (alpha + total), crossed.aside),
            mat3x3<f32>(
                cross(here.local, shifted * p[0]),
                cross(here.local, shifted * p[1]),
                cross(here.local, shifted * p[2]),
            ),
            strain_rotation(bend) * linked,
            -c - alpha * lambda(k, 0u),
            joints,
            segments,
        );
        store(k, SEGMENT_ROW, segments);
        rod_work[work_place(k, LOCAL)] = vec4<f32>(here.local, 0.0);
        if k == last { return; }

        alpha = rod_rest[4u * frame + 2u].xyz * per_dt2;
        on = select(0.0, -1.0, k + 1u < last);
        let driving = mat3x3<f32>(
            p[0] * next.inverse_inertia.x, p[1] * next.inverse_inertia.y, p[2] * next.inverse_inertia.z,
        );
        let strain = 2.0 * bend.xyz - rod_rest[4u * frame + 1u].xyz;
        let weight = strain_joint_weight(bend, inertia, next.inverse_inertia);
        let b = next.local;
        joints = eliminate(
            LdlSymmetric(weight.diagonal + alpha, weight.aside),
            mat3x3<f32>(
                driving[2] * b.y - driving[1] * b.z,
                driving[0] * b.z - driving[2] * b.x,
                driving[1] * b.x - driving[0] * b.y,
            ),
            driving * (strain_joint(bend_after) * on),
            -strain - alpha * lambda(k, 1u),
            segments,
            joints,
        );
        store(k, JOINT_ROW, joints);
        rod_work[work_place(k, RELATIVE)] = bend;
        here = next;
        next = after;
        bend = bend_after;
    }
}

// Moves the far end and turns the frame of segment k by its Δλ and those of the joints after and before it.
// Returns its push; that of the next segment is `push_after`.
fn apply(k: u32, own: vec3<f32>, after: vec3<f32>, before: vec3<f32>, push_after: vec3<f32>) -> vec3<f32> {
    let frame = first_frame + k;
    let record = rod_segments[frame];
    let g = turns[frame].xyz;
    let push = select(quat_rotate(turn_apply(frames[2u * frame], g), own), vec3<f32>(0.0), record.x == record.y);
    let offset = offsets[record.y];
    offsets[record.y] = vec4<f32>(offset.xyz + positions[record.y].w * (push - push_after), offset.w);
    var torque = cross(own, rod_work[work_place(k, LOCAL)].xyz);
    if (record.z & JOINT) != 0u { torque -= strain_forth(rod_work[work_place(k, RELATIVE)], after); }
    if k > 0u { torque += strain_back(rod_work[work_place(k - 1u, RELATIVE)], before); }
    rod_work[work_place(k, LAMBDA)] = vec4<f32>(lambda(k, 0u) + own, 0.0);
    rod_work[work_place(k, LAMBDA + 1u)] = vec4<f32>(lambda(k, 1u) + after, 0.0);
    turns[frame] = vec4<f32>(turn_compose(g, 0.5 * rod_rest[4u * frame + 3u].xyz * torque), 0.0);
    return push;
}

@compute @workgroup_size(8)
fn solve_chain(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let number = launch.first + launch_id(id);
    let rod = rods[number];
    let place = number - rod.z;
    first_frame = rod.x;
    work_start = 16u * (rod.x - place * rod.y) + place;
    work_rods = rod.w;
    let last = rod.y - 1u;
    forward(last);
    var segment_after = vec3<f32>(0.0);
    var joint_after = vec3<f32>(0.0);
    var push_after = vec3<f32>(0.0);
    for (var step = 0u; step <= last; step++) {
        let k = last - step;
        var joint_change = vec3<f32>(0.0);
        if k < last { joint_change = back(k, JOINT_ROW, segment_after, joint_after); }
        let segment_change = back(k, SEGMENT_ROW, joint_change, segment_after);
        // Now the frame after k has all three of its multipliers.
        if k < last { push_after = apply(k + 1u, segment_after, joint_after, joint_change, push_after); }
        segment_after = segment_change;
        joint_after = joint_change;
    }
    let push = apply(0u, segment_after, joint_after, vec3<f32>(0.0), push_after);
    let start = rod_segments[first_frame].x;
    let offset = offsets[start];
    offsets[start] = vec4<f32>(offset.xyz - positions[start].w * push, offset.w);
}
