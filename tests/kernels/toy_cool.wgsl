// Embers cool at their own rates, one thread per ember.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> ember_cooling: array<f32>;         // [1/s]
@group(0) @binding(2) var<storage, read_write> temperature: array<f32>;     // above the surroundings [K]

@compute @workgroup_size(64)
fn cool(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    temperature[i] = temperature[i] - launch.dt * ember_cooling[i] * temperature[i];
}
