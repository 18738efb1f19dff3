// Lets go of frames that are held until a time, one thread per frame.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                     // substeps done
@group(0) @binding(3) var<storage, read> frame_releases: array<u32>;            // frames
@group(0) @binding(4) var<storage, read> frame_release_rest: array<vec4<f32>>;  // inverse inertia when free, w = when that is [s]
@group(0) @binding(5) var<storage, read_write> frame_inertia: array<vec4<f32>>; // inverse inertia [1/(kg m²)], w = 1 − C/A

@compute @workgroup_size(64)
fn release_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let k = frame_releases[n];
    let free = frame_release_rest[n];
    let holds = world_time(world, clock[0], launch.dt) < free.w;
    frame_inertia[k] = vec4<f32>(select(free.xyz, vec3<f32>(0.0), holds), frame_inertia[k].w);
}
