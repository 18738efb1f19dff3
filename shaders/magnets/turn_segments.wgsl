// Torques on magnets that are segments of rods, about the segment, change the turn of their frames; one thread each.
#import launch
#import quat
#import turn

const TURN_LEAST: f32 = 1e-30;    // [m²]

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> turned: array<u32>;                       // magnet
@group(0) @binding(2) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(3) var<storage, read> magnet_sums: array<vec4<f32>>;            // force [N], torque about the centre [N m]
@group(0) @binding(4) var<storage, read> frame_inertia: array<vec4<f32>>;          // inverse inertia [1/(kg m²)]
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternions, every second
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;            // xyz the turn of this substep

@compute @workgroup_size(64)
fn turn_segments(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let magnet = magnets[turned[i]];
    let frame = magnet.z;
    let g = turns[frame].xyz;
    let axes = turn_apply(frames[2u * frame], g);
    let d = positions[magnet.y].xyz - positions[magnet.x].xyz;
    let about = d * (dot(magnet_sums[2u * turned[i] + 1u].xyz, d) / max(dot(d, d), TURN_LEAST));
    let torque = quat_rotate(quat_conjugate(axes), about);
    let change = torque * frame_inertia[frame].xyz * (0.5 * launch.dt * launch.dt);
    turns[frame] = vec4<f32>(turn_compose(g, change), 0.0);
}
