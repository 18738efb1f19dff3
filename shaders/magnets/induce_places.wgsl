// Where the cells that fields magnetise are, from the centre of the first body that has any; one thread each.
#import induction
#import launch
#import quat
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_cells: array<vec4<u32>>;          // first of its body, end, table, node; place, counts, magnet
@group(0) @binding(2) var<storage, read> induced_rest: array<vec4<f32>>;           // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
@group(0) @binding(3) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(4) var<storage, read> node_places: array<vec4<f32>>;            // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(7) var<storage, read_write> induced_places: array<vec4<f32>>;   // [m], w = radius [m]; grid against world

fn place_centre(magnet: vec4<u32>) -> vec3<f32> {
    return (positions[magnet.x].xyz + positions[magnet.y].xyz) * 0.5;
}

@compute @workgroup_size(64)
fn induce_places(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let magnet = magnets[induced_cells[2u * i + 1u].z];
    let between = place_centre(magnet) - place_centre(magnets[launch.index]);
    let place = between + node_places[2u * induced_cells[2u * i].w].xyz;
    let axes = turn_apply(frames[2u * magnet.z], frames[2u * magnet.z + 1u].xyz);
    let first = INDUCTION_RECORDS * i;
    induced_places[first] = vec4<f32>(place, induced_rest[first].w);
    induced_places[first + 1u] = turn_product(axes, induced_rest[first + 1u]);
}
