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

// A [-d]x.
fn turned(a: mat3x3<f32>, d: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(a[2] * d.y - a[1] * d.z, a[0] * d.z - a[2] * d.x, a[1] * d.x - a[0] * d.y);
}

// [d]x A.
fn crossed(d: vec3<f32>, a: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(cross(d, a[0]), cross(d, a[1]), cross(d, a[2]));
}

// Entries of one fine row stand together: it is multiplied from the right by each of them and from the left once.
@compute @workgroup_size(64)
fn galerkin_rigid(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var tt = mat3x3<f32>();
    var tr = mat3x3<f32>();
    var rt = mat3x3<f32>();
    var rr = mat3x3<f32>();
    var s = block_starts[i];
    let end = block_starts[i + 1u];
    while s < end {
        let row = block_entries[3u * s + 1u];
        // What the row does to translations (t) and rotations (r) of the column's node.
        var t0 = mat3x3<f32>();
        var t1 = mat3x3<f32>();
        var r0 = mat3x3<f32>();
        var r1 = mat3x3<f32>();
        while s < end && block_entries[3u * s + 1u] == row {
            let place = block_entries[3u * s];
            let column = block_entries[3u * s + 2u];
            let w = weights[column];
            let d = arms[column].xyz;
            let fine = w * rows_load(place);
            t0 += fine;
            t1 += turned(fine, d);
            if (launch.flags & RIGID) != 0u {
                let below = w * rows_load(place + 1u);
                t1 += w * rows_load(place + ROWS_SLICE);
                r0 += below;
                r1 += turned(below, d) + w * rows_load(place + ROWS_SLICE + 1u);
            }
            s++;
        }
        let w = weights[row];
        let d = arms[row].xyz;
        tt += w * t0;
        tr += w * t1;
        rt += w * (crossed(d, t0) + r0);
        rr += w * (crossed(d, t1) + r1);
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
