// Values of the particles, carried to what else is drawn: detailed surfaces and stripes.
#import values

struct Carried {
    corners: vec4<u32>,
    weights: vec4<f32>,
}

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> carried: array<Carried>;
@group(0) @binding(2) var<storage, read_write> scalars: array<f32>;

@compute @workgroup_size(64)
fn value_carry(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    let place = values.particle_count + i;
    if i >= arrayLength(&carried) || place >= arrayLength(&scalars) { return; }
    let source = carried[i];
    let v = vec4(scalars[source.corners.x], scalars[source.corners.y], scalars[source.corners.z], scalars[source.corners.w]);
    // A vertex outside its tetrahedron takes its corners' range.
    let low = min(min(v.x, v.y), min(v.z, v.w));
    let high = max(max(v.x, v.y), max(v.z, v.w));
    scalars[place] = clamp(dot(v, source.weights), low, high);
}
