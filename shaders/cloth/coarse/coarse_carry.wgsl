// What the nodes of a coarse net have moved moves those of the next finer one, one thread per node of that.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> coarse_starts: array<u32>;               // where the shares of each row begin, and one end
@group(0) @binding(2) var<storage, read> coarse_shares: array<vec2<u32>>;         // node of the coarser net, bits of w
@group(0) @binding(3) var<storage, read_write> coarse_moves: array<vec4<f32>>;    // d of each node, xyz [m]

@compute @workgroup_size(64)
fn coarse_carry(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let row = launch.first + launch_id(id);
    var sum = vec3<f32>();
    for (var s = coarse_starts[row]; s < coarse_starts[row + 1u]; s++) {
        let share = coarse_shares[s];
        sum += bitcast<f32>(share.y) * coarse_moves[share.x].xyz;
    }
    coarse_moves[row] = vec4<f32>(sum, 0.0);
}
