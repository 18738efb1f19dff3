// The moments that fields have given to cells; one thread each.
#import induction
#import launch
#import quat

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_cells: array<vec4<u32>>;          // first of its body, end, table, node; place, counts, magnet
@group(0) @binding(2) var<storage, read> induced_rest: array<vec4<f32>>;           // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
@group(0) @binding(3) var<storage, read> induced_places: array<vec4<f32>>;         // [m], w = radius [m]; grid against world
@group(0) @binding(4) var<storage, read> magnetisations: array<vec4<f32>>;         // along the grid [A/m]
@group(0) @binding(5) var<storage, read_write> node_places: array<vec4<f32>>;      // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]

@compute @workgroup_size(64)
fn induce_moments(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let rest = induced_rest[INDUCTION_RECORDS * i];
    let moment = quat_rotate(induced_places[INDUCTION_RECORDS * i + 1u], magnetisations[i].xyz) * rest.y;
    node_places[2u * induced_cells[2u * i].w + 1u] = vec4<f32>(moment, rest.w);
}
