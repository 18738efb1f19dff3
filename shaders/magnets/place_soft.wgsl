// Where the triangles and tetrahedra that are magnets are, and where their moments point; one thread each.
#import launch
#import soft

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> soft_corners: array<vec4<u32>>;       // particles; a triangle has none last
@group(0) @binding(2) var<storage, read> soft_rest: array<vec4<f32>>;          // gradients [1/m], w = moment along an axis [A m²]; radius [m], 1 where it goes with F
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> soft_places: array<vec4<f32>>;  // [m], w = radius [m]; moment [A m²]; quaternion

@compute @workgroup_size(64)
fn place_soft(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let corners = soft_corners[i];
    let is_sheet = corners.w == SOFT_NO_CORNER;
    let start = positions[corners.x].xyz;
    let d = positions[corners.y].xyz - start;
    let e = positions[corners.z].xyz - start;
    let f = positions[select(corners.w, corners.x, is_sheet)].xyz - start;
    let g = soft_rest[SOFT_REST * i];
    let h = soft_rest[SOFT_REST * i + 1u];
    let k = soft_rest[SOFT_REST * i + 2u];
    let more = soft_rest[SOFT_REST * i + 3u];
    let rest = Soft(g.xyz, h.xyz, k.xyz, vec3<f32>(g.w, h.w, k.w), more.y > 0.0);
    let own = soft_moment(rest, d, e, f, is_sheet);
    let place = start + (d + e + f) * select(0.25, 1.0 / 3.0, is_sheet);
    soft_places[SOFT_PLACES * i] = vec4<f32>(place, more.x);
    soft_places[SOFT_PLACES * i + 1u] = vec4<f32>(own.moment, 0.0);
    soft_places[SOFT_PLACES * i + 2u] = own.turn;
}
