// A free body keeps its linear momentum, one thread per row.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> row_groups: array<u32>;               // body of each row, if any
@group(0) @binding(2) var<storage, read> group_blocks: array<vec2<u32>>;       // blocks of each body: first, end
@group(0) @binding(3) var<storage, read> drift_sums: array<vec4<f32>>;        // Σ m (o − ô + s (o − r)) [kg m], Σ m (1 + s) [kg]
@group(0) @binding(4) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = the solver's 1/mass

@compute @workgroup_size(64)
fn drift(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let group = row_groups[i];
    if group == 0xffffffffu { return; }
    var sum = vec4<f32>(0.0);
    for (var k = group_blocks[group].x; k < group_blocks[group].y; k++) { sum += drift_sums[k]; }
    offsets[i] = vec4<f32>(offsets[i].xyz - sum.xyz / sum.w, offsets[i].w);
}
