// What a load does along a step of Newton's method, one thread each.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> load_forces: array<vec4<f32>>;       // xyz [N]
@group(0) @binding(2) var<storage, read> loaded: array<u32>;                  // particles
@group(0) @binding(3) var<storage, read> search_steps: array<vec4<f32>>;      // the step, xyz [m]; w = 1 while the search goes on
@group(0) @binding(4) var<storage, read_write> corner_energies: array<f32>;   // [J]

@compute @workgroup_size(64)
fn load_energy(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let p = loaded[k];
    if search_steps[p].w == 0.0 { return; }
    corner_energies[launch.base + k] = -dot(load_forces[k].xyz, search_steps[p].xyz);
}
