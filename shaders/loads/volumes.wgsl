// The volume inside of surfaces, one workgroup per block of triangles. src/loads/volumes.rs has the equation.
#import launch
#import reduce_tree

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> gas_blocks: array<vec4<u32>>;          // triangles: first, end; particle o
@group(0) @binding(2) var<storage, read> gas_triangles: array<vec4<u32>>;       // three particles
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(4) var<storage, read_write> volume_parts: array<f32>;        // one per block [m³]

var<private> origin: vec3<f32>;

fn reduce_value(i: u32) -> f32 {
    let t = gas_triangles[i];
    return dot(positions[t.x].xyz - origin, cross(positions[t.y].xyz - origin, positions[t.z].xyz - origin)) / 6.0;
}

@compute @workgroup_size(256)
fn volumes(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, REDUCE_LANES);
    if block >= launch.count { return; }
    origin = positions[gas_blocks[block].z].xyz;
    let sum = reduce_range(gas_blocks[block].x, gas_blocks[block].y, lane);
    if lane == 0u { volume_parts[block] = sum; }
}
