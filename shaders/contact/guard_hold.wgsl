// The guard: keeps every particle on its side of the planes at it, and within its reach; one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> touch_starts: array<u32>;            // where each particle's slots begin
@group(0) @binding(2) var<storage, read> touch_slots: array<vec2<u32>>;       // particle, 4 pair + corner
@group(0) @binding(3) var<storage, read> guard_planes: array<vec4<f32>>;       // n, how far the first side may go against it [m]
@group(0) @binding(4) var<storage, read> guard_limits: array<f32>;             // how far the second side may go along it [m]
@group(0) @binding(5) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(6) var<storage, read> contact_reaches: array<vec2<f32>>;    // reach [m], b [m]
@group(0) @binding(7) var<storage, read_write> contact_counts: array<atomic<u32>>;  // particles held back
@group(0) @binding(8) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass

const HOLD_EDGES: u32 = 0x80000000u;
const HOLD_ROUNDS: u32 = 3u;     // how often the planes are gone through before the rest is scaled
const HOLD_KEPT: f32 = 1e-5;     // share of the displacement by which a limit may be exceeded

// The direction towards a slot's plane, and how far the particle may go.
fn hold_plane(slot: u32) -> vec4<f32> {
    let k = slot / 4u;
    let plane = guard_planes[k];
    let first = slot % 4u <= select(0u, 1u, (near[k].x & HOLD_EDGES) != 0u);
    if first { return vec4<f32>(-plane.xyz, plane.w); }
    return vec4<f32>(plane.xyz, guard_limits[k]);
}

@compute @workgroup_size(64)
fn guard_hold(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let offset = offsets[i];
    // What cannot move has no solver's mass.
    if offset.w == 0.0 { return; }
    let room = arrayLength(&touch_slots);
    let start = min(touch_starts[i], room);
    let end = min(touch_starts[i + 1u], room);
    var o = offset.xyz;
    var any_excess = true;
    for (var round = 0u; round < HOLD_ROUNDS && any_excess; round++) {
        any_excess = false;
        for (var s = start; s < end; s++) {
            let plane = hold_plane(touch_slots[s].y);
            let excess = dot(plane.xyz, o) - plane.w;
            if excess > 0.0 {
                o -= plane.xyz * excess;
                any_excess = true;
            }
        }
    }
    var fraction = 1.0;
    let slack = HOLD_KEPT * length(offset.xyz);
    for (var s = start; s < end && any_excess; s++) {
        let plane = hold_plane(touch_slots[s].y);
        let towards = dot(plane.xyz, o);
        if towards > plane.w + slack { fraction = min(fraction, plane.w / towards); }
    }
    let size = length(o);
    let budget = contact_reaches[i].y;
    if size * fraction > budget { fraction = budget / size; }
    o = o * fraction;
    if any(o != offset.xyz) {
        atomicAdd(&contact_counts[0], 1u);
        offsets[i] = vec4<f32>(o, offset.w);
    }
}
