// The blocks of the matrix beside the diagonal, one thread per bond.
#import launch
#import bond
#import rows_store

const POSE: u32 = 3u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> bond_ends: array<vec4<u32>>;      // cells i, j, law
@group(0) @binding(2) var<storage, read> bond_places: array<vec2<u32>>;    // of the first block of rows i and columns j; and j, i
@group(0) @binding(3) var<storage, read> bond_blocks: array<vec4<f32>>;    // twelve per bond
@group(0) @binding(4) var<storage, read> cell_poses: array<vec4<f32>>;     // three per cell
@group(0) @binding(5) var<storage, read_write> values: array<f32>;         // nine per block

fn put(i: u32, j: u32, places: vec2<u32>, row: u32, column: u32, block: mat3x3<f32>) {
    var scaled = mat3x3<f32>();
    if cell_poses[POSE * i + row].w > 0.0 && cell_poses[POSE * j + column].w > 0.0 {
        scaled = (-launch.dt * launch.dt) * block;
    }
    rows_store(places.x + row + ROWS_SLICE * column, scaled);
    rows_store(places.y + column + ROWS_SLICE * row, transpose(scaled));
}

@compute @workgroup_size(64)
fn bond_system(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let ends = bond_ends[n];
    let places = bond_places[n];
    let arm = bond_blocks[BOND_BLOCK * n + BOND_ARM].xyz;
    let part = bond_part(n, arm, -arm);
    put(ends.x, ends.y, places, 0u, 0u, part.tt);
    put(ends.x, ends.y, places, 0u, 1u, part.tr);
    put(ends.x, ends.y, places, 1u, 0u, part.rt);
    put(ends.x, ends.y, places, 1u, 1u, part.rr);
}
