// Directional lights fitted around what casts shadows; `fit` writes them on the device.
struct Light {
    x: vec4<f32>,                // light space x in −1..1 is dot(x.xyz, p) + x.w
    y: vec4<f32>,
    z: vec4<f32>,                // depth in 0..1, growing away from the light
    direction: vec4<f32>,        // towards the light, unit, w: radiance relative to the mean sky
    size: vec4<f32>,             // half width [m], depth range [m], texel [m], unused
}

struct Lights {
    bounds: vec4<f32>,           // centre [m] and radius [m] of what casts shadows
    key: Light,
    sky: array<Light, 32>,
}

fn light_place(light: Light, p: vec3<f32>) -> vec3<f32> {
    return vec3(dot(light.x.xyz, p) + light.x.w, dot(light.y.xyz, p) + light.y.w, dot(light.z.xyz, p) + light.z.w);
}

const LIGHT_STEEPEST = 6.0;     // slope of a receiver that is still followed

// How depth changes along the light's x and y on a plane whose normal is turned towards the light. A filter that
// ignores this shades every slanted plane with itself.
fn light_slope(light: Light, normal: vec3<f32>) -> vec2<f32> {
    let facing = max(dot(normal, light.direction.xyz), 1.0 / LIGHT_STEEPEST);
    let slope = light.size.x * vec2(dot(normal, light.x.xyz), dot(normal, light.y.xyz)) / facing;
    return clamp(slope, vec2(-LIGHT_STEEPEST), vec2(LIGHT_STEEPEST)) * (light.size.x / light.size.y);
}
