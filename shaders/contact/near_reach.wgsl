// How far each corner may come in this substep, and whether the list still holds for it; one thread per corner.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;   // weight: the share of its radius that a corner may use
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(2) var<storage, read> offsets: array<vec4<f32>>;                 // xyz [m]
@group(0) @binding(3) var<storage, read> contact_rest: array<vec4<f32>>;            // xyz at the start [m], w = ρ [m]
@group(0) @binding(4) var<storage, read> near_made: array<vec4<f32>>;               // xyz when the list was made, w = B [m]
@group(0) @binding(5) var<storage, read_write> contact_reaches: array<vec2<f32>>;   // reach [m], b [m]
@group(0) @binding(6) var<storage, read_write> near_due: array<atomic<u32>>;        // whether a list is due, by motion; by a new step

const REACH_EXPONENT: u32 = 0x7f800000u;

@compute @workgroup_size(64)
fn near_reach(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let i = launch.first + k;
    let radius = contact_rest[i].w;
    let x = positions[i].xyz;
    let budget = 1.5 * length(offsets[i].xyz) + launch.weight * radius;
    // Comparisons may be compiled as if nothing were infinite; the bits of the exponent cannot.
    let exponents = bitcast<vec4<u32>>(vec4<f32>(x, budget)) & vec4<u32>(REACH_EXPONENT);
    let finite = all(exponents != vec4<u32>(REACH_EXPONENT));
    contact_reaches[i] = select(vec2<f32>(-1.0, 0.0), vec2<f32>(radius + budget, budget), finite);
    let made = near_made[i];
    if finite && length(x - made.xyz) + budget > made.w { atomicMax(&near_due[0], 1u); }
}
