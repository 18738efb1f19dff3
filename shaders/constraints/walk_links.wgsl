// Iterations on the links of strips or seams, one thread per walk.
#import launch
#import world
#import link_window

const KEEP: u32 = 1u;    // a later pass reads the multipliers

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> link_walks: array<vec4<u32>>;         // first cell, rounds
@group(0) @binding(3) var<storage, read> link_nodes: array<u32>;               // the particle of each cell
@group(0) @binding(4) var<storage, read> link_rests: array<vec4<f32>>;         // L [m], α stretched and compressed [m/N] of each span
@group(0) @binding(5) var<storage, read_write> link_lambdas: array<vec4<f32>>; // λ of spans 1 to 4 [N s²]
@group(0) @binding(6) var<storage, read_write> link_lambdas_far: array<vec2<f32>>; // and of 5 and 8
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass

var<private> walk_iteration: u32;
var<private> walk_keeps: bool;

fn window_lambdas(cell: u32) -> WindowLambdas {
    if walk_iteration == 0u { return WindowLambdas(vec4<f32>(0.0), vec2<f32>(0.0)); }
    return WindowLambdas(link_lambdas[cell], link_lambdas_far[cell]);
}

fn window_keep(cell: u32, lambdas: WindowLambdas) {
    if !walk_keeps { return; }
    link_lambdas[cell] = lambdas.near;
    link_lambdas_far[cell] = lambdas.far;
}

@compute @workgroup_size(8)
fn walk_links(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let walk = link_walks[launch.first + launch_id(id)];
    for (var k = 0u; k < launch.base; k++) {
        walk_iteration = launch.index + k;
        walk_keeps = (launch.flags & KEEP) != 0u || k + 1u < launch.base;
        window_walk(walk.x, walk.y);
    }
}
