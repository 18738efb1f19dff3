// A whole substep of a rod that nothing else touches, with one iteration, one thread per rod.
#import launch
#import world
#import walk

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> rod_walks: array<vec4<u32>>;            // first frame, frames, first particle, walls
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;             // l [m], α of shear, stretch [m/N]; C₀; α; inverse inertia, 1 − C/A
@group(0) @binding(4) var<storage, read_write> frames: array<vec4<f32>>;         // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(5) var<storage, read_write> spins: array<vec4<f32>>;          // xyz [rad/s], about the frame's axes
@group(0) @binding(6) var<storage, read_write> positions: array<vec4<f32>>;      // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> residuals: array<vec4<f32>>;      // xyz [m], w = multiplicity
@group(0) @binding(8) var<storage, read_write> velocities: array<vec4<f32>>;     // xyz [m/s]
@group(0) @binding(9) var<storage, read_write> clock: array<u32>;                // substeps done

fn walk_point(i: u32) -> WalkPoint {
    let x = positions[i];
    let residual = residuals[i];
    var v = velocities[i].xyz;
    if x.w > 0.0 { v = world.keep * v + world.dt * world.gravity.xyz; }
    return WalkPoint(x, vec4<f32>(residual.xyz + world.dt * v, residual.w * x.w), residual);
}

fn walk_leave_point(i: u32, point: WalkPoint) {
    let offset = point.offset.xyz;
    // As in `finish`, an exclusive or with a zero that compilers cannot see keeps the rounding.
    let moved = bitcast<vec3<f32>>(bitcast<vec3<u32>>(point.x.xyz + offset) ^ vec3<u32>(launch.flags));
    velocities[i] = vec4<f32>((offset - point.residual.xyz) / world.dt, 0.0);
    residuals[i] = vec4<f32>(offset - (moved - point.x.xyz), point.residual.w);
    positions[i] = vec4<f32>(moved, point.x.w);
}

fn walk_frame(k: u32) -> WalkFrame {
    let inertia = rod_rest[4u * k + 3u];
    let half = 0.5 * world.dt;
    let residual = frames[2u * k + 1u].xyz;
    var spin = spins[k].xyz;
    if inertia.x > 0.0 { spin = world.keep * turn_precess(spin, inertia.w * spin.z * half); }
    return WalkFrame(frames[2u * k], residual, turn_compose(residual, half * spin), inertia.xyz);
}

fn walk_leave_frame(k: u32, frame: WalkFrame) {
    let turned = bitcast<vec4<f32>>(bitcast<vec4<u32>>(turn_apply(frame.q, frame.turn)) ^ vec4<u32>(launch.flags));
    let done = turn_difference(frame.q, turned) * (1.0 / dot(frame.q, turned));
    spins[k] = vec4<f32>((2.0 / world.dt) * turn_compose(-frame.residual, frame.turn), 0.0);
    frames[2u * k + 1u] = vec4<f32>(turn_compose(-done, frame.turn), 0.0);
    frames[2u * k] = turned;
}

fn walk_multiplier(k: u32, which: u32) -> vec3<f32> {
    return vec3<f32>(0.0);
}

fn walk_keep_multiplier(k: u32, which: u32, lambda: vec3<f32>) {}

@compute @workgroup_size(8)
fn step_rods(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    if launch_id(id) == 0u { clock[0] += 1u; }
    walk(rod_walks[launch_id(id)]);
}
