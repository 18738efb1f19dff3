// What holds for a near pair as long as it is listed, one thread each: thickness, friction, core and compliance.
#import launch
#import nearest

@group(0) @binding(0) var<uniform> launch: Launch;   // index: bodies
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(2) var<storage, read> contact_rest: array<vec4<f32>>;       // xyz at the start [m], w = ρ [m]
@group(0) @binding(3) var<storage, read> contact_bodies: array<u32>;           // of each particle
@group(0) @binding(4) var<storage, read> contact_rules: array<vec4<f32>>;      // static and kinetic friction, radius of an obstacle or less than 0 [m], E or 0 [Pa]
@group(0) @binding(5) var<storage, read> contact_tangles: array<vec2<u32>>;    // tangles that a corner is caught in; those whose other side it is on
@group(0) @binding(6) var<storage, read> contact_areas: array<f32>;            // that a particle stands for [m²]
@group(0) @binding(7) var<storage, read_write> touch_laws: array<vec4<f32>>;   // thickness or less than 0 [m], static and kinetic friction, core [m]
@group(0) @binding(8) var<storage, read_write> touch_compliances: array<f32>;  // [m/N]

const RULE_EDGES: u32 = 0x80000000u;
const RULE_PARTICLE: u32 = 0x3fffffffu;
const RULE_CORE: f32 = 0.5;          // kept free by the guard, as a share of the thickness that gives way
const RULE_START_SHARE: f32 = 0.9;   // of the distance at the start that parts of one body keep

@compute @workgroup_size(64)
fn touch_rule(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let pair = near[k];
    let p = pair & vec4<u32>(RULE_PARTICLE);
    let first = contact_rest[p.x];
    let last = contact_rest[p.w];
    var thickness = first.w + last.w;
    let body = contact_bodies[p.x];
    let other = contact_bodies[p.w];
    if body == other {
        let d = last.xyz;
        let corners = array<vec3<f32>, 4>(
            first.xyz - d, contact_rest[p.y].xyz - d, contact_rest[p.z].xyz - d, vec3<f32>(0.0));
        let start = nearest_of(corners, (pair.x & RULE_EDGES) != 0u);
        thickness = min(thickness, RULE_START_SHARE * length(start.offset));
    }
    let rule = contact_rules[body * launch.index + other];
    let hard = max(rule.z, 0.0);
    let are_edges = (pair.x & RULE_EDGES) != 0u;
    let second = contact_tangles[p.y];
    var first_side = contact_tangles[p.x];
    var last_side = contact_tangles[p.z] | contact_tangles[p.w];
    if are_edges { first_side |= second; } else { last_side |= second; }
    let is_caught = ((first_side.x & last_side.y) | (last_side.x & first_side.y)) != 0u;
    let area = select(contact_areas[p.x], thickness * thickness, are_edges);
    let stiffness = rule.w * area;
    var compliance = 0.0;
    if stiffness > 0.0 { compliance = thickness / stiffness; }
    let kept = select(thickness, -1.0, is_caught);
    touch_laws[k] = vec4<f32>(kept, rule.xy, hard + RULE_CORE * (thickness - hard));
    touch_compliances[k] = compliance;
}
