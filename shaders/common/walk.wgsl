// Projects the constraints of a rod while walking along it once. src/rods/walk.rs says how.
// The kernel binds `world` and `rod_rest` and has walk_point, walk_leave_point, walk_frame, walk_leave_frame,
// walk_multiplier and walk_keep_multiplier, which count from the first particle and frame of all.
#import strain

const WALK_HEAD: u32 = 1u;    // the rod begins with a wall
const WALK_TAIL: u32 = 2u;    // it ends with one

struct WalkPoint {
    x: vec4<f32>,           // xyz [m], w = 1/mass [1/kg]
    offset: vec4<f32>,      // xyz [m], w = solver's 1/mass
}

struct WalkFrame {
    q: vec4<f32>,
    turn: vec3<f32>,               // of this substep
    inverse_inertia: vec3<f32>,    // [1/(kg m²)]
}

fn walk_stretch(k: u32, near: ptr<function, WalkPoint>, far: ptr<function, WalkPoint>, frame: ptr<function, WalkFrame>) {
    let wi = (*near).x.w;
    let wj = (*far).x.w;
    let rest = rod_rest[4u * k];
    let inverse_inertia = (*frame).inverse_inertia;
    let rotation = turn_apply((*frame).q, (*frame).turn);
    let d = ((*far).x.xyz - (*near).x.xyz) + ((*far).offset.xyz - (*near).offset.xyz);
    let b = quat_rotate(quat_conjugate(rotation), d);
    let lambda = walk_multiplier(k, 0u);
    let compliance = rest.yyz * (1.0 / (launch.dt * launch.dt));
    let crossed = strain_crossed(b, inverse_inertia);
    let diagonal = crossed.diagonal + compliance + vec3<f32>(wi + wj);
    let c = b - vec3<f32>(0.0, 0.0, rest.x);
    let factor = ldl_factor_symmetric(LdlSymmetric(diagonal, crossed.aside), diagonal);
    let change = world.relaxation * ldl_solve(factor, -c - compliance * lambda);
    walk_keep_multiplier(k, 0u, lambda + change);
    let push = quat_rotate(rotation, change);
    (*near).offset = vec4<f32>((*near).offset.xyz - wi * push, (*near).offset.w);
    (*far).offset = vec4<f32>((*far).offset.xyz + wj * push, (*far).offset.w);
    (*frame).turn = turn_compose((*frame).turn, 0.5 * inverse_inertia * cross(change, b));
}

fn walk_bend(k: u32, first: ptr<function, WalkFrame>, second: ptr<function, WalkFrame>) {
    let relative = strain_relative((*first).q, (*second).q, (*first).turn, (*second).turn);
    let lambda = walk_multiplier(k, 1u);
    let compliance = rod_rest[4u * k + 2u].xyz * (1.0 / (launch.dt * launch.dt));
    let weight = strain_joint_weight(relative, (*first).inverse_inertia, (*second).inverse_inertia);
    let diagonal = weight.diagonal + compliance;
    let c = 2.0 * relative.xyz - rod_rest[4u * k + 1u].xyz;
    let factor = ldl_factor_symmetric(LdlSymmetric(diagonal, weight.aside), diagonal);
    let change = world.relaxation * ldl_solve(factor, -c - compliance * lambda);
    walk_keep_multiplier(k, 1u, lambda + change);
    let back = -0.5 * (*first).inverse_inertia * strain_forth(relative, change);
    let forth = 0.5 * (*second).inverse_inertia * strain_back(relative, change);
    (*first).turn = turn_compose((*first).turn, back);
    (*second).turn = turn_compose((*second).turn, forth);
}

// `chain` is an entry of `rod_walks`: first frame, frames, first particle, walls.
fn walk(chain: vec4<u32>) {
    let count = chain.y;
    let head = chain.w & WALK_HEAD;
    let end = count - (chain.w & WALK_TAIL) / WALK_TAIL;
    var carried: WalkPoint;
    var before: WalkFrame;
    var middle: WalkFrame;
    for (var t = 0u; t < count / 2u + 2u; t++) {
        let even = 2u * t;
        let odd = even - 1u;
        var first: WalkFrame;
        var second: WalkFrame;
        if odd < count { second = walk_frame(chain.x + odd); }
        if even < count { first = walk_frame(chain.x + even); }
        // The particle between the two segments.
        let between = chain.z + even - head;
        var near: WalkPoint;
        var far: WalkPoint;
        let is_carried = even - 2u >= head && even - 2u < end;
        let has_odd = odd >= head && odd < end;
        let has_even = even >= head && even < end;
        if has_even || has_odd { near = walk_point(between); }
        if has_even {
            far = walk_point(between + 1u);
            walk_stretch(chain.x + even, &near, &far, &first);
        }
        if has_odd {
            if !is_carried { carried = walk_point(between - 1u); }
            walk_stretch(chain.x + odd, &carried, &near, &second);
        }
        if is_carried || has_odd { walk_leave_point(between - 1u, carried); }
        if has_even || has_odd { walk_leave_point(between, near); }
        carried = far;
        if t > 0u && odd < count { walk_bend(chain.x + even - 2u, &middle, &second); }
        if t > 1u && even - 2u < count { walk_bend(chain.x + even - 3u, &before, &middle); }
        if t > 1u && even - 3u < count { walk_leave_frame(chain.x + even - 3u, before); }
        if t > 0u && even - 2u < count { walk_leave_frame(chain.x + even - 2u, middle); }
        before = second;
        middle = first;
    }
}
