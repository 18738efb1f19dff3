// The solved change of velocity changes the way of each particle in this substep, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cg_changes: array<vec4<f32>>;      // Δv, xyz [m/s]
@group(0) @binding(2) var<storage, read_write> offsets: array<vec4<f32>>;   // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn cg_finish(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let offset = offsets[i];
    offsets[i] = vec4<f32>(offset.xyz + (launch.weight * launch.dt) * cg_changes[i].xyz, offset.w);
}
