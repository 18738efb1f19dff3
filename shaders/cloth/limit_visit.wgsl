// The list of triangles to visit, colour by colour, and how many workgroups that takes; one thread per triangle.
#import launch

const LIMIT_GROUP: u32 = 64u;             // the workgroup size of `strain_limit`
const LIMIT_ROW: u32 = LAUNCH_ROW / LIMIT_GROUP;
const LIMIT_NONE: u32 = 0xffffffffu;      // the end of a colour's list

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> limit_colours: array<vec4<u32>>;             // of each triangle: first, end, number
@group(0) @binding(2) var<storage, read> limit_flags: array<u32>;                     // 1 for a triangle to visit
@group(0) @binding(3) var<storage, read> limit_starts: array<u32>;                    // flags before it
@group(0) @binding(4) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration, and visits
@group(0) @binding(5) var<storage, read_write> limit_list: array<u32>;                // triangles
@group(0) @binding(6) var<storage, read_write> limit_dispatches: array<vec4<u32>>;    // workgroups a row, rows, 1, triangles

@compute @workgroup_size(64)
fn limit_visit(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = launch_id(id);
    if t >= launch.count { return; }
    let colour = limit_colours[t];
    let goes_on = atomicLoad(&limit_violations[launch.index]) > 0u;
    let before = limit_starts[colour.x];
    let count = select(0u, limit_starts[colour.y] - before, goes_on);
    if t == colour.x {
        let groups = (count + LIMIT_GROUP - 1u) / LIMIT_GROUP;
        let rows = (groups + LIMIT_ROW - 1u) / LIMIT_ROW;
        limit_dispatches[colour.z] = vec4<u32>(min(groups, LIMIT_ROW), rows, 1u, count);
        atomicAdd(&limit_violations[launch.base], count);
    }
    if t - colour.x >= count { limit_list[t] = LIMIT_NONE; }
    if goes_on && limit_flags[t] != 0u { limit_list[colour.x + limit_starts[t] - before] = t; }
}
