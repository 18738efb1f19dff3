// Opens the passes that make a list if one is due, one thread in all.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read_write> near_due: array<u32>;          // whether a list is due, by motion; by a new step
@group(0) @binding(2) var<storage, read_write> near_gates: array<u32>;        // of making a list; of keeping what the old one holds
@group(0) @binding(3) var<storage, read_write> contact_counts: array<u32>;    // particles held back, lists made

@compute @workgroup_size(64)
fn near_gate(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let moved = min(near_due[0], 1u);
    let first = min(near_due[1], 1u);
    near_gates[0] = max(moved, first);
    near_gates[1] = max(moved, first) - first;
    contact_counts[1] += max(moved, first);
    near_due[0] = 0u;
    near_due[1] = 0u;
}
