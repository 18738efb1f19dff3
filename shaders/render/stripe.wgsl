// Points that are drawn beside rods: their stripes and the axes of their frames. One thread per point.
// The same as `Stripes::pack` on the host.
#import frame

struct StripePoint {
    particles: vec2<u32>,       // it stands beside the middle between them
    frames: vec2<u32>,          // on the side that is the mean of theirs
    offset: vec4<f32>,          // from there, in a frame's own axes [m], w: its length [m]
}

@group(0) @binding(0) var<storage, read> positions: array<vec4<f32>>;           // of the solver, xyz [m]
@group(0) @binding(1) var<storage, read> frames: array<vec4<f32>>;              // orientation and small turn of each
@group(0) @binding(2) var<storage, read> stripe_points: array<StripePoint>;
@group(0) @binding(3) var<storage, read_write> points: array<vec4<f32>>;        // all that is drawn, these last [m]

@compute @workgroup_size(64)
fn stripe(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    let count = arrayLength(&stripe_points);
    if i >= count { return; }
    let point = stripe_points[i];
    let middle = 0.5 * (positions[point.particles.x].xyz + positions[point.particles.y].xyz);
    let a = frame_turn(frame_orientation(point.frames.x), point.offset.xyz);
    let side = a + frame_turn(frame_orientation(point.frames.y), point.offset.xyz);
    let length = length(side);
    let away = select(a, side * (point.offset.w / length), length > 1e-6 * point.offset.w);
    points[arrayLength(&points) - count + i] = vec4(middle + away, 0.0);
}
