// The end of a substep, one thread per frame: spins from the turns, orientations turned by them.
#import launch
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> turns: array<vec4<f32>>;            // xyz the turn of this substep
@group(0) @binding(2) var<storage, read_write> frames: array<vec4<f32>>;     // unit quaternion, then the turn that rounding kept from it
@group(0) @binding(3) var<storage, read_write> spins: array<vec4<f32>>;      // xyz [rad/s], about the frame's axes

@compute @workgroup_size(64)
fn finish_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let g = turns[k].xyz;
    let residual = frames[2u * k + 1u].xyz;
    let q = frames[2u * k];
    // A compiler may keep the product unrounded for the difference; the exclusive or with a zero it cannot see forbids it.
    let turned = bitcast<vec4<f32>>(bitcast<vec4<u32>>(turn_apply(q, g)) ^ vec4<u32>(launch.flags));
    let done = turn_difference(q, turned) * (1.0 / dot(q, turned));
    spins[k] = vec4<f32>((2.0 / launch.dt) * turn_compose(-residual, g), 0.0);
    frames[2u * k + 1u] = vec4<f32>(turn_compose(-done, g), 0.0);
    frames[2u * k] = turned;
}
