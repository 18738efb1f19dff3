// All constraints of a rod at once, one thread per rod. src/rods/solve_chain.rs has the equations.
#import launch
#import world
#import strain
#import ldl

const JOINT: u32 = 1u;    // the frame has a joint to the next

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> rods: array<vec2<u32>>;                 // first frame, frames
@group(0) @binding(3) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j; flags
@group(0) @binding(4) var<storage, read> rod_rest: array<vec4<f32>>;             // l, α of shear, stretch; C₀; α of the joint; inverse inertia
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep
@group(0) @binding(9) var<storage, read_write> rod_work: array<vec4<f32>>;

struct Segment {
    q: vec4<f32>,
    turn: vec3<f32>,
    local: vec3<f32>,              // b, the segment in its frame's axes [m]
    weights: vec2<f32>,            // inverse masses of its ends [1/kg]
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

// Eliminates the row (d, e, f, r) with the two before it.
fn eliminate(d: mat3x3<f32>, e: mat3x3<f32>, f: mat3x3<f32>, r: vec3<f32>, before: Row, earlier: Row) -> Row {
    let reduced = d - transpose(before.e) * before.u1 - transpose(earlier.f) * earlier.u2;
    var row: Row;
    row.e = e - transpose(before.e) * before.u2;
    row.f = f;
    row.y = r - transpose(before.u1) * before.y - transpose(earlier.u2) * earlier.y;
    let factor = ldl_factor(reduced, vec3<f32>(d[0].x, d[1].y, d[2].z));
    row.u1 = ldl_solve_columns(factor, row.e);
    row.u2 = ldl_solve_columns(factor, f);
    row.z = ldl_solve(factor, row.y);
    return row;
}

fn segment(k: u32) -> Segment {
    let ends = rod_segments[k].xy;
    let xi = positions[ends.x];
    let xj = positions[ends.y];
    let d = (xj.xyz - xi.xyz) + (offsets[ends.y].xyz - offsets[ends.x].xyz);
    let g = turns[k].xyz;
    let b = quat_rotate(quat_conjugate(turn_apply(frames[2u * k], g)), d);
    return Segment(frames[2u * k], g, b, vec2<f32>(xi.w, xj.w), rod_rest[4u * k + 3u].xyz);
}

fn relative_of(a: Segment, b: Segment) -> vec4<f32> {
    return strain_relative(a.q, b.q, a.turn, b.turn);
}

// λ of the segment (0) or joint (1) of frame k; the first iteration starts from nothing.
fn lambda(k: u32, which: u32) -> vec3<f32> {
    if launch.index == 0u { return vec3<f32>(0.0); }
    return rod_work[16u * k + which].xyz;
}

// Keeps U¹, U² and D'⁻¹ y, the last in the fourth components of U¹.
fn store(at: u32, row: Row) {
    rod_work[at] = vec4<f32>(row.u1[0], row.z.x);
    rod_work[at + 1u] = vec4<f32>(row.u1[1], row.z.y);
    rod_work[at + 2u] = vec4<f32>(row.u1[2], row.z.z);
    rod_work[at + 3u] = vec4<f32>(row.u2[0], 0.0);
    rod_work[at + 4u] = vec4<f32>(row.u2[1], 0.0);
    rod_work[at + 5u] = vec4<f32>(row.u2[2], 0.0);
}

// Δλ of the row kept at `at` from those of the two rows after it.
fn back(at: u32, next: vec3<f32>, after: vec3<f32>) -> vec3<f32> {
    let a = rod_work[at];
    let b = rod_work[at + 1u];
    let c = rod_work[at + 2u];
    let u1 = mat3x3<f32>(a.xyz, b.xyz, c.xyz);
    let u2 = mat3x3<f32>(rod_work[at + 3u].xyz, rod_work[at + 4u].xyz, rod_work[at + 5u].xyz);
    return vec3<f32>(a.w, b.w, c.w) - u1 * next - u2 * after;
}

fn forward(first: u32, last: u32) {
    let per_dt2 = 1.0 / (world.dt * world.dt);
    var before: Row;
    var earlier: Row;
    var here = segment(first);
    var next = segment(min(first + 1u, last));
    var relative = relative_of(here, next);
    for (var k = first; k <= last; k++) {
        let w = 16u * k;
        let after = segment(min(k + 2u, last));
        let relative_after = relative_of(next, after);
        let p = strain_joint(relative);
        let crossing = strain_cross(here.local);
        let turning = strain_scale_columns(crossing, here.inverse_inertia);

        let lengths = rod_rest[4u * k];
        var alpha = lengths.yyz * per_dt2;
        var on = select(0.0, 1.0, k < last);
        let c = here.local - vec3<f32>(0.0, 0.0, lengths.x);
        var row = eliminate(
            strain_diagonal(alpha + vec3<f32>(here.weights.x + here.weights.y)) + turning * transpose(crossing),
            (turning * p) * -on,
            strain_rotation(relative) * (-on * here.weights.y),
            -c - alpha * lambda(k, 0u),
            before,
            earlier,
        );
        store(w + 4u, row);
        rod_work[w + 2u] = vec4<f32>(here.local, 0.0);
        earlier = before;
        before = row;
        if k == last { return; }

        alpha = rod_rest[4u * k + 2u].xyz * per_dt2;
        on = select(0.0, 1.0, k + 1u < last);
        let driving = strain_scale_columns(p, next.inverse_inertia);
        let bend = 2.0 * relative.xyz - rod_rest[4u * k + 1u].xyz;
        row = eliminate(
            strain_diagonal(alpha) + driving * transpose(p) + strain_congruence(transpose(p), here.inverse_inertia),
            driving * transpose(strain_cross(next.local)),
            (driving * strain_joint(relative_after)) * -on,
            -bend - alpha * lambda(k, 1u),
            before,
            earlier,
        );
        store(w + 10u, row);
        rod_work[w + 3u] = relative;
        earlier = before;
        before = row;
        here = next;
        next = after;
        relative = relative_after;
    }
}

// Moves the ends and turns the frame of segment k by its Δλ and those of the joints after and before it.
fn apply(k: u32, own: vec3<f32>, after: vec3<f32>, before: vec3<f32>) {
    let w = 16u * k;
    let record = rod_segments[k];
    let g = turns[k].xyz;
    let push = quat_rotate(turn_apply(frames[2u * k], g), own);
    let oi = offsets[record.x];
    let oj = offsets[record.y];
    if record.x != record.y {
        offsets[record.x] = vec4<f32>(oi.xyz - positions[record.x].w * push, oi.w);
        offsets[record.y] = vec4<f32>(oj.xyz + positions[record.y].w * push, oj.w);
    }
    var torque = cross(own, rod_work[w + 2u].xyz);
    if (record.z & JOINT) != 0u { torque -= strain_joint(rod_work[w + 3u]) * after; }
    if any(before != vec3<f32>(0.0)) { torque += transpose(strain_joint(rod_work[w - 13u])) * before; }
    rod_work[w] = vec4<f32>(lambda(k, 0u) + own, 0.0);
    rod_work[w + 1u] = vec4<f32>(lambda(k, 1u) + after, 0.0);
    turns[k] = vec4<f32>(turn_compose(g, 0.5 * rod_rest[4u * k + 3u].xyz * torque), 0.0);
}

@compute @workgroup_size(8)
fn solve_chain(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let rod = rods[launch.first + launch_id(id)];
    let first = rod.x;
    let last = rod.x + rod.y - 1u;
    forward(first, last);
    var segment_after = vec3<f32>(0.0);
    var joint_after = vec3<f32>(0.0);
    for (var step = 0u; step < rod.y; step++) {
        let k = last - step;
        var joint_change = vec3<f32>(0.0);
        if k < last { joint_change = back(16u * k + 10u, segment_after, joint_after); }
        let segment_change = back(16u * k + 4u, joint_change, segment_after);
        // Now the frame after k has all three of its multipliers.
        if k < last { apply(k + 1u, segment_after, joint_after, joint_change); }
        segment_after = segment_change;
        joint_after = joint_change;
    }
    apply(first, segment_after, joint_after, vec3<f32>(0.0));
}
