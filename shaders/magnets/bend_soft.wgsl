// The forces on the corners of triangles and tetrahedra with moments, of all magnets and of the scene's fields; one thread each.
#import field
#import launch
#import soft

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> soft_corners: array<vec4<u32>>;       // particles; a triangle has none last
@group(0) @binding(2) var<storage, read> soft_rest: array<vec4<f32>>;          // gradients [1/m], w = moment along an axis [A m²]; radius [m], 1 where it goes with F
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> soft_places: array<vec4<f32>>;        // [m], w = radius [m]; moment [A m²]; quaternion
@group(0) @binding(5) var<storage, read> magnet_loads: array<vec4<f32>>;       // force on the magnet [N], B at the cell [T], torque about the magnet's centre [N m]
@group(0) @binding(6) var<storage, read> field_sources: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> soft_forces: array<vec4<f32>>;  // on each corner [N]

@compute @workgroup_size(64)
fn bend_soft(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let corners = soft_corners[i];
    let is_sheet = corners.w == SOFT_NO_CORNER;
    let place = soft_places[SOFT_PLACES * i].xyz;
    let moment = soft_places[SOFT_PLACES * i + 1u].xyz;
    let turn = soft_places[SOFT_PLACES * i + 2u];
    var at = vec3<f32>(0.0);
    var pull = vec3<f32>(0.0);
    for (var partner = 0u; partner < launch.flags; partner++) {
        let row = 3u * (launch.base + partner * launch.count + i);
        pull -= magnet_loads[row].xyz;
        at += magnet_loads[row + 1u].xyz;
    }
    for (var source = 0u; source < launch.index; source++) {
        let first = FIELD_RECORDS * source;
        let own = field_act(
            array<vec4<f32>, 5>(
                field_sources[first],
                field_sources[first + 1u],
                field_sources[first + 2u],
                field_sources[first + 3u],
                field_sources[first + 4u],
            ),
            place,
            moment,
        );
        at += own.b;
        pull += own.force;
    }
    let start = positions[corners.x].xyz;
    let d = positions[corners.y].xyz - start;
    let e = positions[corners.z].xyz - start;
    let f = positions[select(corners.w, corners.x, is_sheet)].xyz - start;
    let g = soft_rest[SOFT_REST * i];
    let h = soft_rest[SOFT_REST * i + 1u];
    let k = soft_rest[SOFT_REST * i + 2u];
    let rest = Soft(g.xyz, h.xyz, k.xyz, vec3<f32>(g.w, h.w, k.w), soft_rest[SOFT_REST * i + 3u].y > 0.0);
    let turned = soft_forces_of(rest, d, e, f, is_sheet, turn, at);
    let share = pull * select(0.25, 1.0 / 3.0, is_sheet);
    soft_forces[4u * i] = vec4<f32>(share - (turned[0] + turned[1] + turned[2]), 0.0);
    soft_forces[4u * i + 1u] = vec4<f32>(turned[0] + share, 0.0);
    soft_forces[4u * i + 2u] = vec4<f32>(turned[1] + share, 0.0);
    soft_forces[4u * i + 3u] = vec4<f32>(select(turned[2] + share, vec3<f32>(0.0), is_sheet), 0.0);
}
