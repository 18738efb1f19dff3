// Depth of lines and points as a light sees them: an octagon around the axis, at the depth of the axis.
// The instances of light l are l · capsules … (l + 1) · capsules.
#import view
#import lights

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> capsules: array<vec4<u32>>;     // ends, body, radius [m] as bits

@vertex
fn shadow_capsule(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> @builtin(position) vec4<f32> {
    let number = instance / view.counts.z;
    let capsule = capsules[instance % view.counts.z];
    let a = vertices[capsule.x];
    let b = vertices[capsule.y];
    let radius = bitcast<f32>(capsule.w) * min(a.w, b.w);
    var light = lights.key;
    if number > 0u { light = lights.sky[number - 1u]; }
    let start = light_place(light, a.xyz);
    let end = light_place(light, b.xyz);
    let along = end.xy - start.xy;
    let length = length(along);
    let direction = select(vec2(1.0, 0.0), along / length, length > 1e-3 * radius / light.size.x);
    // A fan of six triangles over eight corners: four around the end, four around the start.
    let triangle = vertex / 3u;
    let corner = select(triangle + vertex % 3u, 0u, vertex % 3u == 0u);
    let at_end = corner < 4u;
    let angle = (f32(corner) - select(5.5, 1.5, at_end)) * radians(60.0) + select(radians(180.0), 0.0, at_end);
    let offset = cos(angle) * direction + sin(angle) * vec2(-direction.y, direction.x);
    let centre = select(start, end, at_end);
    return vec4(centre.xy + offset * radius / light.size.x, centre.z, 1.0);
}
