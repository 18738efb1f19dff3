// What the contacts that take part at each particle have together of its motion, one thread per particle.
#import launch
#import touch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> touch_starts: array<u32>;            // where each particle's slots begin
@group(0) @binding(2) var<storage, read> touch_slots: array<vec2<u32>>;       // particle, 4 pair + corner
@group(0) @binding(3) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(4) var<storage, read> touch_planes: array<vec4<f32>>;       // n, g [m]
@group(0) @binding(5) var<storage, read> touch_weights: array<vec4<f32>>;      // of the four corners
@group(0) @binding(6) var<storage, read> touch_laws: array<vec4<f32>>;         // thickness [m], …
@group(0) @binding(7) var<storage, read> offsets: array<vec4<f32>>;            // xyz [m]
@group(0) @binding(8) var<storage, read_write> touch_shares: array<f32>;       // sum of |a|

const SHARE_PARTICLE: u32 = 0x3fffffffu;

@compute @workgroup_size(64)
fn touch_share(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var sum = 0.0;
    let room = arrayLength(&touch_slots);
    for (var s = min(touch_starts[i], room); s < min(touch_starts[i + 1u], room); s++) {
        let slot = touch_slots[s].y;
        let k = slot / 4u;
        let weights = touch_weights[k];
        if weights[slot % 4u] == 0.0 { continue; }
        let plane = touch_planes[k];
        let p = near[k] & vec4<u32>(SHARE_PARTICLE);
        let moved = offsets[p.x].xyz * weights.x + offsets[p.y].xyz * weights.y
            + offsets[p.z].xyz * weights.z + offsets[p.w].xyz * weights.w;
        sum += abs(weights[slot % 4u]) * touch_part(plane.w, dot(plane.xyz, moved), touch_laws[k].x);
    }
    touch_shares[i] = sum;
}
