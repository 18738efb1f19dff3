// Drag on thin round rods, one thread per particle, which gathers half of each of its segments.
#import launch
#import world
#import air

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                          // substeps done
@group(0) @binding(3) var<storage, read> wind_segment_starts: array<u32>;            // where each particle's slots begin
@group(0) @binding(4) var<storage, read> wind_segment_slots: array<u32>;             // segments
@group(0) @binding(5) var<storage, read> wind_segment_ends: array<vec2<u32>>;        // particles
@group(0) @binding(6) var<storage, read> wind_segment_widths: array<f32>;            // C_d 2r [m]
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;                // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read> velocities: array<vec4<f32>>;               // xyz [m/s]
@group(0) @binding(9) var<storage, read_write> segment_forces: array<vec4<f32>>;     // xyz [N]

// Drag on a segment d in air of relative velocity v.
fn segment_force(d: vec3<f32>, v: vec3<f32>, width: f32) -> vec3<f32> {
    let size = length(d);
    if size == 0.0 { return vec3<f32>(0.0); }
    let t = d / size;
    let across = v - t * dot(t, v);
    return across * (0.5 * world.wind.w * width * size * length(across));
}

@compute @workgroup_size(64)
fn wind_segments(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let air = air_velocity(world, world_time(world, clock[0], launch.dt));
    var sum = vec3<f32>(0.0);
    for (var s = wind_segment_starts[i]; s < wind_segment_starts[i + 1u]; s++) {
        let ends = wind_segment_ends[wind_segment_slots[s]];
        let mean = 0.5 * (velocities[ends.x].xyz + velocities[ends.y].xyz);
        let d = positions[ends.y].xyz - positions[ends.x].xyz;
        sum += segment_force(d, air - mean, wind_segment_widths[wind_segment_slots[s]]);
    }
    let force = 0.5 * sum;
    let relative = length(air - world.keep * velocities[i].xyz);
    let change = launch.dt * positions[i].w * length(force);
    segment_forces[i] = vec4<f32>(force * select(1.0, relative / change, change > relative), 0.0);
}
