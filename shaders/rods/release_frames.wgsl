// Lets go of frames that are held until a time, one thread per frame.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                     // substeps done
@group(0) @binding(3) var<storage, read> rod_releases: array<u32>;              // frames
@group(0) @binding(4) var<storage, read> rod_release_rest: array<vec4<f32>>;    // inverse inertia when free, w = when that is [s]
@group(0) @binding(5) var<storage, read_write> rod_rest: array<vec4<f32>>;      // … inverse inertia [1/(kg m²)], w = 1 − C/A

@compute @workgroup_size(64)
fn release_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let place = 4u * rod_releases[n] + 3u;
    let free = rod_release_rest[n];
    let holds = world_time(world, clock[0]) < free.w;
    rod_rest[place] = vec4<f32>(select(free.xyz, vec3<f32>(0.0), holds), rod_rest[place].w);
}
