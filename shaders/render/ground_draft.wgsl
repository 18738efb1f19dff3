// The floor of a draft: its light once for a few pixels, which mix what they find and add the grid.
#import view
#import lights
#import shading
#import key_shadow
#import ground_plane
#import ground_light

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var key_map: texture_depth_2d;
@group(0) @binding(3) var shadow_sampler: sampler_comparison;
@group(0) @binding(4) var ground_light_map: texture_2d<f32>;
@group(0) @binding(5) var ground_sampler: sampler;
@group(0) @binding(6) var ground_draft_light: texture_storage_2d<rgba16float, write>;    // radiance, over the whole picture

@compute @workgroup_size(8, 8)
fn ground_draft(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(ground_draft_light);
    if any(id.xy >= size) { return; }
    let uv = (vec2<f32>(id.xy) + 0.5) / vec2<f32>(size);
    let ray = view_ray((uv * 2.0 - 1.0) * vec2(1.0, -1.0));
    let up = view.up.xyz;
    let away = (view.up.w - dot(up, view.eye.xyz)) / dot(up, ray);
    var radiance = backdrop(ray);
    if away > 0.0 {
        let p = view.eye.xyz + ray * away;
        // No noise, which would be as coarse as this map, but twice the samples.
        let key = 0.5 * (key_visible(p, up, vec2(0.0)) + key_visible(p, up, vec2(1.0, 0.0)));
        radiance = ground_radiance(p, -ray, ground_uv(p), view.ground_colour.rgb, key, ground_far(p));
    }
    textureStore(ground_draft_light, id.xy, vec4(radiance, 1.0));
}
