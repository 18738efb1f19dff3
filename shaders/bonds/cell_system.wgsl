// A cell's blocks on the diagonal of the matrix, and its right sides, one thread per cell.
#import launch
#import bond
#import rows_store

const POSE: u32 = 3u;
const TOUCH: u32 = 11u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cell_starts: array<vec2<u32>>;          // where each cell's bonds begin, its first block; and one end
@group(0) @binding(2) var<storage, read> cell_bonds: array<u32>;                 // twice the bond, and 1 for its second cell
@group(0) @binding(3) var<storage, read> bond_blocks: array<vec4<f32>>;          // twelve per bond
@group(0) @binding(4) var<storage, read> cell_poses: array<vec4<f32>>;           // three per cell
@group(0) @binding(5) var<storage, read> cell_touches: array<vec4<f32>>;         // eleven per cell
@group(0) @binding(6) var<storage, read> cell_changes: array<vec4<f32>>;         // [m/s], [rad/s], by cell
@group(0) @binding(7) var<storage, read_write> values: array<f32>;               // nine per block
@group(0) @binding(8) var<storage, read_write> cg_residuals: array<vec4<f32>>;   // [N s], [N m s], by cell

fn touched(first: u32) -> mat3x3<f32> {
    return mat3x3<f32>(cell_touches[first].xyz, cell_touches[first + 1u].xyz, cell_touches[first + 2u].xyz);
}

fn uniform_of(m: f32) -> mat3x3<f32> {
    return mat3x3<f32>(m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, m);
}

@compute @workgroup_size(64)
fn cell_system(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let mass = cell_poses[POSE * i].w;
    let moment = cell_poses[POSE * i + 1u].w;
    var force = cell_touches[TOUCH * i].xyz;
    var torque = cell_touches[TOUCH * i + 1u].xyz;
    var tt = touched(TOUCH * i + 2u);
    var tr = touched(TOUCH * i + 5u);
    var rr = touched(TOUCH * i + 8u);
    for (var s = cell_starts[i].x; s < cell_starts[i + 1u].x; s++) {
        let bond = cell_bonds[s] >> 1u;
        let sign = select(1.0, -1.0, (cell_bonds[s] & 1u) == 1u);
        let arm = sign * bond_blocks[BOND_BLOCK * bond + BOND_ARM].xyz;
        let pull = sign * bond_blocks[BOND_BLOCK * bond + BOND_FORCE].xyz;
        force += pull;
        torque += cross(arm, pull) + sign * bond_blocks[BOND_BLOCK * bond + BOND_MOMENT].xyz;
        let part = bond_part(bond, arm, arm);
        tt += part.tt;
        tr += part.tr;
        rr += part.rr;
    }
    let dt = launch.dt;
    let moves = select(0.0, dt * dt, mass > 0.0);
    let turns = select(0.0, dt * dt, moment > 0.0);
    let mixed = select(0.0, moves, moment > 0.0) * tr;
    let place = cell_starts[i].y;
    rows_store_both(vec2<u32>(place), moves * tt + uniform_of(mass));
    rows_store(place + ROWS_SLICE, mixed);
    rows_store(place + 1u, transpose(mixed));
    rows_store_both(vec2<u32>(place + 1u + ROWS_SLICE), turns * rr + uniform_of(moment));
    let push = select(0.0, dt, mass > 0.0) * force - mass * cell_changes[2u * i].xyz;
    let spin = select(0.0, dt, moment > 0.0) * torque - moment * cell_changes[2u * i + 1u].xyz;
    cg_residuals[2u * i] = vec4<f32>(push, 0.0);
    cg_residuals[2u * i + 1u] = vec4<f32>(spin, 0.0);
}
