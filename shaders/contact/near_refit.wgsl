// The boxes of one level of the tree from those of the level below, one thread per node of eight children.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;   // first: this level, base: the one below, index: its number of boxes
@group(0) @binding(1) var<storage, read_write> contact_boxes: array<vec4<f32>>;     // lowest and highest corner [m]

const REFIT_CHILDREN: u32 = 8u;
const REFIT_NOWHERE: f32 = 1e30;

@compute @workgroup_size(64)
fn near_refit(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    var low = vec3<f32>(REFIT_NOWHERE);
    var high = vec3<f32>(-REFIT_NOWHERE);
    let end = min(REFIT_CHILDREN * (k + 1u), launch.index);
    for (var child = REFIT_CHILDREN * k; child < end; child++) {
        let place = 2u * (launch.base + child);
        low = min(low, contact_boxes[place].xyz);
        high = max(high, contact_boxes[place + 1u].xyz);
    }
    let place = 2u * (launch.first + k);
    contact_boxes[place] = vec4<f32>(low, 0.0);
    contact_boxes[place + 1u] = vec4<f32>(high, 0.0);
}
