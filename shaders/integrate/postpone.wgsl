// Gravity that belongs to a later velocity is taken back from the way of this substep, one thread per particle.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> corner_starts: array<u32>;          // where each particle's slots begin, and one end
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;       // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> offsets: array<vec4<f32>>;   // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn postpone(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if !(positions[i].w > 0.0 && corner_starts[i + 1u] > corner_starts[i]) { return; }
    let offset = offsets[i];
    offsets[i] = vec4<f32>(offset.xyz - (launch.weight * launch.dt * launch.dt) * world.gravity.xyz, offset.w);
}
