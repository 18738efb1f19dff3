// The inertia of frames that are let go, for the constraints of rods and nets, one thread per frame.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> frame_releases: array<u32>;             // frames
@group(0) @binding(2) var<storage, read> frame_inertia: array<vec4<f32>>;        // inverse inertia [1/(kg m²)], w = 1 − C/A
@group(0) @binding(3) var<storage, read_write> rod_rest: array<vec4<f32>>;       // … the same

@compute @workgroup_size(64)
fn release_rods(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let k = frame_releases[n];
    rod_rest[4u * k + 3u] = frame_inertia[k];
}
