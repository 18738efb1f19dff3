// One iteration on the constraints of a rod, one thread per rod.
#import launch
#import world
#import walk

const KEEP: u32 = 1u;    // a later pass reads the multipliers

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> rod_walks: array<vec4<u32>>;            // first frame, frames, first particle, walls
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;             // l [m], α of shear, stretch [m/N]; C₀; α; inverse inertia
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep
@group(0) @binding(8) var<storage, read_write> rod_work: array<vec4<f32>>;       // λ of the segment [N s²], of the joint [N m s²], …

fn walk_point(i: u32) -> WalkPoint {
    return WalkPoint(positions[i], offsets[i]);
}

fn walk_leave_point(i: u32, point: WalkPoint) {
    offsets[i] = point.offset;
}

fn walk_frame(k: u32) -> WalkFrame {
    return WalkFrame(frames[2u * k], turns[k].xyz, rod_rest[4u * k + 3u].xyz);
}

fn walk_leave_frame(k: u32, frame: WalkFrame) {
    turns[k] = vec4<f32>(frame.turn, 0.0);
}

fn walk_multiplier(k: u32, which: u32) -> vec3<f32> {
    if launch.index == 0u { return vec3<f32>(0.0); }
    return rod_work[16u * k + which].xyz;
}

fn walk_keep_multiplier(k: u32, which: u32, lambda: vec3<f32>) {
    if (launch.flags & KEEP) != 0u { rod_work[16u * k + which] = vec4<f32>(lambda, 0.0); }
}

@compute @workgroup_size(8)
fn walk_rods(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    walk(rod_walks[launch.first + launch_id(id)]);
}
