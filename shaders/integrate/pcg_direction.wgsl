// The next direction of conjugate gradients, one thread per row.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> row_groups: array<u32>;                  // body of each row, if any
@group(0) @binding(2) var<storage, read> group_scalars: array<vec4<f32>>;         // r·z, r·z before, r·z at the start, p·q
@group(0) @binding(3) var<storage, read> cg_preconditioned: array<vec4<f32>>;     // z, xyz [m/s]
@group(0) @binding(4) var<storage, read_write> cg_directions: array<vec4<f32>>;   // p, xyz [m/s]

@compute @workgroup_size(64)
fn pcg_direction(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let group = row_groups[i];
    if group == 0xffffffffu { return; }
    let scalars = group_scalars[group];
    var direction = cg_preconditioned[i].xyz;
    if launch.index > 0u && scalars.y > 0.0 { direction += (scalars.x / scalars.y) * cg_directions[i].xyz; }
    cg_directions[i] = vec4<f32>(direction, 0.0);
}
