// The particles of a sheet follow the nodes of its finest coarse net, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> coarse_starts: array<u32>;           // where the shares of each row begin, and one end
@group(0) @binding(2) var<storage, read> coarse_shares: array<vec2<u32>>;     // node of the coarser net, bits of w
@group(0) @binding(3) var<storage, read> coarse_particles: array<u32>;        // of each row
@group(0) @binding(4) var<storage, read> coarse_moves: array<vec4<f32>>;      // d of each node, xyz [m]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;         // w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;     // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn coarse_move(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let row = launch.first + launch_id(id);
    let particle = coarse_particles[row];
    var sum = vec3<f32>();
    for (var s = coarse_starts[row]; s < coarse_starts[row + 1u]; s++) {
        let share = coarse_shares[s];
        sum += bitcast<f32>(share.y) * coarse_moves[share.x].xyz;
    }
    if positions[particle].w == 0.0 || dot(sum, sum) == 0.0 { return; }
    let offset = offsets[particle];
    offsets[particle] = vec4<f32>(offset.xyz + sum, offset.w);
}
