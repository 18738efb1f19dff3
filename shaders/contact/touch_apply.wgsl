// Moves each particle by the changes of the impulses at it, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> touch_starts: array<u32>;            // where each particle's slots begin
@group(0) @binding(2) var<storage, read> touch_slots: array<vec2<u32>>;       // particle, 4 pair + corner
@group(0) @binding(3) var<storage, read> touch_weights: array<vec4<f32>>;      // of the four corners
@group(0) @binding(4) var<storage, read> touch_impulses: array<vec4<f32>>;     // tangential, normal [kg m]; change of their sum, α̃
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> touch_shares: array<f32>;             // sum of |a| over the contacts of each particle
@group(0) @binding(7) var<storage, read_write> touch_bases: array<vec4<f32>>;  // xyz before obstacles push [m]
@group(0) @binding(8) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass

const APPLY_RESTART: u32 = 1u;

@compute @workgroup_size(64)
fn touch_apply(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var sum = vec3<f32>(0.0);
    let room = arrayLength(&touch_slots);
    // Where no contact takes part there is nothing to add up.
    let end = select(0u, min(touch_starts[i + 1u], room), touch_shares[i] > 0.0);
    for (var s = min(touch_starts[i], room); s < end; s++) {
        let slot = touch_slots[s].y;
        sum += touch_impulses[2u * (slot / 4u) + 1u].xyz * touch_weights[slot / 4u][slot % 4u];
    }
    let offset = offsets[i];
    var base = offset;
    if (launch.flags & APPLY_RESTART) == 0u { base = touch_bases[i]; }
    let moved = vec4<f32>(base.xyz + sum * positions[i].w, offset.w);
    touch_bases[i] = moved;
    offsets[i] = moved;
}
