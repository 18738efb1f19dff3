// Adds the corrections of each particle's constraints to the iterate, always in the same order, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> gather_starts: array<u32>;         // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> gather_slots: array<u32>;          // places in `corrections`
@group(0) @binding(3) var<storage, read> corrections: array<vec4<f32>>;     // xyz [m]
@group(0) @binding(4) var<storage, read_write> offsets_next: array<vec4<f32>>;  // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var sum = vec3<f32>();
    for (var s = gather_starts[i]; s < gather_starts[i + 1u]; s++) {
        sum += corrections[gather_slots[s]].xyz;
    }
    let next = offsets_next[i];
    offsets_next[i] = vec4<f32>(next.xyz + launch.weight * sum, next.w);
}
