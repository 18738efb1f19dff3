// How far blocks of rows are from where their momentum leads, one workgroup per block.
#import launch
#import reduce_tree

const HELD: f32 = 1e30;   // mass of what is held [kg]

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> dot_blocks: array<vec2<u32>>;           // rows: first, end
@group(0) @binding(2) var<storage, read> dot_drags: array<f32>;                  // α of each block's body [1/s]; negative if it has a load
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> residuals: array<vec4<f32>>;            // xyz [m]
@group(0) @binding(5) var<storage, read> inertial: array<vec4<f32>>;             // ô, xyz [m]; w = share of the mass
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;              // o, xyz [m]
@group(0) @binding(7) var<storage, read_write> drift_sums: array<vec4<f32>>;    // Σ m (o − ô + s (o − r)) [kg m], Σ m (1 + s) [kg]

var<private> component: u32;
var<private> drag: f32;

fn reduce_value(i: u32) -> f32 {
    let w = positions[i].w;
    let s = launch.weight * launch.dt * drag;
    if component < 3u {
        if w <= 0.0 { return 0.0; }
        let missing = (offsets[i][component] - inertial[i][component]) * inertial[i].w;
        return (missing + (offsets[i][component] - residuals[i][component]) * s) / w;
    }
    if w > 0.0 && drag >= 0.0 { return (inertial[i].w + s) / w; }
    return HELD;
}

@compute @workgroup_size(256)
fn drift_parts(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, REDUCE_LANES);
    if block >= launch.count { return; }
    drag = dot_drags[block];
    var sums: vec4<f32>;
    for (component = 0u; component < 4u; component++) {
        sums[component] = reduce_range(dot_blocks[block].x, dot_blocks[block].y, lane);
        workgroupBarrier();
    }
    if lane == 0u { drift_sums[block] = sums; }
}
