// What the solution of Newton's system asks of particles and frames, one thread per constraint.
#import launch
#import quat

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read_write> net_rows: array<vec4<f32>>;       // λ; …; Δλ; gradients
@group(0) @binding(2) var<storage, read_write> net_work: array<vec4<f32>>;       // …; what is asked of the two sides

// A matrix of `net_rows`, transposed, times v.
fn transposed_times(at: u32, v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(net_rows[at].xyz, v), dot(net_rows[at + 1u].xyz, v), dot(net_rows[at + 2u].xyz, v));
}

@compute @workgroup_size(64)
fn net_answer(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let constraint = launch.first + launch_id(id);
    let row = 11u * constraint;
    let change = net_rows[row + 4u].xyz;
    net_rows[row] = vec4<f32>(net_rows[row].xyz + change, 0.0);
    var first: vec3<f32>;
    var second: vec3<f32>;
    if launch.flags == 0u {
        first = quat_rotate(net_rows[row + 5u], change);
        second = cross(change, net_rows[row + 6u].xyz);
    } else {
        first = -transposed_times(row + 5u, change);
        second = transposed_times(row + 8u, change);
    }
    net_work[3u * constraint + 1u] = vec4<f32>(first, 0.0);
    net_work[3u * constraint + 2u] = vec4<f32>(second, 0.0);
}
