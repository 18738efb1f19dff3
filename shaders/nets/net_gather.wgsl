// Adds up what the constraints of nets ask for, one thread per frame or particle.
#import launch
#import turn

const OPPOSITE: u32 = 0x80000000u;    // the bit of a slot that turns the sign

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> net_bodies: array<vec2<u32>>;           // a frame or a particle, 1 for a particle
@group(0) @binding(2) var<storage, read> net_starts: array<u32>;                 // where the slots of each body begin
@group(0) @binding(3) var<storage, read> net_slots: array<u32>;                  // places in `net_work`
@group(0) @binding(4) var<storage, read> net_work: array<vec4<f32>>;             // …; push [kg m]; torques [kg m²]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> rod_rest: array<vec4<f32>>;             // …; inverse inertia [1/(kg m²)]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep

@compute @workgroup_size(64)
fn net_gather(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let body = launch.first + launch_id(id);
    var sum = vec3<f32>(0.0);
    for (var slot = net_starts[body]; slot < net_starts[body + 1u]; slot++) {
        let place = net_slots[slot];
        sum += select(1.0, -1.0, (place & OPPOSITE) != 0u) * net_work[place & ~OPPOSITE].xyz;
    }
    let k = net_bodies[body].x;
    if net_bodies[body].y != 0u {
        let offset = offsets[k];
        offsets[k] = vec4<f32>(offset.xyz + positions[k].w * sum, offset.w);
    } else {
        turns[k] = vec4<f32>(turn_compose(turns[k].xyz, 0.5 * rod_rest[4u * k + 3u].xyz * sum), 0.0);
    }
}
