// The strain at each particle [%]: the mean of a mode over its triangles, or the largest of all its elements.
#import values

const PER_CENT = 100.0;

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> element_starts: array<u32>;            // first entry of each particle, and the end
@group(0) @binding(2) var<storage, read> element_numbers: array<u32>;
@group(0) @binding(3) var<storage, read> element_strains: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> scalars: array<f32>;             // [%]

@compute @workgroup_size(64)
fn value_strain(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.particle_count { return; }
    var sum = 0.0;
    var count = 0.0;
    var largest = 0.0;
    for (var s = element_starts[i]; s < element_starts[i + 1u]; s++) {
        let element = element_numbers[s];
        let strains = element_strains[element];
        largest = max(largest, strains.w);
        if element < values.sheet_count {
            sum += strains[min(values.mode, 2u)];
            count += 1.0;
        }
    }
    scalars[i] = PER_CENT * select(sum / max(count, 1.0), largest, values.mode == 3u);
}
