// Where every cell is at the end of the substep as far as it is known, one thread per cell.
#import launch
#import world
#import turn

const POSE: u32 = 3u;
const FIRST: u32 = 1u;   // nothing has changed in this substep yet

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> cell_numbers: array<vec4<u32>>;          // particle, frame, body
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;                // unit quaternions, every second
@group(0) @binding(5) var<storage, read> turns: array<vec4<f32>>;                 // xyz the turn of this substep
@group(0) @binding(6) var<storage, read> frame_inertia: array<vec4<f32>>;         // inverse inertia [1/(kg m²)]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;         // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> cell_poses: array<vec4<f32>>;      // three per cell
@group(0) @binding(9) var<storage, read_write> cell_changes: array<vec4<f32>>;    // [m/s], [rad/s], by cell

// 1/w, or 0 of what is held.
fn inverse_of(w: f32) -> f32 {
    if w > 0.0 { return 1.0 / w; }
    return 0.0;
}

@compute @workgroup_size(64)
fn cell_pose(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let particle = cell_numbers[i].x;
    let frame = cell_numbers[i].y;
    let x = positions[particle];
    var offset = offsets[particle];
    if (launch.flags & FIRST) != 0u {
        let fall = select(0.0, launch.dt, x.w > 0.0) * world.gravity.xyz;
        offset = vec4<f32>(offset.xyz - launch.dt * fall, offset.w);
        offsets[particle] = vec4<f32>(offset.xyz, offset.w);
        cell_changes[2u * i] = vec4<f32>(-fall, 0.0);
        cell_changes[2u * i + 1u] = vec4<f32>(0.0);
    }
    cell_poses[POSE * i] = vec4<f32>(x.xyz, inverse_of(x.w));
    cell_poses[POSE * i + 1u] = vec4<f32>(offset.xyz, inverse_of(frame_inertia[frame].x));
    cell_poses[POSE * i + 2u] = turn_apply(frames[2u * frame], turns[frame].xyz);
}
