// The blocks of a coarse level whose unknowns are rigid motions, one thread per pair of nodes on or above the diagonal.
#import launch
#import rows_load
#import rows_store

const RIGID: u32 = 1u;   // fine nodes are rigid motions too

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> block_starts: array<u32>;          // where each pair's list begins, and one end
@group(0) @binding(2) var<storage, read> block_entries: array<u32>;         // fine block, weight of its row, of its column
@group(0) @binding(3) var<storage, read> block_places: array<vec2<u32>>;    // of the pair's first block and of its transpose
@group(0) @binding(4) var<storage, read> weights: array<f32>;               // w
@group(0) @binding(5) var<storage, read> arms: array<vec4<f32>>;            // d, xyz [m]
@group(0) @binding(6) var<storage, read> fine_values: array<f32>;           // nine per block
@group(0) @binding(7) var<storage, read_write> values: array<f32>;          // nine per block

fn cross_matrix(v: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(0.0, v.z, -v.y, -v.z, 0.0, v.x, v.y, -v.x, 0.0);
}

@compute @workgroup_size(64)
fn galerkin_rigid(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var tt = mat3x3<f32>();
    var tr = mat3x3<f32>();
    var rt = mat3x3<f32>();
    var rr = mat3x3<f32>();
    for (var s = block_starts[i]; s < block_starts[i + 1u]; s++) {
        let place = block_entries[3u * s];
        let row = block_entries[3u * s + 1u];
        let column = block_entries[3u * s + 2u];
        let w = weights[row] * weights[column];
        let left = cross_matrix(arms[row].xyz);
        let right = cross_matrix(-arms[column].xyz);
        let fine = w * rows_load(place);
        var turned = fine * right;
        var across = left * fine;
        var both = left * turned;
        if (launch.flags & RIGID) != 0u {
            let columns = w * rows_load(place + ROWS_SLICE);
            let rows = w * rows_load(place + 1u);
            turned += columns;
            across += rows;
            both += left * columns + rows * right + w * rows_load(place + ROWS_SLICE + 1u);
        }
        tt += fine;
        tr += turned;
        rt += across;
        rr += both;
    }
    let places = block_places[i];
    rows_store_both(places, tt);
    rows_store_both(places + ROWS_SLICE + 1u, rr);
    if places.x == places.y { rt = transpose(tr); }
    rows_store(places.x + ROWS_SLICE, tr);
    rows_store(places.x + 1u, rt);
    if places.x != places.y {
        rows_store(places.y + 1u, transpose(tr));
        rows_store(places.y + ROWS_SLICE, transpose(rt));
    }
}
