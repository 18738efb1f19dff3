// A link of a coarse net shortens what is longer than its threads, one thread per link of one colour.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> coarse_ends: array<vec2<u32>>;           // nodes
@group(0) @binding(2) var<storage, read> coarse_rest: array<f32>;                 // L [m]
@group(0) @binding(3) var<storage, read> coarse_particles: array<u32>;            // of each node
@group(0) @binding(4) var<storage, read> coarse_weights: array<f32>;              // w of each node
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(7) var<storage, read_write> coarse_moves: array<vec4<f32>>;    // d of each node, xyz [m]

@compute @workgroup_size(64)
fn coarse_pull(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let ends = coarse_ends[k];
    let p = coarse_particles[ends.x];
    let q = coarse_particles[ends.y];
    let xi = positions[p];
    let xj = positions[q];
    // What a pin holds stays.
    let wi = select(0.0, coarse_weights[ends.x], xi.w > 0.0);
    let wj = select(0.0, coarse_weights[ends.y], xj.w > 0.0);
    let di = coarse_moves[ends.x].xyz;
    let dj = coarse_moves[ends.y].xyz;
    let way = (xj.xyz - xi.xyz) + ((offsets[q].xyz - offsets[p].xyz) + (dj - di));
    let distance = length(way);
    let c = distance - coarse_rest[k];
    if !(c > 0.0 && wi + wj > 0.0) { return; }
    let pull = way * (c / ((wi + wj) * distance));
    coarse_moves[ends.x] = vec4<f32>(di + wi * pull, 0.0);
    coarse_moves[ends.y] = vec4<f32>(dj - wj * pull, 0.0);
}
