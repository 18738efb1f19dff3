// What the near pairs are at the start of a substep, one thread each: direction, gap, weights and thickness.
#import launch
#import nearest

@group(0) @binding(0) var<uniform> launch: Launch;   // index: bodies
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> contact_rest: array<vec4<f32>>;       // xyz at the start [m], w = ρ [m]
@group(0) @binding(4) var<storage, read> contact_bodies: array<u32>;           // of each particle
@group(0) @binding(5) var<storage, read> contact_rules: array<vec4<f32>>;      // static and kinetic friction, α [m/N]
@group(0) @binding(6) var<storage, read_write> touch_planes: array<vec4<f32>>;      // n, g [m]
@group(0) @binding(7) var<storage, read_write> touch_weights: array<vec4<f32>>;     // of the four corners
@group(0) @binding(8) var<storage, read_write> touch_laws: array<vec4<f32>>;        // thickness [m], static and kinetic friction, κ

const MEASURE_EDGES: u32 = 0x80000000u;
const MEASURE_TOUCHES: u32 = 0x40000000u;
const MEASURE_PARTICLE: u32 = 0x3fffffffu;
const MEASURE_START_SHARE: f32 = 0.9;   // of the distance at the start that parts of one body keep

fn measure_nearest(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: vec3<f32>, are_edges: bool) -> Nearest {
    return nearest_of(array<vec3<f32>, 4>(a - d, b - d, c - d, vec3<f32>(0.0)), are_edges);
}

@compute @workgroup_size(64)
fn touch_measure(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let pair = near[k];
    let are_edges = (pair.x & MEASURE_EDGES) != 0u;
    let p = pair & vec4<u32>(MEASURE_PARTICLE);
    let found = measure_nearest(positions[p.x].xyz, positions[p.y].xyz, positions[p.z].xyz, positions[p.w].xyz, are_edges);
    let distance = length(found.offset);
    let first = contact_rest[p.x];
    let last = contact_rest[p.w];
    var thickness = first.w + last.w;
    let body = contact_bodies[p.x];
    let other = contact_bodies[p.w];
    if body == other {
        let start = measure_nearest(first.xyz, contact_rest[p.y].xyz, contact_rest[p.z].xyz, last.xyz, are_edges);
        thickness = min(thickness, MEASURE_START_SHARE * length(start.offset));
    }
    let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), (pair & vec4<u32>(MEASURE_TOUCHES)) != vec4<u32>(0u));
    let allowed = bits.x | bits.y | bits.z | bits.w;
    let carries = (found.ends & ~allowed) == 0u && distance > 0.0;
    let rule = contact_rules[body * launch.index + other];
    var normal = found.offset;
    if carries { normal = found.offset / distance; }
    touch_planes[k] = vec4<f32>(normal, distance - thickness);
    touch_weights[k] = select(vec4<f32>(0.0), found.weights, carries);
    touch_laws[k] = vec4<f32>(thickness, rule.xyz);
}
