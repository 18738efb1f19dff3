// The coarsest level of a body by the inverse of its matrix, one workgroup each.
#import launch

const LANES: u32 = 32u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> tails: array<vec4<u32>>;           // first row, rows, first number of the inverse
@group(0) @binding(2) var<storage, read> tail_inverses: array<f32>;         // by rows of numbers
@group(0) @binding(3) var<storage, read> right: array<vec4<f32>>;           // b
@group(0) @binding(4) var<storage, read_write> result: array<vec4<f32>>;    // x

fn line_times(tail: vec4<u32>, line: u32) -> f32 {
    var sum = 0.0;
    let first = tail.z + line * 3u * tail.y;
    for (var k = 0u; k < tail.y; k++) {
        let b = right[tail.x + k];
        let e = first + 3u * k;
        sum += tail_inverses[e] * b.x + tail_inverses[e + 1u] * b.y + tail_inverses[e + 2u] * b.z;
    }
    return sum;
}

@compute @workgroup_size(32)
fn tail_solve(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = launch_group(group, LANES);
    if number >= launch.count { return; }
    let tail = tails[number];
    if lane >= tail.y { return; }
    let line = 3u * lane;
    result[tail.x + lane] = vec4<f32>(line_times(tail, line), line_times(tail, line + 1u), line_times(tail, line + 2u), 0.0);
}
