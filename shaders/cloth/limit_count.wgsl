// Counts the iterations of the strain limits in this substep and clears the list for the next; one thread.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read_write> limit_violations: array<u32>;   // by iteration and, `launch.base` of them, groups; and visits
@group(0) @binding(2) var<storage, read_write> limit_counts: array<u32>;       // done, iterations of this substep, of all, the most, unfinished, visits (low, high)

@compute @workgroup_size(1)
fn limit_count(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    limit_counts[4] += select(0u, 1u, limit_counts[0] == 0u && limit_counts[1] > 0u);
    var used = 0u;
    var left = 0u;
    for (var k = 0u; k < launch.index; k++) {
        left = 0u;
        for (var place = k * launch.base; place < (k + 1u) * launch.base; place++) {
            left += limit_violations[place];
            limit_violations[place] = 0u;
        }
        used += select(0u, 1u, left > 0u);
    }
    limit_counts[0] = select(0u, 1u, left == 0u);
    limit_counts[1] = used;
    limit_counts[2] += used;
    limit_counts[3] = max(limit_counts[3], used);
    let visits = limit_violations[launch.index * launch.base];
    limit_violations[launch.index * launch.base] = 0u;
    let low = limit_counts[5];
    limit_counts[5] = low + visits;
    limit_counts[6] += select(0u, 1u, low > 0xffffffffu - visits);
}
