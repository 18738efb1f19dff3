// A ball that somebody pushes things with, one thread per particle.
#import launch

const BALL_FRICTION: f32 = 0.3;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> ball: array<vec4<f32>>;               // c [m], w = r [m]; 0 for none
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn ball_push(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let sphere = ball[0];
    let x = positions[i];
    if sphere.w == 0.0 || x.w == 0.0 { return; }
    let o = offsets[i];
    let arm = (x.xyz - sphere.xyz) + o.xyz;
    let distance = length(arm);
    let depth = sphere.w - distance;
    if !(depth > 0.0 && distance > 0.0) { return; }
    let n = arm / distance;
    let tangential = o.xyz - n * dot(n, o.xyz);
    let slide = length(tangential);
    let grip = BALL_FRICTION * depth;
    let held = select(1.0, grip / slide, slide > grip);
    offsets[i] = vec4<f32>(o.xyz + n * depth - tangential * held, o.w);
}
