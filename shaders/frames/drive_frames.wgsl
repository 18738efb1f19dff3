// Frames that follow a track, one thread per frame.
#import launch
#import world
#import track
#import turn

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                     // substeps done
@group(0) @binding(3) var<storage, read> frame_drives: array<vec2<u32>>;        // frame, track
@group(0) @binding(4) var<storage, read> frame_drive_rest: array<vec4<f32>>;    // orientation before the track turns it
@group(0) @binding(5) var<storage, read> tracks: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> track_keys: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> frame_inertia: array<vec4<f32>>;       // inverse inertia, 0 while the frame is held
@group(0) @binding(8) var<storage, read> frames: array<vec4<f32>>;              // unit quaternions, every second
@group(0) @binding(9) var<storage, read_write> turns: array<vec4<f32>>;         // xyz the turn of this substep

@compute @workgroup_size(64)
fn drive_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let d = launch_id(id);
    if d >= launch.count { return; }
    let k = frame_drives[d].x;
    if frame_inertia[k].x > 0.0 { return; }
    let pose = track_pose(frame_drives[d].y, world_time(world, clock[0], launch.dt));
    let goal = turn_product(pose.rotation, frame_drive_rest[d]);
    turns[k] = vec4<f32>(turn_between(frames[2u * k], goal), 0.0);
}
