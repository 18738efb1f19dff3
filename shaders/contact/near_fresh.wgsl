// How many pairs of the list are new, all or none, one thread in all.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;   // index: elements
@group(0) @binding(1) var<storage, read> near_gates: array<u32>;              // of making a list; of keeping what the old one holds
@group(0) @binding(2) var<storage, read> near_starts: array<u32>;             // where the pairs of each element begin
@group(0) @binding(3) var<storage, read_write> near_fresh_counts: array<u32>; // new pairs

@compute @workgroup_size(64)
fn near_fresh(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    near_fresh_counts[0] = near_gates[0] * near_starts[launch.index];
}
