// Values of elements at each particle: their sum over its mass, or the largest.
#import values

const SUM = 0u;     // otherwise `mode` is the component whose largest value is taken

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> element_starts: array<u32>;            // first entry of each particle, and the end
@group(0) @binding(2) var<storage, read> element_numbers: array<u32>;
@group(0) @binding(3) var<storage, read> gathered: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> inverse_masses: array<f32>;            // 0 without a mass [1/kg]
@group(0) @binding(5) var<storage, read_write> scalars: array<f32>;

const LARGEST = 3.4e38;     // what is not below it is no number

@compute @workgroup_size(64)
fn value_gather(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.particle_count { return; }
    var sum = 0.0;
    var most = 0.0;
    for (var s = element_starts[i]; s < element_starts[i + 1u]; s++) {
        let value = gathered[element_numbers[s]];
        let one = value[min(values.mode, 3u)];
        sum += value.x;
        most = select(most, max(most, one), one < LARGEST);
    }
    scalars[i] = select(most, sum * inverse_masses[i], values.mode == SUM);
}
