// Cloth, the skins of solids, and colliders. The instance number is the body's.
#import view
#import lights
#import shading
#import fabric
#import key_shadow
#import colour_map

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var<storage, read> scalars: array<f32>;
@group(0) @binding(3) var<storage, read> bodies: array<vec4<f32>>;     // albedo, w: 1 for cloth
@group(0) @binding(4) var key_map: texture_depth_2d;
@group(0) @binding(5) var shadow_sampler: sampler_comparison;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) sky: vec2<f32>,                         // on either side
    @location(3) scalar: vec2<f32>,                      // x: place in the colour map, y: 1 to use it
    @location(4) @interpolate(flat) body: vec4<f32>,
}

@vertex
fn vertex(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) instance: u32,
    @location(0) place: vec4<f32>,
    @location(1) normal: vec4<f32>,
    @location(2) sky: vec4<f32>,
) -> Corner {
    let p = place.xyz;
    var scalar = vec2(0.0);
    if view.scalar_range.z > 0.0 && vertex < min(view.counts.x, arrayLength(&scalars)) {
        scalar = vec2((scalars[vertex] - view.scalar_range.x) * view.scalar_range.y, 1.0);
    }
    return Corner(view.clip_from_world * vec4(p, 1.0), p, normal.xyz, sky.xy, scalar, bodies[instance]);
}

@fragment
fn fragment(corner: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let pixel = corner.position.xy;
    let to_eye = normalize(view.eye.xyz - corner.place);
    let normal = surface_normal(corner.normal, select(-1.0, 1.0, front), to_eye);
    let own = select(fabric_back(corner.body), corner.body.rgb, front);
    let albedo = mix(own, colour_map(corner.scalar.x), corner.scalar.y);
    let sky = select(corner.sky.y, corner.sky.x, front);
    let key = key_visible(corner.place, normal, pixel);
    return vec4(develop(shade(fabric(corner.body.w, albedo, normal, to_eye, key, sky)), pixel), 1.0);
}
