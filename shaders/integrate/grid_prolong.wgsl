// What a coarse level has found moves the fine one, one thread per fine row.
#import launch

const ARM: u32 = 0x80000000u;   // of a row: its weight has an arm

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> weight_starts: array<u32>;       // where each fine row's weights begin, and one end
@group(0) @binding(2) var<storage, read> weight_rows: array<u32>;         // coarse row and whether the weight has an arm
@group(0) @binding(3) var<storage, read> weights: array<f32>;             // w
@group(0) @binding(4) var<storage, read> arms: array<vec4<f32>>;          // d, xyz [m]
@group(0) @binding(5) var<storage, read> coarse: array<vec4<f32>>;        // y
@group(0) @binding(6) var<storage, read_write> guess: array<vec4<f32>>;   // x

@compute @workgroup_size(64)
fn grid_prolong(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var sum = guess[i].xyz;
    for (var s = weight_starts[i]; s < weight_starts[i + 1u]; s++) {
        let row = weight_rows[s];
        let place = row & ~ARM;
        var y = coarse[place].xyz;
        if (row & ARM) != 0u { y += cross(coarse[place + 1u].xyz, arms[s].xyz); }
        sum += weights[s] * y;
    }
    guess[i] = vec4<f32>(sum, 0.0);
}
