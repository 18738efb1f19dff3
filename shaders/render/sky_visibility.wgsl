// How much of one sky direction arrives at p, from the atlas of depth maps.
// The importing file declares `view`, `lights`, `sky_map` and `shadow_sampler`.

fn sky_visible(k: u32, p: vec3<f32>) -> f32 {
    let light = lights.sky[k];
    let place = light_place(light, p);
    if any(abs(place.xy) > vec2(0.98)) { return 1.0; }
    let side = view.maps.z;
    let tile = vec2<f32>(vec2(k % side, k / side));
    let uv = (tile + place.xy * vec2(0.5, -0.5) + 0.5) / f32(side);
    let depth = min(place.z, 1.0);
    // Four taps on a turned square, three texels wide: soft enough to hide that the sky has few directions.
    let texel = 0.5 * light.size.z / (light.size.x * f32(side));
    let a = vec2(0.6, 1.6) * texel;
    let b = vec2(a.y, -a.x);
    return 0.25 * (textureSampleCompareLevel(sky_map, shadow_sampler, uv + a, depth)
        + textureSampleCompareLevel(sky_map, shadow_sampler, uv + b, depth)
        + textureSampleCompareLevel(sky_map, shadow_sampler, uv - a, depth)
        + textureSampleCompareLevel(sky_map, shadow_sampler, uv - b, depth));
}
