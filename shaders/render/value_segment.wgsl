// Energy and stress of each segment of a rod. The same as src/model/rod_measure.rs on the host.
#import values
#import frame

struct Segment {
    particles: vec2<u32>,
    frame: u32,
    penalised: u32,          // 1 if its frame is kept along it by a penalty
    half_stiffness: vec4<f32>,   // ½ over the compliance of shear (twice) and stretch [N/m], w: length [m]
    stress: vec4<f32>,      // x: over the stretch [Pa/m]
}

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(2) var<storage, read> frames: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> segments: array<Segment>;
@group(0) @binding(4) var<storage, read_write> element_values: array<vec4<f32>>;    // a particle's share of the energy [J], stress [Pa], stretch [J/m]

@compute @workgroup_size(64)
fn value_segment(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.segment_count { return; }
    let segment = segments[i];
    let q = frame_orientation(segment.frame);
    let length_0 = segment.half_stiffness.w;
    let d = positions[segment.particles.y].xyz - positions[segment.particles.x].xyz;
    let strain = frame_turn(frame_back(q), d) - vec3(0.0, 0.0, length_0);
    var energy = dot(segment.half_stiffness.xyz, strain * strain);
    if segment.penalised == 1u {
        let axis = frame_turn(q, vec3(0.0, 0.0, 1.0));
        let size = length(d);
        let aside = length_0 * (select(axis, d / size, size > 0.0) - axis);
        let longer = size - length_0;
        energy = segment.half_stiffness.x * dot(aside, aside) + segment.half_stiffness.z * longer * longer;
    }
    let place = values.held_count + values.tet_count + i;
    element_values[place] = vec4(0.5 * energy, abs(strain.z * segment.stress.x), energy / length_0, 0.0);
}
