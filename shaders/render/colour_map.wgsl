// The scalar colour map: violet, blue, teal, green, yellow. Lightness and hue run evenly through OKLab
// (Ottosson 2020), so equal steps of t look equally large, and the map survives being printed in grey.

fn colour_map(t: f32) -> vec3<f32> {
    let x = clamp(t, 0.0, 1.0);
    let lightness = 0.28 + 0.64 * x;
    let hue = radians(310.0 - 205.0 * x);
    let chroma = 0.133 - 0.16 * x + 0.2 * x * x;     // as strong as sRGB can show along the whole path
    return oklab_to_linear(vec3(lightness, chroma * cos(hue), chroma * sin(hue)));
}

fn oklab_to_linear(lab: vec3<f32>) -> vec3<f32> {
    let l = lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z;
    let m = lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z;
    let s = lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z;
    let cone = vec3(l * l * l, m * m * m, s * s * s);
    return max(vec3(0.0), vec3(
        dot(vec3(4.0767416621, -3.3077115913, 0.2309699292), cone),
        dot(vec3(-1.2684380046, 2.6097574011, -0.3413193965), cone),
        dot(vec3(-0.0041960863, -0.7034186147, 1.7076147010), cone),
    ));
}
