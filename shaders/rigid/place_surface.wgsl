// Where the vertices of rigid surfaces are drawn, one thread each. `launch.base` is the number of points before them.
#import launch
#import quat

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rigid_vertices: array<vec2<u32>>;          // particle, frame
@group(0) @binding(2) var<storage, read> rigid_arms: array<vec4<f32>>;              // xyz [m]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;                  // unit quaternions, every second
@group(0) @binding(5) var<storage, read_write> skin_positions: array<vec4<f32>>;    // xyz [m]

@compute @workgroup_size(64)
fn place_surface(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let vertex = rigid_vertices[i];
    let x = positions[vertex.x].xyz + quat_rotate(frames[2u * vertex.y], rigid_arms[i].xyz);
    skin_positions[launch.base + i] = vec4<f32>(x, 0.0);
}
