// Adds up what `project_rods` found, one thread per frame.
#import launch
#import turn

const JOINT: u32 = 1u;    // the frame has a joint to the next
const FIRST: u32 = 2u;    // the first segment of its rod

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rod_segments: array<vec4<u32>>;     // particles i, j; flags; 1 after another frame
@group(0) @binding(2) var<storage, read> rod_rest: array<vec4<f32>>;         // … inverse inertia [1/(kg m²)]
@group(0) @binding(3) var<storage, read> rod_work: array<vec4<f32>>;         // … push, torque on this frame and on the next
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;        // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;    // xyz [m], w = solver's 1/mass
@group(0) @binding(6) var<storage, read_write> turns: array<vec4<f32>>;      // xyz the turn of this substep

fn move_particle(particle: u32, push: vec3<f32>) {
    let offset = offsets[particle];
    offsets[particle] = vec4<f32>(offset.xyz + positions[particle].w * push, offset.w);
}

@compute @workgroup_size(64)
fn gather_rods(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let record = rod_segments[k];
    var torque = rod_work[16u * k + 3u].xyz;
    if record.w > 0u { torque += rod_work[16u * k - 12u].xyz; }
    turns[k] = vec4<f32>(turn_compose(turns[k].xyz, 0.5 * rod_rest[4u * k + 3u].xyz * torque), 0.0);
    if record.x == record.y { return; }
    let push = rod_work[16u * k + 2u].xyz;
    var next = vec3<f32>(0.0);
    if (record.z & JOINT) != 0u { next = rod_work[16u * k + 18u].xyz; }
    move_particle(record.y, push - next);
    if (record.z & FIRST) != 0u { move_particle(record.x, -push); }
}
