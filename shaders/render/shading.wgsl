// Light on surfaces, and from radiance to the screen. The importing file declares `view`.

const ROUGHNESS = 0.6;             // σ of the Oren–Nayar microfacets [rad], that of woven cotton
const TRANSMITTED = 0.22;          // of the key light that shines through thin cloth
const SHEEN = 0.16;                // grazing light from standing fibres
const GLOSS = 0.06;                // strength of a solid's highlight
const FIBRE_TINT = vec3(1.0, 0.97, 0.93);

struct Surface {
    albedo: vec3<f32>,
    normal: vec3<f32>,             // unit, towards the viewer
    to_eye: vec3<f32>,             // unit
    key: f32,                      // visible share of the key light
    sky: f32,                      // light of the sky, 1 under an open one
    cloth: f32,                    // 1: thin and fibrous, 0: opaque
    gloss: f32,                    // 1: smooth enough for a faint broad highlight
}

// Oren–Nayar in the qualitative form of Fujii: cheap, and without the dark ring of the original.
fn rough_diffuse(cos_light: f32, cos_eye: f32, cos_between: f32) -> f32 {
    let s = cos_between - cos_light * cos_eye;
    let t = select(1.0, max(cos_light, cos_eye), s > 0.0);
    let a = 1.0 / (1.0 + (0.5 - 2.0 / (3.0 * 3.14159265)) * ROUGHNESS);
    return cos_light * a * (1.0 + ROUGHNESS * s / max(t, 1e-3));
}

fn shade(surface: Surface) -> vec3<f32> {
    let to_light = view.key_direction.xyz;
    let cosine = dot(surface.normal, to_light);
    let cos_light = max(cosine, 0.0);
    let cos_eye = clamp(dot(surface.normal, surface.to_eye), 0.0, 1.0);
    let direct = rough_diffuse(cos_light, cos_eye, dot(to_light, surface.to_eye));
    let through = TRANSMITTED * surface.cloth * max(-cosine, 0.0);

    // The floor lights what faces it, less so in the dark under a body.
    let down = 0.5 - 0.5 * dot(surface.normal, view.up.xyz);
    let ambient = view.sky_colour.rgb * surface.sky + view.bounce_colour.rgb * (down * (0.35 + 0.65 * surface.sky));

    let rim = (1.0 - cos_eye) * (1.0 - cos_eye);
    let grazing = rim * rim;
    let sheen = SHEEN * grazing * surface.cloth;
    let key = view.key_colour.rgb * surface.key;

    let halfway = normalize(to_light + surface.to_eye);
    let gloss = surface.gloss * GLOSS * pow(max(dot(surface.normal, halfway), 0.0), 24.0) * cos_light;

    // Light that enters a thread leaves it a little more saturated.
    let deep = surface.albedo * mix(vec3(1.0), surface.albedo, 0.4);
    return surface.albedo * (key * direct + ambient) + deep * key * through
        + FIBRE_TINT * sheen * (key * (0.3 + 0.7 * cos_light) + ambient) + key * gloss;
}

fn backdrop(direction: vec3<f32>) -> vec3<f32> {
    let height = dot(direction, view.up.xyz);
    return mix(view.backdrop_low.rgb, view.backdrop_high.rgb, smoothstep(-0.05, 0.75, height));
}

fn view_ray(ndc: vec2<f32>) -> vec3<f32> {
    return normalize(view.forward.xyz + ndc.x * view.right.xyz + ndc.y * view.upward.xyz);
}

// A filmic curve fitted to: slope 0.8 in the blacks, middle grey 0.18 kept, 1.0 shown as 0.78, 1 approached.
fn tone(x: vec3<f32>) -> vec3<f32> {
    return x * (2.113 * x + 0.8) / (x * (2.113 * x + 0.6216) + 1.0);
}

fn encode_srgb(x: vec3<f32>) -> vec3<f32> {
    return select(1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, 12.92 * x, x <= vec3(0.0031308));
}

fn shown_linear(radiance: vec3<f32>) -> vec3<f32> {
    return clamp(tone(max(radiance, vec3(0.0))), vec3(0.0), vec3(1.0));
}

// Radiance to the value the target stores.
fn develop_smooth(radiance: vec3<f32>) -> vec3<f32> {
    let shown = shown_linear(radiance);
    return select(shown, encode_srgb(shown), view.sampling.z == 1u);
}

// The same with half a step of noise against banding.
fn develop(radiance: vec3<f32>, pixel: vec2<f32>) -> vec3<f32> {
    let shown = shown_linear(radiance);
    let noise = (fract(52.9829189 * fract(dot(floor(pixel), vec2(0.00583715, 0.06711056)))) - 0.5) / 255.0;
    if view.sampling.z == 1u { return encode_srgb(shown) + noise; }
    // The target encodes: one step there is this many here.
    return shown + noise * 2.2 * sqrt(shown);
}
