// One iteration of every contact, one thread each: its impulse, and how much that has changed.
#import launch
#import touch

@group(0) @binding(0) var<uniform> launch: Launch;   // weight: κ
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;               // four corners
@group(0) @binding(2) var<storage, read> touch_planes: array<vec4<f32>>;       // n, g [m]
@group(0) @binding(3) var<storage, read> touch_weights: array<vec4<f32>>;      // of the four corners
@group(0) @binding(4) var<storage, read> touch_laws: array<vec4<f32>>;         // thickness [m], static and kinetic friction, core [m]
@group(0) @binding(5) var<storage, read> touch_shares: array<f32>;             // sum of |a| over the contacts of each particle
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;            // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read_write> touch_impulses: array<vec4<f32>>;   // tangential, normal [kg m]; change of their sum, α̃ or 0

const PUSH_PARTICLE: u32 = 0x3fffffffu;
const PUSH_BEGIN: u32 = 1u;

@compute @workgroup_size(64)
fn touch_push(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let begins = (launch.flags & PUSH_BEGIN) != 0u;
    let tilde_before = touch_impulses[2u * k + 1u].w;
    if !begins && tilde_before == 0.0 { return; }
    let p = near[k] & vec4<u32>(PUSH_PARTICLE);
    let a = touch_weights[k];
    let plane = touch_planes[k];
    let law = touch_laws[k];
    var moved = vec3<f32>(0.0);
    var weight = 0.0;
    for (var c = 0u; c < 4u; c++) {
        moved += offsets[p[c]].xyz * a[c];
        weight += abs(a[c]) * positions[p[c]].w * touch_shares[p[c]];
    }
    let n = plane.xyz;
    if begins {
        var tilde = 0.0;
        var first = vec4<f32>(0.0);
        if weight > 0.0 && touch_part(plane.w, dot(n, moved), law.x) > 0.0 {
            tilde = max(weight / launch.weight, tilde_before);
            first = touch_begin(plane, tilde, touch_impulses[2u * k].xyz, law.y);
        }
        touch_impulses[2u * k] = first;
        touch_impulses[2u * k + 1u] = vec4<f32>(n * first.w + first.xyz, tilde);
        return;
    }
    let old = touch_impulses[2u * k];
    let tilde = tilde_before;
    let way_out = TOUCH_RECOVERY * law.x * launch.dt;
    let after = touch_project(old, plane, moved, weight, tilde, way_out, law.yz);
    touch_impulses[2u * k] = after;
    touch_impulses[2u * k + 1u] = vec4<f32>(n * (after.w - old.w) + (after.xyz - old.xyz), tilde);
}
