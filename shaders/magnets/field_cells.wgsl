// What the fields of the scene do to each cell of a magnet; one thread each.
#import field
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> field_rows: array<u32>;                   // node
@group(0) @binding(2) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(3) var<storage, read> magnet_nodes: array<vec4<u32>>;           // magnet, the branch above, the first node not below, 1 for a cell
@group(0) @binding(4) var<storage, read> node_places: array<vec4<f32>>;            // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> field_sources: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> magnet_loads: array<vec4<f32>>;     // force [N], torque about the centre [N m], and nothing

@compute @workgroup_size(64)
fn field_cells(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let node = field_rows[i];
    let magnet = magnets[magnet_nodes[node].x];
    let arm = node_places[2u * node].xyz;
    let moment = node_places[2u * node + 1u].xyz;
    let x = (positions[magnet.x].xyz + positions[magnet.y].xyz) * 0.5 + arm;
    var force = vec3<f32>(0.0);
    var at = vec3<f32>(0.0);
    for (var source = 0u; source < launch.index; source++) {
        let start = FIELD_RECORDS * source;
        let own = field_act(
            array<vec4<f32>, 5>(
                field_sources[start],
                field_sources[start + 1u],
                field_sources[start + 2u],
                field_sources[start + 3u],
                field_sources[start + 4u],
            ),
            x,
            moment,
        );
        at += own.b;
        force += own.force;
    }
    let row = 3u * (launch.base + i);
    magnet_loads[row] = vec4<f32>(force, 0.0);
    magnet_loads[row + 1u] = vec4<f32>(cross(moment, at) + cross(arm, force), 0.0);
    magnet_loads[row + 2u] = vec4<f32>(0.0);
}
