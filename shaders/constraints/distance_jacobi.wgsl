// One Jacobi iteration, one thread per particle: it gathers what its links ask for, and accelerates.
#import launch
#import world
#import distance_materials
#import distance_law

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<uniform> distance_materials: DistanceMaterials;
@group(0) @binding(3) var<storage, read> distance_starts: array<u32>;                // where each slice's cells begin, and one end
@group(0) @binding(4) var<storage, read> distance_slots: array<vec4<u32>>;           // four of j | material << 23
@group(0) @binding(5) var<storage, read> distance_rest: array<vec4<f32>>;            // four L [m]; four shape factors g
@group(0) @binding(6) var<storage, read> distance_lambdas: array<vec4<f32>>;         // four λ [N s²]
@group(0) @binding(7) var<storage, read_write> distance_lambdas_next: array<vec4<f32>>; // this iterate; holds the one before
@group(0) @binding(8) var<storage, read> positions: array<vec4<f32>>;                // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(9) var<storage, read> offsets: array<vec4<f32>>;                  // xyz [m], w = solver's 1/mass
@group(0) @binding(10) var<storage, read_write> offsets_next: array<vec4<f32>>;      // this iterate; holds the one before

const JACOBI_KEEP: u32 = 1u;       // λ is needed after this iteration
const JACOBI_SLICE: u32 = 8u;      // particles whose cells are stored together

// −n Δλ and Δλ of the link in a slot, as the particle at xi + oi sees it.
fn jacobi_slot(packed: u32, xi: vec3<f32>, oi: vec4<f32>, rest_length: f32, factor: f32, lambda: f32) -> vec4<f32> {
    let j = packed & DISTANCE_PARTICLE;
    let oj = offsets[j];
    let d = (positions[j].xyz - xi) + (oj.xyz - oi.xyz);
    let compliances = factor * distance_compliances(packed);
    let dl = world.relaxation * distance_law(d, oi.w + oj.w, rest_length, compliances, lambda, world.dt);
    return vec4<f32>(-dl.xyz, dl.w);
}

@compute @workgroup_size(64)
fn distance_jacobi(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let xi = positions[i];
    let oi = offsets[i];
    let accelerated = launch.weight != 1.0;
    var sum = vec3<f32>(0.0);
    let slice = i / JACOBI_SLICE;
    let end = distance_starts[slice + 1u];
    for (var row = distance_starts[slice]; row < end; row += JACOBI_SLICE) {
        let cell = row + i % JACOBI_SLICE;
        let slots = distance_slots[cell];
        let rest_lengths = distance_rest[2u * cell];
        let factors = distance_rest[2u * cell + 1u];
        var lambdas = vec4<f32>(0.0);
        if launch.index > 0u { lambdas = distance_lambdas[cell]; }
        let a = jacobi_slot(slots.x, xi.xyz, oi, rest_lengths.x, factors.x, lambdas.x);
        let b = jacobi_slot(slots.y, xi.xyz, oi, rest_lengths.y, factors.y, lambdas.y);
        let c = jacobi_slot(slots.z, xi.xyz, oi, rest_lengths.z, factors.z, lambdas.z);
        let d = jacobi_slot(slots.w, xi.xyz, oi, rest_lengths.w, factors.w, lambdas.w);
        sum = (((sum + a.xyz) + b.xyz) + c.xyz) + d.xyz;
        if (launch.flags & JACOBI_KEEP) != 0u {
            var next = lambdas + vec4<f32>(a.w, b.w, c.w, d.w);
            if accelerated {
                var before = vec4<f32>(0.0);
                if launch.index > 1u { before = distance_lambdas_next[cell]; }
                next = launch.weight * (next - before) + before;
            }
            distance_lambdas_next[cell] = next;
        }
    }
    var next = oi.xyz + sum * xi.w;
    if accelerated {
        let before = offsets_next[i].xyz;
        next = launch.weight * (next - before) + before;
    }
    offsets_next[i] = vec4<f32>(next, oi.w);
}
