// Iterations on the links of strips or seams, one thread per walk.
#import launch
#import world
#import link_window

const KEEP: u32 = 1u;    // a later pass reads the multipliers

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> link_walks: array<vec4<u32>>;         // first cell, rounds
@group(0) @binding(3) var<storage, read> link_nodes: array<u32>;               // the particle of each cell
@group(0) @binding(4) var<storage, read> link_rests: array<vec4<f32>>;         // four L [m]; four α stretched, four compressed [m/N]
@group(0) @binding(5) var<storage, read_write> link_lambdas: array<vec4<f32>>; // four λ [N s²]
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass

var<private> walk_iteration: u32;

fn window_lambdas(cell: u32) -> vec4<f32> {
    if walk_iteration == 0u { return vec4<f32>(0.0); }
    return link_lambdas[cell];
}

fn window_keep(cell: u32, lambdas: vec4<f32>) {
    let is_last = walk_iteration + 1u == launch.index + launch.base;
    if (launch.flags & KEEP) != 0u || !is_last { link_lambdas[cell] = lambdas; }
}

@compute @workgroup_size(8)
fn walk_links(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let walk = link_walks[launch.first + launch_id(id)];
    for (var k = 0u; k < launch.base; k++) {
        walk_iteration = launch.index + k;
        window_walk(walk.x, walk.y, 0u);
    }
}
