// CoRdE, the forces of stretch and alignment, one thread per segment. src/rods/corde_segment.rs has the equations.
#import launch
#import turn
#import frame_turn

const NO_DIRECTION: f32 = 1e-6;    // share of the rest length below which a segment has no direction of its own

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j; flags
@group(0) @binding(2) var<storage, read> corde_rest: array<vec4<f32>>;           // l [m], Kₛ, κ [N], γₜ [kg m/s]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;            // xyz [m]
@group(0) @binding(4) var<storage, read> residuals: array<vec4<f32>>;            // xyz [m], what rounding kept from the positions
@group(0) @binding(5) var<storage, read> velocities: array<vec4<f32>>;           // xyz [m/s]
@group(0) @binding(6) var<storage, read> frames: array<vec4<f32>>;               // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(7) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep so far
@group(0) @binding(8) var<storage, read_write> corde_loads: array<vec4<f32>>;    // force on the far end [N], torque on the frame [N m]

@compute @workgroup_size(64)
fn corde_segment(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let k = launch.first + n;
    let slot = 2u * n;
    let i = rod_segments[k].x;
    let j = rod_segments[k].y;
    let rest = corde_rest[n];
    if i == j {
        corde_loads[slot] = vec4<f32>(0.0);
        corde_loads[slot + 1u] = vec4<f32>(0.0);
        return;
    }
    let d = (positions[j].xyz - positions[i].xyz) + (residuals[j].xyz - residuals[i].xyz);
    let first = launch.index == 0u;
    let rotation = turn_apply(frames[2u * k], frame_turn(k));
    let size = sqrt(dot(d, d));
    let directed = size > rest.x * NO_DIRECTION;
    let inverse = 1.0 / select(rest.x, size, directed);
    let b = select(vec3<f32>(0.0, 0.0, 1.0), inverse * quat_rotate(quat_conjugate(rotation), d), directed);
    let t = quat_rotate(rotation, b);
    let rate = dot(velocities[j].xyz - velocities[i].xyz, t);
    // Particles stay where they are while frames turn: what does not depend on frames counts once.
    let tension = select(0.0, rest.y * (size - rest.x) / rest.x + rest.w * rate / rest.x, first);
    // d₃ − t (t·d₃) in the frame's axes, where 1 − b₃² is a sum of squares and keeps its digits.
    let across = vec3<f32>(-b.x * b.z, -b.y * b.z, b.x * b.x + b.y * b.y);
    var force = (rest.z * launch.weight * rest.x * inverse) * quat_rotate(rotation, across) - tension * t;
    if !first { force += corde_loads[slot].xyz; }
    let arm = rest.z * rest.x;
    corde_loads[slot] = vec4<f32>(force, 0.0);
    corde_loads[slot + 1u] = vec4<f32>(-b.y * arm, b.x * arm, 0.0, 0.0);
}
