// Fits the key light and the sky directions around the bounds, so that no shadow texel is wasted.
#import view
#import lights

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> bounds: array<u32, 6>;     // see bounds.wgsl
@group(0) @binding(2) var<storage, read_write> lights: Lights;

const REACH = 3.0;             // casters further from the focus than this many viewing distances are left out
const PADDING = 1.06;          // room for the filter beside the outermost caster
const STEPS_PER_OCTAVE = 4.0;  // the size of a light changes in steps, and its place by whole texels:
                               // a shadow then does not shimmer while the scene moves
const GOLDEN_ANGLE = 2.39996323;
const SKY_ZENITH = 1.5;        // radiance overhead and at the horizon relative to the mean
const SKY_HORIZON = 0.5;

fn key_value(key: u32) -> f32 {
    return bitcast<f32>(select(~key, key & 0x7fffffffu, (key & 0x80000000u) != 0u));
}

// Two unit vectors that complete n to a right-handed frame.
fn frame(n: vec3<f32>) -> mat2x3<f32> {
    let side = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), abs(n.x) > 0.7);
    let a = normalize(cross(side, n));
    return mat2x3(a, cross(n, a));
}

fn fit_light(direction: vec3<f32>, centre: vec3<f32>, half: vec3<f32>, pixels: f32, radiance: f32) -> Light {
    let axes = frame(direction);
    let width = max(dot(abs(axes[0]), half), dot(abs(axes[1]), half)) * PADDING;
    let extent = exp2(ceil(log2(width) * STEPS_PER_OCTAVE) / STEPS_PER_OCTAVE);
    let texel = 2.0 * extent / pixels;
    let middle = round(vec2(dot(axes[0], centre), dot(axes[1], centre)) / texel) * texel;
    let depth = dot(abs(direction), half) * PADDING;
    var light: Light;
    light.x = vec4(axes[0], -middle.x) / extent;
    light.y = vec4(axes[1], -middle.y) / extent;
    light.z = vec4(-direction, dot(direction, centre) + depth) / (2.0 * depth);
    light.direction = vec4(direction, radiance);
    light.size = vec4(extent, 2.0 * depth, texel, 0.0);
    return light;
}

@compute @workgroup_size(1)
fn fit() {
    let focus = view.focus.xyz;
    let reach = vec3(REACH * view.focus.w);
    var low = focus - 0.1 * reach;
    var high = focus + 0.1 * reach;
    if bounds[0] != 0u {
        let high_all = vec3(key_value(bounds[0]), key_value(bounds[1]), key_value(bounds[2]));
        let low_all = -vec3(key_value(bounds[3]), key_value(bounds[4]), key_value(bounds[5]));
        let clipped_low = max(low_all, focus - reach);
        let clipped_high = min(high_all, focus + reach);
        if all(clipped_low <= clipped_high) {
            low = clipped_low;
            high = clipped_high;
        }
    }
    let centre = 0.5 * (low + high);
    // A flat or tiny body still needs a light with some depth.
    let half = max(0.5 * (high - low), vec3(0.01 * view.focus.w));
    lights.bounds = vec4(centre, length(half));

    let key_pixels = f32(view.maps.x);
    let sky_pixels = f32(view.maps.y);
    lights.key = fit_light(view.key_direction.xyz, centre, half, key_pixels, 1.0);

    // A spiral of directions with equal solid angles over the dome.
    let up = view.up.xyz;
    let across = frame(up);
    let count = view.counts.w;
    for (var k = 0u; k < count; k++) {
        let height = 1.0 - (f32(k) + 0.5) / f32(count);
        let angle = GOLDEN_ANGLE * f32(k);
        let flat = sqrt(1.0 - height * height);
        let direction = up * height + flat * (cos(angle) * across[0] + sin(angle) * across[1]);
        lights.sky[k] = fit_light(normalize(direction), centre, half, sky_pixels, mix(SKY_HORIZON, SKY_ZENITH, height));
    }
}
