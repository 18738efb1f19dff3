// What is drawn: the particles as they are, then the vertices of detailed surfaces, which go where their tetrahedra go;
// one thread each. `launch.base` is the number of particles.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> skin_corners: array<vec4<u32>>;            // particles
@group(0) @binding(2) var<storage, read> skin_weights: array<vec4<f32>>;            // barycentric coordinates
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> skin_positions: array<vec4<f32>>;    // xyz [m]

@compute @workgroup_size(64)
fn skin(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if i < launch.base {
        skin_positions[i] = vec4<f32>(positions[i].xyz, 0.0);
        return;
    }
    let corners = skin_corners[i - launch.base];
    let w = skin_weights[i - launch.base];
    let sum = positions[corners.x].xyz * w.x + positions[corners.y].xyz * w.y
        + positions[corners.z].xyz * w.z + positions[corners.w].xyz * w.w;
    skin_positions[i] = vec4<f32>(sum, 0.0);
}
