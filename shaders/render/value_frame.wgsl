// The turn of the last frame at each particle; 0 without a rod.
#import values

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> last_frames: array<u32>;           // or NOBODY
@group(0) @binding(2) var<storage, read> frame_turns: array<f32>;           // [degrees]
@group(0) @binding(3) var<storage, read_write> scalars: array<f32>;

@compute @workgroup_size(64)
fn value_frame(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.particle_count { return; }
    let frame = last_frames[i];
    scalars[i] = 0.0;
    if frame != NOBODY { scalars[i] = frame_turns[frame]; }
}
