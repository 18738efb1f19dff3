// Writes how many rows a counted table has into the slots of the passes over it; one thread per slot.
#import launch

const RESOLVE_SLOT: u32 = 64u;       // words of a slot
const RESOLVE_FIRST: u32 = 0u;       // its words: the first element,
const RESOLVE_COUNT: u32 = 1u;       // the number of elements,
const RESOLVE_DISPATCH: u32 = 8u;    // and the number of workgroups in three dimensions

// index: entry of the wanted rows; flags: if not 0, one more than the slot whose count is that entry; base: entry of the
// capacity in the status; first: the first slot of the list.
@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> resolve_slots: array<vec4<u32>>;      // as compute/resolve.rs says
@group(0) @binding(3) var<storage, read_write> status: array<u32>;
@group(0) @binding(4) var<storage, read_write> launches: array<u32>;

@compute @workgroup_size(64)
fn resolve(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    var wanted = 0u;
    if launch.flags == 0u {
        wanted = counts[launch.index];
    } else {
        let end = launches[(launch.flags - 1u) * RESOLVE_SLOT + RESOLVE_COUNT];
        if end > 0u { wanted = counts[end]; }
    }
    let rows = min(wanted, status[launch.base]);
    if k == 0u { status[launch.base + 1u] = max(status[launch.base + 1u], wanted); }
    let how = resolve_slots[2u * (launch.first + k)];
    let which = resolve_slots[2u * (launch.first + k) + 1u];
    let slot = how.x * RESOLVE_SLOT;
    var count = rows;
    if which.y > 0u {
        let first = min(counts[which.x], rows);
        count = min(counts[which.y], rows) - first;
        launches[slot + RESOLVE_FIRST] = first;
    }
    let elements = (count + how.y - 1u) / how.y * how.z;
    let groups = (elements + how.w - 1u) / how.w;
    launches[slot + RESOLVE_COUNT] = elements;
    launches[slot + RESOLVE_DISPATCH] = min(groups, which.z);
    launches[slot + RESOLVE_DISPATCH + 1u] = (groups + which.z - 1u) / which.z;
    launches[slot + RESOLVE_DISPATCH + 2u] = 1u;
}
