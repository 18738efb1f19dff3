// A Jacobi iteration that is all of a substep, one thread per particle, and the way to the next.
#import launch
#import world
#import jacobi_links

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> distance_starts: array<u32>;            // where each slice's cells begin, and one end
@group(0) @binding(3) var<storage, read> distance_slots: array<vec4<u32>>;       // four j
@group(0) @binding(4) var<storage, read> distance_rest: array<vec4<f32>>;        // four L [m]; four α stretched, four compressed [m/N]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> positions_next: array<vec4<f32>>; // at the end of the substep
@group(0) @binding(7) var<storage, read> offsets: array<vec4<f32>>;              // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> offsets_next: array<vec4<f32>>;   // of the next substep
@group(0) @binding(9) var<storage, read_write> residuals: array<vec4<f32>>;      // xyz [m], w = multiplicity

fn jacobi_lambdas(cell: u32) -> vec4<f32> {
    return vec4<f32>(0.0);
}

fn jacobi_keep(cell: u32, lambdas: vec4<f32>) {}

@compute @workgroup_size(64)
fn step_jacobi(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let xi = positions[i];
    let oi = offsets[i];
    let residual = residuals[i];
    let offset = oi.xyz + jacobi_sum(i, xi, oi) * xi.w;
    // As in `finish`, an exclusive or with a zero that compilers cannot see keeps the rounding.
    let moved = bitcast<vec3<f32>>(bitcast<vec3<u32>>(xi.xyz + offset) ^ vec3<u32>(launch.flags));
    let rest = offset - (moved - xi.xyz);
    let v = (offset - residual.xyz) / world.dt;
    let moving = select(v, world.keep * v + world.dt * world.gravity.xyz, xi.w > 0.0);
    positions_next[i] = vec4<f32>(moved, xi.w);
    residuals[i] = vec4<f32>(rest, residual.w);
    offsets_next[i] = vec4<f32>(rest + world.dt * moving, residual.w * xi.w);
}
