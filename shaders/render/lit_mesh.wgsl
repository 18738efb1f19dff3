// Dense meshes in haste: their vertices are lit already. A triangle of a pixel or two is not worth shading in each of them.
#import view

@group(0) @binding(0) var<uniform> view: View;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) front: vec3<f32>,
    @location(1) behind: vec3<f32>,
}

@vertex
fn vertex(@location(0) place: vec4<f32>, @location(1) front: vec4<f32>, @location(2) behind: vec4<f32>) -> Corner {
    return Corner(view.clip_from_world * vec4(place.xyz, 1.0), front.rgb, behind.rgb);
}

@fragment
fn fragment(corner: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    return vec4(select(corner.behind, corner.front, front), 1.0);
}
