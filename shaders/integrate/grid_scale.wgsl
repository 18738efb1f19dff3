// The damping of block-Jacobi, one thread per row.
#import launch
#import block3
#import rows

const RELAXATION: f32 = 1.9;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> slice_starts: array<u32>;             // where each slice's blocks begin, in groups of 32
@group(0) @binding(2) var<storage, read> columns: array<u32>;                  // row of each block's column
@group(0) @binding(3) var<storage, read> values: array<f32>;                   // nine per block
@group(0) @binding(4) var<storage, read> inverses: array<vec4<f32>>;           // xx, yy, zz; xy, yz, zx, two per row
@group(0) @binding(5) var<storage, read_write> smoothers: array<vec4<f32>>;    // xx, yy, zz; xy, yz, zx, two per row

@compute @workgroup_size(64)
fn grid_scale(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let slice = i / ROWS_SLICE;
    let lane = i % ROWS_SLICE;
    let d = inverses[2u * i].xyz;
    let o = inverses[2u * i + 1u].xyz;
    var sum = 1.0;
    for (var k = slice_starts[slice]; k < slice_starts[slice + 1u]; k++) {
        let column = columns[ROWS_SLICE * k + lane];
        if column == i { continue; }
        let v = 9u * ROWS_SLICE * k + lane;
        let x = vec3<f32>(values[v], values[v + 32u], values[v + 64u]);
        let y = vec3<f32>(values[v + 96u], values[v + 128u], values[v + 160u]);
        let z = vec3<f32>(values[v + 192u], values[v + 224u], values[v + 256u]);
        let e = inverses[2u * column].xyz;
        let f = inverses[2u * column + 1u].xyz;
        let tx = block3_multiply(e, f, x);
        let ty = block3_multiply(e, f, y);
        let tz = block3_multiply(e, f, z);
        let size = dot(d, vec3<f32>(dot(x, tx), dot(y, ty), dot(z, tz)))
            + 2.0 * dot(o, vec3<f32>(dot(x, ty), dot(y, tz), dot(z, tx)));
        sum += sqrt(max(size, 0.0));
    }
    let scale = RELAXATION / sum;
    smoothers[2u * i] = vec4<f32>(scale * d, 0.0);
    smoothers[2u * i + 1u] = vec4<f32>(scale * o, 0.0);
}
