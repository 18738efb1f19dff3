// The guard: a plane between the two sides of every near pair and how far each may go towards it, one thread per pair.
#import launch
#import nearest

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;                    // four corners
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> touch_laws: array<vec4<f32>>;              // …, core [m]
@group(0) @binding(4) var<storage, read> contact_rest: array<vec4<f32>>;            // xyz at the start [m], …
@group(0) @binding(5) var<storage, read> offsets: array<vec4<f32>>;                 // xyz [m]
@group(0) @binding(6) var<storage, read> touch_planes: array<vec4<f32>>;            // n, g [m]
@group(0) @binding(7) var<storage, read_write> guard_planes: array<vec4<f32>>;      // n, how far the first side may go against it [m]
@group(0) @binding(8) var<storage, read_write> guard_limits: array<f32>;            // how far the second side may go along it [m]

const GUARD_EDGES: u32 = 0x80000000u;
const GUARD_PARTICLE: u32 = 0x3fffffffu;
const GUARD_USED: f32 = 0.9;            // the part of the room that is used
const GUARD_FREE: f32 = 1e30;           // the limit of a side that is not limited [m]
const GUARD_AWAY: f32 = 1e30;           // the gap of a pair that is out of reach in this substep [m]
const GUARD_EPSILON: f32 = 1.1920929e-7;

fn guard_largest(v: vec3<f32>) -> f32 {
    return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

// Approach of the corners that move freely, xy, and of those that are held, zw, on each side.
fn guard_approach(normal: vec3<f32>, ways: array<vec3<f32>, 4>, is_free: vec4<bool>, are_edges: bool) -> vec4<f32> {
    var all = vec4<f32>(0.0);
    for (var c = 0u; c < 4u; c++) {
        let second = c > select(0u, 1u, are_edges);
        let along = dot(normal, ways[c]);
        let towards = select(vec2<f32>(-along, 0.0), vec2<f32>(0.0, along), second);
        all = max(all, select(vec4<f32>(0.0, 0.0, towards), vec4<f32>(towards, 0.0, 0.0), is_free[c]));
    }
    return all;
}

fn guard_excess(approach: vec4<f32>, room: f32) -> f32 {
    let both = max(approach.xy, approach.zw);
    return both.x + both.y - room;
}

@compute @workgroup_size(64)
fn guard_share(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    if touch_planes[k].w >= GUARD_AWAY {
        guard_planes[k] = vec4<f32>(0.0, 0.0, 0.0, GUARD_FREE);
        guard_limits[k] = GUARD_FREE;
        return;
    }
    let pair = near[k];
    let are_edges = (pair.x & GUARD_EDGES) != 0u;
    let p = pair & vec4<u32>(GUARD_PARTICLE);
    let last = positions[p.w].xyz;
    let local = array<vec3<f32>, 4>(
        positions[p.x].xyz - last, positions[p.y].xyz - last, positions[p.z].xyz - last, vec3<f32>(0.0));
    let plane = nearest_dividing(local, are_edges);
    let far = max(max(guard_largest(positions[p.x].xyz), guard_largest(positions[p.y].xyz)),
        max(guard_largest(positions[p.z].xyz), guard_largest(last)));
    let size = max(max(guard_largest(local[0]), guard_largest(local[1])), guard_largest(local[2]));
    let slack = (4.0 * far + 8.0 * size) * GUARD_EPSILON;
    let core = touch_laws[k].w;
    // What was cut apart lies together at first, and no plane says which side is which: it is guarded once it has parted.
    let start = contact_rest[p.w].xyz;
    let at_start = array<vec3<f32>, 4>(
        contact_rest[p.x].xyz - start, contact_rest[p.y].xyz - start, contact_rest[p.z].xyz - start, vec3<f32>(0.0));
    let apart = length(nearest_of(at_start, are_edges).offset);
    let is_cut = touch_laws[k].x <= slack && apart <= slack && plane.separation <= slack;
    let ways = array<vec3<f32>, 4>(offsets[p.x].xyz, offsets[p.y].xyz, offsets[p.z].xyz, offsets[p.w].xyz);
    let is_free = vec4<bool>(
        positions[p.x].w > 0.0, positions[p.y].w > 0.0, positions[p.z].w > 0.0, positions[p.w].w > 0.0);
    var normal = plane.normal;
    var room = max(GUARD_USED * (plane.separation - core - slack), 0.0);
    var approach = guard_approach(normal, ways, is_free, are_edges);
    var least = guard_excess(approach, room);
    if !is_cut && least > 0.0 {
        let others = nearest_sliding(local, are_edges, ways);
        for (var c = 0u; c < 2u; c++) {
            let other = others[c];
            let free_room = max(GUARD_USED * (other.separation - core - slack), 0.0);
            let its = guard_approach(other.normal, ways, is_free, are_edges);
            let more = guard_excess(its, free_room);
            if other.separation > core + slack && more < least {
                normal = other.normal;
                room = free_room;
                approach = its;
                least = more;
            }
        }
    }
    let free = approach.xy;
    let held = approach.zw;
    var limits = vec2<f32>(GUARD_FREE);
    if !is_cut && least > 0.0 {
        let left = max(room - held.x - held.y, 0.0);
        let more = max(free - held, vec2<f32>(0.0));
        let sum = more.x + more.y;
        limits = held;
        if sum > 0.0 { limits = held + left * more / sum; }
    }
    guard_planes[k] = vec4<f32>(normal, limits.x);
    guard_limits[k] = limits.y;
}
