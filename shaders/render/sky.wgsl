// Light from the open sky on both sides of every mesh vertex: ambient occlusion from real visibility. Where meshes are
// dense and time is short, also the share of the key light.
#import view
#import lights
#import sky_visibility
#import key_shadow

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> skies: array<vec4<f32>>;     // along the normal and against it: 1 faces an open sky; z: share of the key light, or below zero
@group(0) @binding(5) var sky_map: texture_depth_2d;
@group(0) @binding(6) var key_map: texture_depth_2d;
@group(0) @binding(7) var shadow_sampler: sampler_comparison;

const SPREAD = 1.7;
const OFFSET_TEXELS = 1.5;     // a vertex looks from this far off its own surface

@compute @workgroup_size(64)
fn sky(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= view.counts.y { return; }
    let p = vertices[i].xyz;
    let normal = normals[i].xyz;
    let radius = normals[i].w;
    let loose = all(normal == vec3(0.0));     // a point or a line has no side
    let spread = select(SPREAD, 0.0, view.maps.w == 1u);     // neighbours of a dense mesh blur it
    var sum = vec2(0.0);
    var open = 0.0;
    for (var k = 0u; k < view.counts.w; k++) {
        let direction = lights.sky[k].direction;
        let texel = lights.sky[k].size.z;
        let cosine = dot(normal, direction.xyz);
        let side = normal * sign(cosine);
        let offset = select(side + direction.xyz, direction.xyz * (1.0 + radius / texel), loose);
        let light = direction.w * sky_visible(k, p + offset * OFFSET_TEXELS * texel, side, spread);
        sum += light * select(max(vec2(cosine, -cosine), vec2(0.0)), vec2(0.5), loose);
        open += direction.w * select(dot(view.up.xyz, direction.xyz), 0.5, loose);
    }
    var key = -1.0;
    if view.maps.w == 1u && i < view.counts.x { key = key_visible(p, normal, vec2(0.0)); }
    skies[i] = vec4(sum / open, key, 0.0);
}
