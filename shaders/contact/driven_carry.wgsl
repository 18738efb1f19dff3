// Where the corners of obstacles are at the start of a substep, and how far they are carried, one thread each.
#import launch
#import quat

@group(0) @binding(0) var<uniform> launch: Launch;   // first: driven corner, base: corners that are particles
@group(0) @binding(1) var<storage, read> driven_owners: array<u32>;                 // the collider of each driven corner
@group(0) @binding(2) var<storage, read> driven_arms: array<vec4<f32>>;             // xyz along its axes [m]
@group(0) @binding(3) var<storage, read> collider_poses: array<vec4<f32>>;          // position; rotation; way and turn in the substep
@group(0) @binding(4) var<storage, read_write> corner_places: array<vec4<f32>>;     // xyz [m], w = 0
@group(0) @binding(5) var<storage, read_write> corner_ways: array<vec4<f32>>;       // xyz [m], w = 0

@compute @workgroup_size(64)
fn driven_carry(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let d = launch.first + i;
    let pose = 4u * driven_owners[d];
    let arm = quat_rotate(collider_poses[pose + 1u], driven_arms[d].xyz);
    let turn = collider_poses[pose + 3u];
    let t = 2.0 * cross(turn.xyz, arm);
    // Poses are those at the end of the substep.
    let way = collider_poses[pose + 2u].xyz + (turn.w * t - cross(turn.xyz, t));
    let start = collider_poses[pose].xyz + arm - way;
    corner_places[launch.base + d] = vec4<f32>(start, 0.0);
    corner_ways[launch.base + d] = vec4<f32>(way, 0.0);
}
