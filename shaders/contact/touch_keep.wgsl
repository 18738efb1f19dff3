// Keeps the pairs of a substep and the impulse of each, one thread per element.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;                    // four corners
@group(0) @binding(2) var<storage, read> near_starts: array<u32>;                   // where the pairs of each element begin
@group(0) @binding(3) var<storage, read> touch_impulses: array<vec4<f32>>;          // tangential, normal [kg m]; …
@group(0) @binding(4) var<storage, read_write> near_before: array<vec4<u32>>;       // the pairs of the last substep
@group(0) @binding(5) var<storage, read_write> near_before_starts: array<u32>;      // where those of each element begin
@group(0) @binding(6) var<storage, read_write> touch_memories: array<vec4<f32>>;    // their impulses: tangential, normal [kg m]
@group(0) @binding(7) var<storage, read_write> near_due: array<u32>;                // whether a list is due, by motion; by a new step

const KEEP_END: u32 = 1u;

@compute @workgroup_size(64)
fn touch_keep(@builtin(global_invocation_id) id: vec3<u32>) {
    let e = launch_id(id);
    if e >= launch.count { return; }
    let room = arrayLength(&near);
    let start = min(near_starts[e], room);
    let end = min(near_starts[e + 1u], room);
    for (var k = start; k < end; k++) {
        near_before[k] = near[k];
        touch_memories[k] = touch_impulses[2u * k];
    }
    near_before_starts[e] = start;
    if e + 1u == launch.count {
        near_before_starts[e + 1u] = end;
        if (launch.flags & KEEP_END) != 0u { near_due[1] = 1u; }
    }
}
