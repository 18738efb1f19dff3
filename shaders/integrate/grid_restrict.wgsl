// What is left on a fine level becomes the right side of the next one, one thread per coarse row.
#import launch
#import block3

const ARM: u32 = 0x80000000u;   // of a row: its weight has an arm

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> part_starts: array<u32>;         // where each coarse row's parts begin, and one end
@group(0) @binding(2) var<storage, read> parts: array<vec2<u32>>;         // fine row and whether it has an arm, weight
@group(0) @binding(3) var<storage, read> weights: array<f32>;             // w
@group(0) @binding(4) var<storage, read> arms: array<vec4<f32>>;          // d, xyz [m]
@group(0) @binding(5) var<storage, read> fine: array<vec4<f32>>;          // r
@group(0) @binding(6) var<storage, read> smoothers: array<vec4<f32>>;     // S: xx, yy, zz; xy, yz, zx, two per row
@group(0) @binding(7) var<storage, read_write> right: array<vec4<f32>>;   // b
@group(0) @binding(8) var<storage, read_write> guess: array<vec4<f32>>;   // x

@compute @workgroup_size(64)
fn grid_restrict(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var sum = vec3<f32>(0.0);
    for (var s = part_starts[i]; s < part_starts[i + 1u]; s++) {
        let part = parts[s];
        var r = fine[part.x & ~ARM].xyz;
        if (part.x & ARM) != 0u { r = cross(arms[part.y].xyz, r); }
        sum += weights[part.y] * r;
    }
    right[i] = vec4<f32>(sum, 0.0);
    guess[i] = vec4<f32>(block3_multiply(smoothers[2u * i].xyz, smoothers[2u * i + 1u].xyz, sum), 0.0);
}
