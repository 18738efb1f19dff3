// A vertex of a detailed surface goes where its tetrahedron goes, one thread per vertex.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> skin_corners: array<vec4<u32>>;            // particles
@group(0) @binding(2) var<storage, read> skin_weights: array<vec4<f32>>;            // barycentric coordinates
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(4) var<storage, read_write> skin_positions: array<vec4<f32>>;    // xyz [m]

@compute @workgroup_size(64)
fn skin(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let corners = skin_corners[i];
    let w = skin_weights[i];
    let sum = positions[corners.x].xyz * w.x + positions[corners.y].xyz * w.y
        + positions[corners.z].xyz * w.z + positions[corners.w].xyz * w.w;
    skin_positions[i] = vec4<f32>(sum, 0.0);
}
