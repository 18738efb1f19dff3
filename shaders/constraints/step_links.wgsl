// The links of strips or seams in one of several substeps, one thread per walk, and for its own particles what is between
// substeps. src/constraints/step_links.rs says how.
#import launch
#import world
#import link_window

const START: u32 = 1u;    // the first substep begins
const GO_ON: u32 = 2u;    // the next substep follows
const END: u32 = 4u;      // the last substep ends

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> link_walks: array<vec4<u32>>;        // first cell, rounds, first own particle, how many
@group(0) @binding(3) var<storage, read> link_nodes: array<u32>;              // the particle of each cell; those that belong to each walk
@group(0) @binding(4) var<storage, read> link_rests: array<vec4<f32>>;        // L [m], α stretched and compressed [m/N] of each span
@group(0) @binding(5) var<storage, read_write> positions: array<vec4<f32>>;   // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> residuals: array<vec4<f32>>;   // xyz [m], w = multiplicity
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4<f32>>;  // xyz [m/s]
@group(0) @binding(8) var<storage, read_write> offsets: array<vec4<f32>>;     // xyz [m], w = solver's 1/mass
@group(0) @binding(9) var<storage, read_write> clock: array<u32>;             // substeps done

fn window_lambdas(cell: u32) -> WindowLambdas {
    return WindowLambdas(vec4<f32>(0.0), vec2<f32>(0.0));
}

fn window_keep(cell: u32, lambdas: WindowLambdas) {}

// `predict`.
fn start(walk: vec4<u32>) {
    for (var t = 0u; t < walk.w; t++) {
        let i = link_nodes[walk.z + WINDOW_ABREAST * t];
        let w = positions[i].w;
        let residual = residuals[i];
        let v = velocities[i].xyz;
        let moving = select(v, world.keep * v + world.dt * world.gravity.xyz, w > 0.0);
        offsets[i] = vec4<f32>(residual.xyz + world.dt * moving, residual.w * w);
    }
}

// `finish` and `predict`.
fn go_on(walk: vec4<u32>) {
    let dt = world.dt;
    let keep = world.keep;
    let gain = dt * world.gravity.xyz;
    let zero = vec3<u32>(launch.index);
    for (var t = 0u; t < walk.w; t++) {
        let i = link_nodes[walk.z + WINDOW_ABREAST * t];
        let x = positions[i];
        let residual = residuals[i];
        let offset = offsets[i].xyz;
        // As in `finish`, an exclusive or with a zero that compilers cannot see keeps the rounding.
        let moved = bitcast<vec3<f32>>(bitcast<vec3<u32>>(x.xyz + offset) ^ zero);
        let rest = offset - (moved - x.xyz);
        let v = (offset - residual.xyz) / dt;
        let moving = select(v, keep * v + gain, x.w > 0.0);
        positions[i] = vec4<f32>(moved, x.w);
        residuals[i] = vec4<f32>(rest, residual.w);
        offsets[i] = vec4<f32>(rest + dt * moving, residual.w * x.w);
    }
}

// `finish`.
fn end(walk: vec4<u32>) {
    for (var t = 0u; t < walk.w; t++) {
        let i = link_nodes[walk.z + WINDOW_ABREAST * t];
        let x = positions[i];
        let residual = residuals[i];
        let offset = offsets[i].xyz;
        let moved = bitcast<vec3<f32>>(bitcast<vec3<u32>>(x.xyz + offset) ^ vec3<u32>(launch.index));
        velocities[i] = vec4<f32>((offset - residual.xyz) / world.dt, 0.0);
        residuals[i] = vec4<f32>(offset - (moved - x.xyz), residual.w);
        positions[i] = vec4<f32>(moved, x.w);
    }
}

@compute @workgroup_size(8)
fn step_links(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let walk = link_walks[launch.first + launch_id(id)];
    let flags = launch.flags;
    if (flags & START) != 0u { start(walk); }
    window_walk(walk.x, walk.y);
    if (flags & (GO_ON | END)) != 0u && launch_id(id) == 0u { clock[0] += 1u; }
    if (flags & GO_ON) != 0u { go_on(walk); }
    if (flags & END) != 0u { end(walk); }
}
