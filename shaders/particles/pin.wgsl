// Where each pin stands at the end of the substep, one thread per pin; a rigid pin takes its particle along.
#import launch
#import world
#import track

const PIN_RIGID: u32 = 1u;
const PIN_STILL: u32 = 0xffffffffu;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                     // substeps done
@group(0) @binding(3) var<storage, read> pins: array<vec4<u32>>;                // particle, track, flags
@group(0) @binding(4) var<storage, read> pin_rest: array<vec4<f32>>;            // anchor [m], 1/mass; release [s], α [m/N], solver's 1/mass
@group(0) @binding(5) var<storage, read> tracks: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> track_keys: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> pin_targets: array<vec4<f32>>;   // xyz [m], w = 1 while it holds
@group(0) @binding(8) var<storage, read_write> positions: array<vec4<f32>>;     // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(9) var<storage, read_write> offsets: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn pin(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let record = pins[k];
    let rest = pin_rest[2u * k];
    let time = world_time(world, clock[0], launch.dt);
    let more = pin_rest[2u * k + 1u];
    let holds = time < more.x;
    var target_point = rest.xyz;
    if record.y != PIN_STILL { target_point = track_point(record.y, time, rest.xyz); }
    pin_targets[k] = vec4<f32>(target_point, select(0.0, 1.0, holds));
    if record.z != PIN_RIGID { return; }
    let i = record.x;
    if holds {
        offsets[i] = vec4<f32>(target_point - positions[i].xyz, 0.0);
    } else if positions[i].w == 0.0 {
        // Its first free substep: `predict` has still left it alone.
        positions[i] = vec4<f32>(positions[i].xyz, rest.w);
        offsets[i] = vec4<f32>(offsets[i].xyz + launch.dt * launch.dt * world.gravity.xyz, more.z);
    }
}
