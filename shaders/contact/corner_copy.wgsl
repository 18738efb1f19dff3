// Corners that are particles, in the columns in which all corners are, one thread each; or their displacements back.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(2) var<storage, read_write> offsets: array<vec4<f32>>;           // xyz [m], w = solver's 1/mass
@group(0) @binding(3) var<storage, read_write> corner_places: array<vec4<f32>>;     // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> corner_ways: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

const COPY_BACK: u32 = 1u;

@compute @workgroup_size(64)
fn corner_copy(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if (launch.flags & COPY_BACK) != 0u {
        offsets[i] = corner_ways[i];
        return;
    }
    corner_places[i] = positions[i];
    corner_ways[i] = offsets[i];
}
