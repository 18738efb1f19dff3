// Light from the open sky on the ground, as a small texture around the scene: the soft shadow where things rest.
#import view
#import lights
#import ground_plane
#import sky_visibility

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> lights: Lights;
@group(0) @binding(2) var sky_map: texture_depth_2d;
@group(0) @binding(3) var shadow_sampler: sampler_comparison;
@group(0) @binding(4) var ground_light: texture_storage_2d<rgba16float, write>;

const SPREAD = 0.025;     // of a direction's whole width

@compute @workgroup_size(8, 8)
fn ground_sky(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(ground_light);
    if any(id.xy >= size) { return; }
    let uv = (vec2<f32>(id.xy) + 0.5) / vec2<f32>(size);
    let p = ground_point(uv);
    let spread = SPREAD * f32(view.maps.y);
    var sum = 0.0;
    var open = 0.0;
    for (var k = 0u; k < view.counts.w; k++) {
        let direction = lights.sky[k].direction;
        let weight = direction.w * dot(view.up.xyz, direction.xyz);
        let start = p + direction.xyz * (0.5 * lights.sky[k].size.z);
        sum += weight * 0.5 * (sky_visible(k, start, view.up.xyz, spread) + sky_visible(k, start, view.up.xyz, 0.45 * spread));
        open += weight;
    }
    textureStore(ground_light, id.xy, vec4(sum / open, 0.0, 0.0, 1.0));
}
