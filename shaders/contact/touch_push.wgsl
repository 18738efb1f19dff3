// One iteration of every contact, one thread each: its impulse, and how much that has changed.
#import launch
#import touch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(2) var<storage, read> touch_planes: array<vec4<f32>>;       // n, g [m]
@group(0) @binding(3) var<storage, read> touch_weights: array<vec4<f32>>;      // of the four corners
@group(0) @binding(4) var<storage, read> touch_laws: array<vec4<f32>>;         // thickness [m], static and kinetic friction, α̃ [1/kg]
@group(0) @binding(5) var<storage, read> touch_shares: array<f32>;             // number of contacts of each particle
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;            // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read_write> touch_impulses: array<vec4<f32>>;   // tangential, normal [kg m]; change of their sum

const PUSH_PARTICLE: u32 = 0x3fffffffu;

@compute @workgroup_size(64)
fn touch_push(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let p = near[k] & vec4<u32>(PUSH_PARTICLE);
    let a = touch_weights[k];
    let plane = touch_planes[k];
    let law = touch_laws[k];
    var old = vec4<f32>(0.0);
    if launch.index > 0u { old = touch_impulses[2u * k]; }
    var moved = vec3<f32>(0.0);
    var weight = 0.0;
    for (var c = 0u; c < 4u; c++) {
        moved += offsets[p[c]].xyz * a[c];
        weight += a[c] * a[c] * positions[p[c]].w * touch_shares[p[c]];
    }
    if !(weight > 0.0 && touch_acts(old.w, plane.w, dot(plane.xyz, moved))) {
        touch_impulses[2u * k] = old;
        touch_impulses[2u * k + 1u] = vec4<f32>(0.0);
        return;
    }
    let after = touch_project(old, plane.xyz, plane.w, moved, weight, law.w, law.yz);
    touch_impulses[2u * k] = after;
    touch_impulses[2u * k + 1u] = vec4<f32>(plane.xyz * (after.w - old.w) + (after.xyz - old.xyz), 0.0);
}
