// One Jacobi iteration, one thread per particle: it gathers what its links ask for, and accelerates.
#import launch
#import world
#import jacobi_links

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> distance_starts: array<u32>;                // where each slice's cells begin, and one end
@group(0) @binding(3) var<storage, read> distance_slots: array<vec4<u32>>;           // four j
@group(0) @binding(4) var<storage, read> distance_rest: array<vec4<f32>>;            // four L [m]; four α stretched, four compressed [m/N]
@group(0) @binding(5) var<storage, read> distance_lambdas: array<vec4<f32>>;         // four λ [N s²]
@group(0) @binding(6) var<storage, read_write> distance_lambdas_next: array<vec4<f32>>; // this iterate; holds the one before
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;                // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read> offsets: array<vec4<f32>>;                  // xyz [m], w = solver's 1/mass
@group(0) @binding(9) var<storage, read_write> offsets_next: array<vec4<f32>>;       // this iterate; holds the one before

const JACOBI_KEEP: u32 = 1u;       // λ is needed after this iteration

// Of `launch`, see `jacobi_sum`.
var<private> jacobi_index: u32;
var<private> jacobi_keeps: bool;
var<private> jacobi_weight: f32;

fn jacobi_lambdas(cell: u32) -> vec4<f32> {
    if jacobi_index == 0u { return vec4<f32>(0.0); }
    return distance_lambdas[cell];
}

fn jacobi_keep(cell: u32, lambdas: vec4<f32>) {
    if !jacobi_keeps { return; }
    var next = lambdas;
    if jacobi_weight != 1.0 {
        var before = vec4<f32>(0.0);
        if jacobi_index > 1u { before = distance_lambdas_next[cell]; }
        next = jacobi_weight * (next - before) + before;
    }
    distance_lambdas_next[cell] = next;
}

@compute @workgroup_size(64)
fn distance_jacobi(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    jacobi_index = launch.index;
    jacobi_keeps = (launch.flags & JACOBI_KEEP) != 0u;
    jacobi_weight = launch.weight;
    let xi = positions[i];
    let oi = offsets[i];
    var next = oi.xyz + jacobi_sum(i, xi, oi) * xi.w;
    if jacobi_weight != 1.0 {
        let before = offsets_next[i].xyz;
        next = jacobi_weight * (next - before) + before;
    }
    offsets_next[i] = vec4<f32>(next, oi.w);
}
