// The changes of the impulses at each corner of a driven surface, one thread each.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;   // base: corners that are particles
@group(0) @binding(1) var<storage, read> touch_starts: array<u32>;            // where each corner's slots begin
@group(0) @binding(2) var<storage, read> touch_slots: array<vec2<u32>>;       // corner, 4 pair + its place there
@group(0) @binding(3) var<storage, read> touch_weights: array<vec4<f32>>;      // of the four corners
@group(0) @binding(4) var<storage, read> touch_impulses: array<vec4<f32>>;     // tangential, normal [kg m]; change of their sum, α̃
@group(0) @binding(5) var<storage, read_write> driven_pushes: array<vec4<f32>>;     // of each driven corner [kg m]

@compute @workgroup_size(64)
fn driven_sum(@builtin(global_invocation_id) id: vec3<u32>) {
    let d = launch_id(id);
    if d >= launch.count { return; }
    let room = arrayLength(&touch_slots);
    let corner = launch.base + d;
    var sum = vec3<f32>(0.0);
    for (var s = min(touch_starts[corner], room); s < min(touch_starts[corner + 1u], room); s++) {
        let slot = touch_slots[s].y;
        sum += touch_impulses[2u * (slot / 4u) + 1u].xyz * touch_weights[slot / 4u][slot % 4u];
    }
    driven_pushes[d] = vec4<f32>(sum, 0.0);
}
