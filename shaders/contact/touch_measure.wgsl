// What the listed pairs are at the start of a substep, one thread each: direction, gap and weights.
#import launch
#import nearest

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> contact_reaches: array<vec2<f32>>;    // reach [m], b [m]
@group(0) @binding(4) var<storage, read> touch_laws: array<vec4<f32>>;         // thickness or less than 0 [m], …
@group(0) @binding(5) var<storage, read> touch_compliances: array<f32>;        // [m/N]
@group(0) @binding(6) var<storage, read_write> touch_planes: array<vec4<f32>>;      // n, g [m]
@group(0) @binding(7) var<storage, read_write> touch_weights: array<vec4<f32>>;     // of the four corners
@group(0) @binding(8) var<storage, read_write> touch_impulses: array<vec4<f32>>;    // …; …, least α̃ [1/kg]

const MEASURE_EDGES: u32 = 0x80000000u;
const MEASURE_TOUCHES: u32 = 0x40000000u;
const MEASURE_PARTICLE: u32 = 0x3fffffffu;
const MEASURE_AWAY: f32 = 1e30;   // the gap of a pair that is out of reach in this substep [m]

@compute @workgroup_size(64)
fn touch_measure(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let pair = near[k];
    let are_edges = (pair.x & MEASURE_EDGES) != 0u;
    let p = pair & vec4<u32>(MEASURE_PARTICLE);
    let last = positions[p.w].xyz;
    let local = array<vec3<f32>, 4>(
        positions[p.x].xyz - last, positions[p.y].xyz - last, positions[p.z].xyz - last, vec3<f32>(0.0));
    let found = nearest_of(local, are_edges);
    let r = vec4<f32>(contact_reaches[p.x].x, contact_reaches[p.y].x, contact_reaches[p.z].x, contact_reaches[p.w].x);
    let reach = select(r.x + max(max(r.y, r.z), r.w), max(r.x, r.y) + max(r.z, r.w), are_edges);
    let square = dot(found.offset, found.offset);
    let thickness = touch_laws[k].x;
    if !(all(r >= vec4<f32>(0.0)) && thickness >= 0.0 && square <= reach * reach) {
        touch_planes[k] = vec4<f32>(0.0, 0.0, 0.0, MEASURE_AWAY);
        touch_weights[k] = vec4<f32>(0.0);
        return;
    }
    let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), (pair & vec4<u32>(MEASURE_TOUCHES)) != vec4<u32>(0u));
    let allowed = bits.x | bits.y | bits.z | bits.w;
    // Sheets push each other across a face or both edges, never along.
    let has_rim = any(found.weights.yzw == vec3<f32>(0.0));
    var offset = found.offset;
    var carries = (found.ends & ~allowed) == 0u;
    if carries && select(has_rim, allowed == 0u, are_edges) {
        let first = select(local[1], local[0], are_edges);
        let u = select(local[2], local[1], are_edges) - first;
        let v = local[3] - select(local[1], local[2], are_edges);
        let across = cross(u, v);
        let size = dot(across, across);
        carries = size > NEAREST_PARALLEL * dot(u, u) * dot(v, v);
        if carries { offset = across * (dot(across, offset) / size); }
    }
    let distance = length(offset);
    carries = carries && distance > 0.0;
    var normal = offset;
    if carries { normal = offset / distance; }
    touch_planes[k] = vec4<f32>(normal, distance - thickness);
    touch_weights[k] = select(vec4<f32>(0.0), found.weights, carries);
    touch_impulses[2u * k + 1u] = vec4<f32>(0.0, 0.0, 0.0, touch_compliances[k] / (launch.dt * launch.dt));
}
