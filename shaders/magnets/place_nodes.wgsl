// Where the branches and cells of magnets are, and where their moments point; one thread each.
#import launch
#import quat
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> magnets: array<vec4<u32>>;               // particles whose mean is the centre, frame, first node
@group(0) @binding(2) var<storage, read> magnet_nodes: array<vec4<u32>>;          // magnet, the branch above, the first node not below, 1 for a cell
@group(0) @binding(3) var<storage, read> node_rest: array<vec4<f32>>;             // arm [m], w = reach [m]; moment [A m²], w = radius [m]
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;                // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(5) var<storage, read_write> node_places: array<vec4<f32>>;     // the same, turned

@compute @workgroup_size(64)
fn place_nodes(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let frame = magnets[magnet_nodes[i].x].z;
    let axes = turn_apply(frames[2u * frame], frames[2u * frame + 1u].xyz);
    let arm = node_rest[2u * i];
    let moment = node_rest[2u * i + 1u];
    node_places[2u * i] = vec4<f32>(quat_rotate(axes, arm.xyz), arm.w);
    node_places[2u * i + 1u] = vec4<f32>(quat_rotate(axes, moment.xyz), moment.w);
}
