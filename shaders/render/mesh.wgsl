// Cloth, the skins of solids, and colliders. The instance number is the body's.
#import view
#import lights
#import shading
#import key_shadow
#import colour_map

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> skies: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> scalars: array<f32>;
@group(0) @binding(6) var<storage, read> bodies: array<vec4<f32>>;     // albedo, w: 1 for cloth
@group(0) @binding(7) var key_map: texture_depth_2d;
@group(0) @binding(8) var shadow_sampler: sampler_comparison;

const BACK_TINT = vec3(0.80, 0.82, 0.86);     // the reverse of a fabric is a little duller and cooler

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) light: vec3<f32>,                       // of the sky on either side, and of the key light or below zero
    @location(3) scalar: vec2<f32>,                      // x: place in the colour map, y: 1 to use it
    @location(4) @interpolate(flat) body: vec4<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Corner {
    let p = vertices[vertex].xyz;
    var scalar = vec2(0.0);
    if view.scalar_range.z > 0.0 && vertex < min(view.counts.x, arrayLength(&scalars)) {
        scalar = vec2((scalars[vertex] - view.scalar_range.x) * view.scalar_range.y, 1.0);
    }
    return Corner(view.clip_from_world * vec4(p, 1.0), p, normals[vertex].xyz, skies[vertex].xyz, scalar, bodies[instance]);
}

@fragment
fn fragment(corner: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let pixel = corner.position.xy;
    let to_eye = normalize(view.eye.xyz - corner.place);
    let side = select(-1.0, 1.0, front);
    let length = length(corner.normal);
    var normal = select(to_eye, corner.normal * (side / length), length > 0.0);
    // At a silhouette the smooth normal may look away although the triangle does not.
    let facing = dot(normal, to_eye);
    if facing < 0.0 { normal = normalize(normal - to_eye * (1.02 * facing)); }

    let cloth = corner.body.w;
    let own = corner.body.rgb * select(vec3(1.0), BACK_TINT, !front && cloth > 0.0);
    let albedo = mix(own, colour_map(corner.scalar.x), corner.scalar.y);
    let sky = select(corner.light.y, corner.light.x, front);
    var key = corner.light.z;
    if key < 0.0 { key = key_visible(corner.place, normal, pixel); }
    let surface = Surface(albedo, normal, to_eye, key, sky, cloth, 1.0 - cloth);
    return vec4(develop(shade(surface), pixel), 1.0);
}
