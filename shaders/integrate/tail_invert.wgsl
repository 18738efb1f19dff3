// The inverse of a small matrix, one workgroup each.
#import launch
#import rows

const LANES: u32 = 256u;
const MOST: u32 = 96u;              // three numbers per row of blocks
const SMALLEST_PIVOT: f32 = 1e-6;   // share of a diagonal number

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> slice_starts: array<u32>;             // where each slice's blocks begin, in groups of 32
@group(0) @binding(2) var<storage, read> columns: array<u32>;                  // row of each block's column
@group(0) @binding(3) var<storage, read> values: array<f32>;                   // nine per block
@group(0) @binding(4) var<storage, read> tails: array<vec4<u32>>;              // first row, rows, first number of the inverse
@group(0) @binding(5) var<storage, read_write> tail_inverses: array<f32>;      // by rows of numbers

var<workgroup> diagonal: array<f32, MOST>;
var<workgroup> pivot_row: array<f32, MOST>;
var<workgroup> pivot_column: array<f32, MOST>;

@compute @workgroup_size(256)
fn tail_invert(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = launch_group(group, LANES);
    // Every lane goes through all barriers, also in a workgroup that has no tail.
    let is_used = number < launch.count;
    let tail = tails[min(number, launch.count - 1u)];
    let n = select(0u, 3u * tail.y, is_used);
    for (var e = lane; e < n * n; e += LANES) { tail_inverses[tail.z + e] = 0.0; }
    storageBarrier();
    if lane < n / 3u {
        let row = tail.x + lane;
        let slice = row / ROWS_SLICE;
        for (var k = slice_starts[slice]; k < slice_starts[slice + 1u]; k++) {
            let place = ROWS_SLICE * k + row % ROWS_SLICE;
            let column = columns[place] - tail.x;
            let v = rows_first_value(place);
            for (var c = 0u; c < 9u; c++) {
                let e = tail.z + (3u * lane + c / 3u) * n + 3u * column + c % 3u;
                tail_inverses[e] += values[v + ROWS_SLICE * c];
            }
        }
    }
    storageBarrier();
    if lane < n { diagonal[lane] = tail_inverses[tail.z + lane * n + lane]; }
    for (var p = 0u; p < MOST; p++) {
        workgroupBarrier();
        if p < n && lane < n {
            pivot_row[lane] = tail_inverses[tail.z + p * n + lane];
            pivot_column[lane] = tail_inverses[tail.z + lane * n + p];
        }
        workgroupBarrier();
        if p < n {
            var d = 0.0;
            if pivot_row[p] > SMALLEST_PIVOT * diagonal[p] { d = 1.0 / pivot_row[p]; }
            for (var e = lane; e < n * n; e += LANES) {
                let i = e / n;
                let j = e % n;
                var x = tail_inverses[tail.z + e] - pivot_column[i] * d * pivot_row[j];
                if i == p { x = pivot_row[j] * d; }
                if j == p { x = -pivot_column[i] * d; }
                if i == p && j == p { x = d; }
                tail_inverses[tail.z + e] = x;
            }
        }
        storageBarrier();
    }
}
