// The studio behind everything.
#import view
#import shading

@group(0) @binding(0) var<uniform> view: View;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) ndc: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) vertex: u32) -> Corner {
    let ndc = vec2(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0);
    return Corner(vec4(ndc, 0.0, 1.0), ndc);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return vec4(develop(backdrop(view_ray(corner.ndc)), corner.position.xy), 1.0);
}
