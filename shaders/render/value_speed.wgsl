// The speed of each particle.
#import values

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> velocities: array<vec4<f32>>;          // xyz [m/s]
@group(0) @binding(2) var<storage, read_write> scalars: array<f32>;             // [m/s]

@compute @workgroup_size(64)
fn value_speed(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.particle_count { return; }
    scalars[i] = length(velocities[i].xyz);
}
