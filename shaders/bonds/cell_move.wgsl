// The solved change of velocity moves and turns every cell, one thread per cell.
#import launch
#import turn

const POSE: u32 = 3u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cell_numbers: array<vec4<u32>>;          // particle, frame, body
@group(0) @binding(2) var<storage, read> cg_changes: array<vec4<f32>>;            // [m/s], [rad/s], by cell
@group(0) @binding(3) var<storage, read> cell_poses: array<vec4<f32>>;            // three per cell
@group(0) @binding(4) var<storage, read> bond_counts: array<u32>;                 // done, rounds
@group(0) @binding(5) var<storage, read_write> cell_changes: array<vec4<f32>>;    // sums of this substep, by cell
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;         // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;           // xyz the turn of this substep

@compute @workgroup_size(64)
fn cell_move(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || bond_counts[0] != 0u { return; }
    let particle = cell_numbers[i].x;
    let frame = cell_numbers[i].y;
    let moved = cg_changes[2u * i].xyz;
    let turned = cg_changes[2u * i + 1u].xyz;
    cell_changes[2u * i] = vec4<f32>(cell_changes[2u * i].xyz + moved, 0.0);
    cell_changes[2u * i + 1u] = vec4<f32>(cell_changes[2u * i + 1u].xyz + turned, 0.0);
    if cell_poses[POSE * i].w > 0.0 {
        let offset = offsets[particle];
        offsets[particle] = vec4<f32>(offset.xyz + launch.dt * moved, offset.w);
    }
    if cell_poses[POSE * i + 1u].w > 0.0 {
        let own = quat_rotate(quat_conjugate(cell_poses[POSE * i + 2u]), turned);
        turns[frame] = vec4<f32>(turn_compose(turns[frame].xyz, (0.5 * launch.dt) * own), 0.0);
    }
}
