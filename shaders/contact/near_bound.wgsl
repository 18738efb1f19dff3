// The box of each element, one thread each: its corners, larger by the largest of their reaches.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> contact_elements: array<vec4<u32>>;        // three corners, bits
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> near_spans: array<f32>;                    // reach within the list [m]
@group(0) @binding(4) var<storage, read_write> contact_boxes: array<vec4<f32>>;     // lowest and highest corner [m]

const BOUND_NOWHERE: f32 = 1e30;

@compute @workgroup_size(64)
fn near_bound(@builtin(global_invocation_id) id: vec3<u32>) {
    let e = launch_id(id);
    if e >= launch.count { return; }
    let corners = contact_elements[e].xyz;
    let reaches = vec3<f32>(near_spans[corners.x], near_spans[corners.y], near_spans[corners.z]);
    var low = vec3<f32>(BOUND_NOWHERE);
    var high = vec3<f32>(-BOUND_NOWHERE);
    if all(reaches >= vec3<f32>(0.0)) {
        let x = positions[corners.x].xyz;
        let y = positions[corners.y].xyz;
        let z = positions[corners.z].xyz;
        let reach = max(max(reaches.x, reaches.y), reaches.z);
        low = min(min(x, y), z) - reach;
        high = max(max(x, y), z) + reach;
    }
    contact_boxes[2u * e] = vec4<f32>(low, 0.0);
    contact_boxes[2u * e + 1u] = vec4<f32>(high, 0.0);
}
