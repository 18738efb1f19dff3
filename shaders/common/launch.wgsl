// The parameters of one pass, and which element an invocation stands for.

struct Launch {
    first: u32,
    count: u32,
    index: u32,
    flags: u32,
    base: u32,
    weight: f32,
    dt: f32,                 // time that the pass advances [s]
}

// Invocations per row of a dispatch: a long list spreads over rows because a device takes at most 65,535
// workgroups per dimension.
const LAUNCH_ROW: u32 = 0x200000u;

// The invocation's number in the pass.
fn launch_id(id: vec3<u32>) -> u32 {
    return id.y * LAUNCH_ROW + id.x;
}

// The workgroup's number in the pass, for workgroups of `size` invocations.
fn launch_group(group: vec3<u32>, size: u32) -> u32 {
    return group.y * (LAUNCH_ROW / size) + group.x;
}
