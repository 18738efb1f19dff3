// Force and torque on each magnet, one thread each.
#import launch

const SUM_ONE: u32 = 1u;
const SUM_OTHER: u32 = 2u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> magnet_ranges: array<vec2<u32>>;          // entries: first, end
@group(0) @binding(2) var<storage, read> magnet_entries: array<vec2<u32>>;         // chunk, what it is to the magnet
@group(0) @binding(3) var<storage, read> chunk_sums: array<vec4<f32>>;             // force on the other, torques on the one and the other
@group(0) @binding(4) var<storage, read_write> magnet_sums: array<vec4<f32>>;      // force [N], torque about the centre [N m]

@compute @workgroup_size(64)
fn sum_loads(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    for (var entry = magnet_ranges[i].x; entry < magnet_ranges[i].y; entry++) {
        let chunk = 3u * magnet_entries[entry].x;
        let what = magnet_entries[entry].y;
        let f = chunk_sums[chunk].xyz;
        force += select(f, -f, what == SUM_ONE);
        torque += chunk_sums[chunk + select(1u, 2u, what == SUM_OTHER)].xyz;
    }
    magnet_sums[2u * i] = vec4<f32>(force, 0.0);
    magnet_sums[2u * i + 1u] = vec4<f32>(torque, 0.0);
}
