// Light that the floor sends to the eye; it dissolves into the backdrop towards the horizon.
// The importing file declares `view`, `ground_light_map` and `ground_sampler`.

const FADE_START = 1.0;       // in viewing distances from the focus
const FADE_END = 7.0;

fn ground_far(p: vec3<f32>) -> f32 {
    return distance(p, view.focus.xyz) / view.focus.w;
}

// `uv` is the place in the map of the sky's light, `key` the share of the key light, `far` the distance from the focus.
fn ground_radiance(p: vec3<f32>, to_eye: vec3<f32>, uv: vec2<f32>, albedo: vec3<f32>, key: f32, far: f32) -> vec3<f32> {
    let inside = min(min(uv.x, 1.0 - uv.x), min(uv.y, 1.0 - uv.y));
    let sky = mix(1.0, textureSampleLevel(ground_light_map, ground_sampler, uv, 0.0).r, smoothstep(0.0, 0.12, inside));
    let surface = Surface(albedo, view.up.xyz, to_eye, key, sky, 0.0, 0.0);
    return mix(shade(surface), backdrop(-to_eye), smoothstep(FADE_START, FADE_END, far));
}
