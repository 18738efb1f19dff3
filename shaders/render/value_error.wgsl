// How far the last iteration of a step still moved each particle.
#import values

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> offsets_before: array<vec4<f32>>;      // xyz [m]
@group(0) @binding(2) var<storage, read> offsets_after: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> scalars: array<f32>;             // [m]

@compute @workgroup_size(64)
fn value_error(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.particle_count { return; }
    scalars[i] = distance(offsets_before[i].xyz, offsets_after[i].xyz);
}
