// How much of one sky direction arrives at p on a surface with this normal, from the atlas of depth maps.
// The importing file declares `view`, `lights`, `sky_map` and `shadow_sampler`.

// `normal` is turned towards the direction, or zero for something without sides. `spread` [texel] blurs the
// direction's hard shadow: the sky has few directions, and this hides it. Zero asks for a single sample.
fn sky_visible(k: u32, p: vec3<f32>, normal: vec3<f32>, spread: f32) -> f32 {
    let light = lights.sky[k];
    let place = light_place(light, p);
    if any(abs(place.xy) > vec2(0.96)) { return 1.0; }
    let gradient = light_slope(light, normal);
    if spread == 0.0 { return sky_tap(k, place, vec2(0.0), gradient); }
    let a = vec2(0.35, 0.94) * (spread * light.size.z / light.size.x);
    let b = vec2(a.y, -a.x);
    return 0.25 * (sky_tap(k, place, a, gradient) + sky_tap(k, place, b, gradient)
        + sky_tap(k, place, -a, gradient) + sky_tap(k, place, -b, gradient));
}

fn sky_tap(k: u32, place: vec3<f32>, offset: vec2<f32>, gradient: vec2<f32>) -> f32 {
    let side = view.maps.z;
    let tile = vec2<f32>(vec2(k % side, k / side));
    let within = clamp((place.xy + offset) * vec2(0.5, -0.5) + 0.5, vec2(0.0), vec2(1.0));
    let depth = min(place.z + dot(offset, gradient), 1.0);
    return textureSampleCompareLevel(sky_map, shadow_sampler, (tile + within) / f32(side), depth);
}
