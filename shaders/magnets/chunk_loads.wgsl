// Adds up the loads of a few rows, one thread for each chunk of them.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> magnet_chunks: array<vec2<u32>>;          // rows: first, end
@group(0) @binding(2) var<storage, read> magnet_loads: array<vec4<f32>>;           // three of a row
@group(0) @binding(3) var<storage, read_write> chunk_sums: array<vec4<f32>>;       // three of a chunk

@compute @workgroup_size(64)
fn chunk_loads(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var force = vec3<f32>(0.0);
    var on_one = vec3<f32>(0.0);
    var on_other = vec3<f32>(0.0);
    for (var row = magnet_chunks[i].x; row < magnet_chunks[i].y; row++) {
        force += magnet_loads[3u * row].xyz;
        on_one += magnet_loads[3u * row + 1u].xyz;
        on_other += magnet_loads[3u * row + 2u].xyz;
    }
    chunk_sums[3u * i] = vec4<f32>(force, 0.0);
    chunk_sums[3u * i + 1u] = vec4<f32>(on_one, 0.0);
    chunk_sums[3u * i + 2u] = vec4<f32>(on_other, 0.0);
}
