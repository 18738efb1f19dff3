// What friction held in the last substep, for the contacts that are still there, one thread per element.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(2) var<storage, read> near_starts: array<u32>;              // where the pairs of each element begin
@group(0) @binding(3) var<storage, read> near_before: array<vec4<u32>>;        // the pairs of the last substep
@group(0) @binding(4) var<storage, read> near_before_starts: array<u32>;       // where those of each element begin
@group(0) @binding(5) var<storage, read> touch_memories: array<vec4<f32>>;     // their impulses: tangential, normal [kg m]
@group(0) @binding(6) var<storage, read_write> touch_impulses: array<vec4<f32>>;   // tangential, normal [kg m]; …

@compute @workgroup_size(64)
fn touch_recall(@builtin(global_invocation_id) id: vec3<u32>) {
    let e = launch_id(id);
    if e >= launch.count { return; }
    let room = arrayLength(&near);
    let last = min(near_before_starts[e + 1u], arrayLength(&near_before));
    var next = near_before_starts[e];
    for (var k = min(near_starts[e], room); k < min(near_starts[e + 1u], room); k++) {
        var memory = vec4<f32>(0.0);
        for (var j = next; j < last; j++) {
            if all(near_before[j] == near[k]) {
                memory = touch_memories[j];
                next = j + 1u;
                break;
            }
        }
        touch_impulses[2u * k] = memory;
    }
}
