// The largest value of the particles and the largest below zero, with integer atomics: positive floats sort as integers.
#import values

const LARGEST = 0x7f7fffffu;    // bits of the largest finite float

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> scalars: array<f32>;
@group(0) @binding(2) var<storage, read_write> value_bounds: array<atomic<u32>, 2>;  // bits of the highest and of −1 times the lowest; cleared to zero

@compute @workgroup_size(64)
fn value_range(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.particle_count { return; }
    let bits = bitcast<u32>(scalars[i]);
    let size = bits & 0x7fffffffu;
    if size <= LARGEST { atomicMax(&value_bounds[bits >> 31u], size); }
}
