// What is left of the residual and the masses of blocks of rows, one workgroup per block.
#import launch
#import reduce_tree

const HELD: f32 = 1e30;   // mass of what is held [kg]

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> dot_blocks: array<vec2<u32>>;           // rows: first, end
@group(0) @binding(2) var<storage, read> cg_residuals: array<vec4<f32>>;         // r, xyz [N s]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> drift_parts: array<vec4<f32>>;    // Σ r [N s], Σ m [kg], one per block

var<private> component: u32;

fn reduce_value(i: u32) -> f32 {
    if component < 3u { return cg_residuals[i][component]; }
    let w = positions[i].w;
    if w > 0.0 { return 1.0 / w; }
    return HELD;
}

@compute @workgroup_size(256)
fn pcg_drift_parts(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = launch_group(group, REDUCE_LANES);
    if block >= launch.count { return; }
    var sums: vec4<f32>;
    for (component = 0u; component < 4u; component++) {
        sums[component] = reduce_range(dot_blocks[block].x, dot_blocks[block].y, lane);
        workgroupBarrier();
    }
    if lane == 0u { drift_parts[block] = sums; }
}
