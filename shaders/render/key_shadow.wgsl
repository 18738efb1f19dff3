// Share of the key light that reaches p on a surface with normal n: percentage-closer soft shadows (Fernando 2005).
// The importing file declares `view`, `lights`, `key_map` and `shadow_sampler`.

const KEY_OFFSET_TEXELS = 1.6;     // along the normal, off the surface that would otherwise shade itself
const KEY_CONE = 0.3;               // blockers this little above the receiver's plane, per distance, are its own curvature
const KEY_WIDEST = 0.12;           // of the light's half width: the search must stay affordable

// Turns by the golden angle: steps of a spiral that fills the disc evenly, without a sine per step.
const GOLDEN_TURN = mat2x2(vec2(-0.7373688, 0.6754903), vec2(-0.6754903, -0.7373688));

// Interleaved gradient noise (Jimenez 2014): neighbouring pixels turn the disc differently.
fn pixel_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

fn key_visible(p: vec3<f32>, n: vec3<f32>, pixel: vec2<f32>) -> f32 {
    let light = lights.key;
    let extent = light.size.x;
    let toward = light.direction.xyz;
    let side = select(-n, n, dot(n, toward) >= 0.0);
    let place = light_place(light, p + side * (KEY_OFFSET_TEXELS * light.size.z));
    if any(abs(place.xy) > vec2(1.0)) { return 1.0; }
    let depth = place.z;
    let uv = place.xy * vec2(0.5, -0.5) + 0.5;

    let gradient = light_slope(light, side);
    let cone = KEY_CONE * extent / light.size.y;

    let turn = pixel_noise(pixel) * 6.2831853;
    let first = vec2(cos(turn), sin(turn));
    let softness = view.key_direction.w * light.size.y / extent;     // penumbra half width per unit of depth
    let widest = clamp(softness * min(depth, 1.0), 2.0 * light.size.z / extent, KEY_WIDEST);
    let resolution = vec2<f32>(textureDimensions(key_map));
    let search_taps = view.sampling.x;
    var blockers = 0.0;
    var blocker_depth = 0.0;
    var direction = first;
    for (var i = 0u; i < search_taps; i++) {
        let offset = direction * (widest * sqrt((f32(i) + 0.5) / f32(search_taps)));
        direction = GOLDEN_TURN * direction;
        let texel = vec2<i32>((uv + offset * vec2(0.5, -0.5)) * resolution);
        let stored = textureLoad(key_map, clamp(texel, vec2(0), vec2<i32>(resolution) - 1), 0);
        let expected = min(depth + dot(offset, gradient) - cone * length(offset), 1.0);
        if stored < expected {
            blockers += 1.0;
            blocker_depth += min(expected - stored, 1.0);
        }
    }
    if blockers == 0.0 { return 1.0; }
    if blockers == f32(search_taps) { return 0.0; }

    let penumbra = clamp(softness * blocker_depth / blockers, 1.5 * light.size.z / extent, widest);
    let taps = view.sampling.y;
    var lit = 0.0;
    direction = first;
    for (var i = 0u; i < taps; i++) {
        let offset = direction * (penumbra * sqrt((f32(i) + 0.5) / f32(taps)));
        direction = GOLDEN_TURN * direction;
        let expected = min(depth + dot(offset, gradient) - cone * length(offset), 1.0);
        lit += textureSampleCompareLevel(key_map, shadow_sampler, uv + offset * vec2(0.5, -0.5), expected);
    }
    return lit / f32(taps);
}
