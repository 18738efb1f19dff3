// A free body keeps its linear momentum, one thread per row.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> row_groups: array<u32>;               // body of each row, if any
@group(0) @binding(2) var<storage, read> group_blocks: array<vec2<u32>>;       // blocks of each body: first, end
@group(0) @binding(3) var<storage, read> drift_parts: array<vec4<f32>>;        // Σ r [N s], Σ m [kg], one per block
@group(0) @binding(4) var<storage, read_write> cg_changes: array<vec4<f32>>;   // Δv, xyz [m/s]

@compute @workgroup_size(64)
fn pcg_drift(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let group = row_groups[i];
    if group == 0xffffffffu { return; }
    var sum = vec4<f32>(0.0);
    for (var k = group_blocks[group].x; k < group_blocks[group].y; k++) { sum += drift_parts[k]; }
    cg_changes[i] = vec4<f32>(cg_changes[i].xyz + sum.xyz / (launch.weight * sum.w), 0.0);
}
