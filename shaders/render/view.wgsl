// What the host writes once a frame: the camera, the look and the counts.
struct View {
    clip_from_world: mat4x4<f32>,
    eye: vec4<f32>,              // xyz [m]
    right: vec4<f32>,            // xyz: half width of the picture one metre away, w: width [pixel]
    upward: vec4<f32>,           // xyz: half height of the picture one metre away, w: height [pixel]
    forward: vec4<f32>,          // xyz: unit, w: size of a pixel one metre away [m]
    up: vec4<f32>,               // xyz: the world's up, unit, w: height of the ground [m]
    focus: vec4<f32>,            // xyz: what the camera looks at [m], w: its distance [m]
    key_direction: vec4<f32>,    // xyz: towards the key light, unit, w: tangent of its angular radius
    key_colour: vec4<f32>,       // irradiance over π
    sky_colour: vec4<f32>,       // irradiance over π under an open sky
    bounce_colour: vec4<f32>,    // what the lit floor sends back up, irradiance over π
    backdrop_low: vec4<f32>,     // radiance at the horizon
    backdrop_high: vec4<f32>,    // radiance overhead
    ground_colour: vec4<f32>,    // albedo, w: 1 if there is a ground
    grid_colour: vec4<f32>,      // albedo of the lines, w: their strength
    scalar_range: vec4<f32>,     // x: low, y: 1 / (high − low), z: 1 to colour by scalar
    counts: vec4<u32>,           // particles, mesh vertices, capsules, sky directions
    sampling: vec4<u32>,         // blocker taps, filter taps, z: 1 to encode sRGB here because the target does not, w: samples of a pixel
    maps: vec4<u32>,             // side of the key light's map [pixel], of a sky tile [pixel], tiles along a side of the sky map
}
