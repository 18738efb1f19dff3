// A constant force on a particle and torque on a frame, one thread per load.
#import launch
#import turn

const NO_FRAME: u32 = 0xffffffffu;    // the frame of a load that turns nothing

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> frame_loads: array<vec2<u32>>;        // particle, frame
@group(0) @binding(2) var<storage, read> frame_load_rest: array<vec4<f32>>;    // force [N]; torque [N m], w = 1 if about the frame's axes
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> frame_inertia: array<vec4<f32>>;      // inverse inertia [1/(kg m²)]
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;             // unit quaternions, every second
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;        // xyz the turn of this substep

@compute @workgroup_size(64)
fn load_frames(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let particle = frame_loads[n].x;
    let k = frame_loads[n].y;
    let square = launch.dt * launch.dt;
    let offset = offsets[particle];
    let force = frame_load_rest[2u * n].xyz;
    offsets[particle] = vec4<f32>(offset.xyz + force * (square * positions[particle].w), offset.w);
    if k == NO_FRAME { return; }
    let g = turns[k].xyz;
    let rotation = turn_apply(frames[2u * k], g);
    let torque = frame_load_rest[2u * n + 1u];
    var about_axes = torque.xyz;
    if torque.w == 0.0 { about_axes = quat_rotate(quat_conjugate(rotation), torque.xyz); }
    let change = about_axes * frame_inertia[k].xyz * (0.5 * square);
    turns[k] = vec4<f32>(turn_compose(g, change), 0.0);
}
