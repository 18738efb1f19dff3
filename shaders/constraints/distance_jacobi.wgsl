// One Jacobi iteration, one thread per particle: it gathers what its links ask for, adds what the other
// constraints asked for, and accelerates.
#import launch
#import world
#import distance_law

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> distance_starts: array<u32>;
@group(0) @binding(3) var<storage, read> distance_slots: array<u32>;                 // j | material << 23
@group(0) @binding(4) var<storage, read> distance_materials: array<vec2<f32>>;       // α/g stretched, compressed [m/N]
@group(0) @binding(5) var<storage, read_write> distance_states: array<vec4<f32>>;    // L [m], g, λ, λ before
@group(0) @binding(6) var<storage, read> gathered: array<vec4<f32>>;                 // xyz [m], of other constraints
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;                // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read> offsets: array<vec4<f32>>;                  // xyz [m], w = solver's 1/mass
@group(0) @binding(9) var<storage, read_write> offsets_next: array<vec4<f32>>;       // this iterate; holds the one before

const JACOBI_KEEP: u32 = 1u;       // λ is needed after this iteration
const JACOBI_GATHERED: u32 = 4u;   // there are other constraints

@compute @workgroup_size(64)
fn distance_jacobi(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let xi = positions[i];
    let oi = offsets[i];
    var sum = vec3<f32>(0.0);
    for (var s = distance_starts[i]; s < distance_starts[i + 1u]; s++) {
        let packed = distance_slots[s];
        let j = packed & DISTANCE_PARTICLE;
        let oj = offsets[j];
        let d = (positions[j].xyz - xi.xyz) + (oj.xyz - oi.xyz);
        var state = distance_states[s];
        if launch.index == 0u {
            state.z = 0.0;
            state.w = 0.0;
        }
        let compliances = state.y * distance_materials[packed >> DISTANCE_SHIFT];
        let dl = world.relaxation * distance_law(d, oi.w + oj.w, state.x, compliances, state.z, world.dt);
        sum -= dl.xyz;
        if (launch.flags & JACOBI_KEEP) != 0u {
            let next = launch.weight * (state.z + dl.w - state.w) + state.w;
            distance_states[s] = vec4<f32>(state.xy, next, state.z);
        }
    }
    sum *= xi.w;
    if (launch.flags & JACOBI_GATHERED) != 0u { sum += gathered[i].xyz; }
    var next = oi.xyz + sum;
    if launch.weight != 1.0 {
        let before = offsets_next[i].xyz;
        next = launch.weight * (next - before) + before;
    }
    offsets_next[i] = vec4<f32>(next, oi.w);
}
