// The links of strips or seams in one of several substeps, one thread per walk, and for its own particles the way to the next.
#import launch
#import world
#import link_window

const GO_ON: u32 = 1u;    // the next substep follows
const FIRST: u32 = 2u;    // the first one
const END: u32 = 4u;      // the last substep ends

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> link_walks: array<vec4<u32>>;        // first cell, rounds, first own particle, how many
@group(0) @binding(3) var<storage, read> link_nodes: array<u32>;              // the particle of each cell; those that belong to each walk
@group(0) @binding(4) var<storage, read> link_rests: array<vec4<f32>>;        // four L [m]; four α stretched, four compressed [m/N]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;         // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> residuals: array<vec4<f32>>;   // xyz [m], w = multiplicity
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;     // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> offsets_next: array<vec4<f32>>; // of the substep before, then of the next
@group(0) @binding(9) var<storage, read_write> clock: array<u32>;             // substeps done

fn window_lambdas(cell: u32) -> vec4<f32> {
    return vec4<f32>(0.0);
}

fn window_keep(cell: u32, lambdas: vec4<f32>) {}

@compute @workgroup_size(8)
fn step_links(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let walk = link_walks[launch.first + launch_id(id)];
    window_walk(walk.x, walk.y);
    if launch.flags == 0u { return; }
    let goes_on = (launch.flags & GO_ON) != 0u;
    let is_first = (launch.flags & FIRST) != 0u;
    if launch_id(id) == 0u && goes_on { clock[0] += 1u; }
    if goes_on {
        let keep = world.keep;
        let fall = world.dt * world.dt * world.gravity.xyz;
        for (var t = 0u; t < walk.w; t++) {
            let i = link_nodes[walk.z + WINDOW_ABREAST * t];
            let w = positions[i].w;
            let offset = offsets[i].xyz;
            let way = offset - select(offsets_next[i].xyz, residuals[i].xyz, is_first);
            offsets_next[i] = vec4<f32>(offset + select(way, keep * way + fall, w > 0.0), w);
        }
    } else {
        for (var t = 0u; t < walk.w; t++) {
            let i = link_nodes[walk.z + WINDOW_ABREAST * t];
            residuals[i] = vec4<f32>(offsets_next[i].xyz, residuals[i].w);
        }
    }
}
