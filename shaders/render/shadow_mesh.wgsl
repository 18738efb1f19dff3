// Depth of the meshes as a light sees them. The instance is the light: 0 the key light, k + 1 the sky direction k.

// x, y, z: rows of a light, see lights.wgsl.
@vertex
fn shadow_mesh(
    @location(0) place: vec4<f32>,
    @location(1) x: vec4<f32>,
    @location(2) y: vec4<f32>,
    @location(3) z: vec4<f32>,
) -> @builtin(position) vec4<f32> {
    let p = vec4(place.xyz, 1.0);
    return vec4(dot(x, p), dot(y, p), dot(z, p), 1.0);
}
