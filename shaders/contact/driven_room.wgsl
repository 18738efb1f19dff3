// The guard: the largest share of the way of each corner of a driven surface that keeps it on its side, one thread each.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;   // base: corners that are particles
@group(0) @binding(1) var<storage, read> touch_starts: array<u32>;            // where each corner's slots begin
@group(0) @binding(2) var<storage, read> touch_slots: array<vec2<u32>>;       // corner, 4 pair + its place there
@group(0) @binding(3) var<storage, read> guard_planes: array<vec4<f32>>;       // n, how far the first side may go against it [m]
@group(0) @binding(4) var<storage, read> guard_limits: array<f32>;             // how far the second side may go along it [m]
@group(0) @binding(5) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(6) var<storage, read> contact_reaches: array<vec2<f32>>;    // reach [m], b [m]
@group(0) @binding(7) var<storage, read> corner_ways: array<vec4<f32>>;        // xyz [m]
@group(0) @binding(8) var<storage, read_write> driven_rooms: array<f32>;       // share of the way of each driven corner

const ROOM_EDGES: u32 = 0x80000000u;

@compute @workgroup_size(64)
fn driven_room(@builtin(global_invocation_id) id: vec3<u32>) {
    let d = launch_id(id);
    if d >= launch.count { return; }
    let corner = launch.base + d;
    let way = corner_ways[corner].xyz;
    let room = arrayLength(&touch_slots);
    var share = 1.0;
    for (var s = min(touch_starts[corner], room); s < min(touch_starts[corner + 1u], room); s++) {
        let slot = touch_slots[s].y;
        let k = slot / 4u;
        let along = dot(guard_planes[k].xyz, way);
        let first = slot % 4u <= select(0u, 1u, (near[k].x & ROOM_EDGES) != 0u);
        let towards = select(along, -along, first);
        let limit = select(guard_limits[k], guard_planes[k].w, first);
        if towards > limit { share = min(share, limit / towards); }
    }
    let size = length(way);
    let budget = contact_reaches[corner].y;
    if size > budget { share = min(share, budget / size); }
    driven_rooms[d] = share;
}
