// H of all magnets with moments of their own and of the scene, at each cell that fields magnetise; one thread each.
#import field
#import induction
#import launch
#import quat

const INDUCE_VACUUM: f32 = 1.2566371e-6;    // μ₀ [T m/A]

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(2) var<storage, read> magnet_nodes: array<vec4<u32>>;           // magnet, the branch above, the first node not below, 1 for a cell
@group(0) @binding(3) var<storage, read> node_places: array<vec4<f32>>;            // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> field_sources: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> induced_places: array<vec4<f32>>;         // [m], w = radius [m]; grid against world
@group(0) @binding(7) var<storage, read> induced_rest: array<vec4<f32>>;           // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
@group(0) @binding(8) var<storage, read_write> induced_fields: array<vec4<f32>>;   // √(v/c) H along the grid

fn induce_centre(magnet: vec4<u32>) -> vec3<f32> {
    return (positions[magnet.x].xyz + positions[magnet.y].xyz) * 0.5;
}

@compute @workgroup_size(64)
fn induce_fields(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let place = induced_places[INDUCTION_RECORDS * i];
    let origin = induce_centre(magnets[launch.flags]);
    var at = vec3<f32>(0.0);
    var n = 0u;
    while n < launch.base {
        let node = magnet_nodes[n];
        let there = node_places[2u * n];
        let r = place.xyz - (induce_centre(magnets[node.x]) - origin) - there.xyz;
        if node.w != 1u && length(r) < there.w {
            n++;
            continue;
        }
        let moment = node_places[2u * n + 1u];
        at += induction_dipole(r, place.w + moment.w, moment.xyz);
        n = node.z;
    }
    let x = origin + place.xyz;
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
            vec3<f32>(0.0),
        );
        at += own.b / INDUCE_VACUUM;
    }
    let rest = induced_rest[INDUCTION_RECORDS * i];
    let back = quat_conjugate(induced_places[INDUCTION_RECORDS * i + 1u]);
    induced_fields[i] = vec4<f32>(quat_rotate(back, at) * (rest.y * rest.z), 0.0);
}
