// Moves and turns each driven body by the pushes at its corners, one thread per body.
#import launch
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> driven_bodies: array<vec4<u32>>;           // particle, frame, first driven corner, corners
@group(0) @binding(2) var<storage, read> driven_arms: array<vec4<f32>>;             // xyz along the axes [m], w = 1/mass of a push there
@group(0) @binding(3) var<storage, read> driven_pushes: array<vec4<f32>>;           // of each driven corner [kg m]
@group(0) @binding(4) var<storage, read_write> driven_motions: array<vec4<f32>>;    // five records a body

@compute @workgroup_size(64)
fn driven_push(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let body = driven_bodies[i];
    let g = driven_motions[5u * i + 4u].xyz;
    let back = quat_conjugate(turn_apply(driven_motions[5u * i + 1u], g));
    var push = vec3<f32>(0.0);
    var lever = vec3<f32>(0.0);
    for (var d = body.z; d < body.z + body.w; d++) {
        let j = driven_pushes[d].xyz;
        push += j;
        lever += cross(driven_arms[d].xyz, quat_rotate(back, j));
    }
    let half = driven_motions[5u * i + 2u].xyz * lever * 0.5;
    let offset = driven_motions[5u * i + 3u].xyz + push * driven_motions[5u * i].w;
    driven_motions[5u * i + 3u] = vec4<f32>(offset, 0.0);
    driven_motions[5u * i + 4u] = vec4<f32>(turn_compose(g, half), 0.0);
}
