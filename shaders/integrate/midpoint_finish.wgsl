// Implicit midpoint, after the substep: the second half of gravity and of the solved change, one thread per particle.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> corner_starts: array<u32>;             // where each particle's slots begin, and one end
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> cg_changes: array<vec4<f32>>;         // Δv, xyz [m/s]
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;   // xyz [m/s]

@compute @workgroup_size(64)
fn midpoint_finish(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if !(positions[i].w > 0.0 && corner_starts[i + 1u] > corner_starts[i]) { return; }
    let v = velocities[i];
    velocities[i] = vec4<f32>(v.xyz + 0.5 * (launch.dt * world.gravity.xyz + cg_changes[i].xyz), v.w);
}
