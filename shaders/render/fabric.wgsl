// What the surface of a body is like where it is seen. The importing file declares `view`.

const BACK_TINT = vec3(0.80, 0.82, 0.86);     // the reverse of a fabric is a little duller and cooler

// Of the side that is seen, 1 in front and −1 behind. At a silhouette a smooth normal may look away although the triangle
// does not.
fn surface_normal(smooth_normal: vec3<f32>, side: f32, to_eye: vec3<f32>) -> vec3<f32> {
    let length = length(smooth_normal);
    let normal = select(to_eye, smooth_normal * (side / length), length > 0.0);
    let facing = dot(normal, to_eye);
    return select(normal, normalize(normal - to_eye * (1.02 * facing)), facing < 0.0);
}

// The albedo of a body's other side.
fn fabric_back(body: vec4<f32>) -> vec3<f32> {
    return body.rgb * select(vec3(1.0), BACK_TINT, body.w > 0.0);
}

fn fabric(cloth: f32, albedo: vec3<f32>, normal: vec3<f32>, to_eye: vec3<f32>, key: f32, sky: f32) -> Surface {
    return Surface(albedo, normal, to_eye, key, sky, cloth, 1.0 - cloth);
}
