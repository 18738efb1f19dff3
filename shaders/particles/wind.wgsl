// Drag and lift on the triangles of a sheet, one thread per particle, which gathers a third of each of its triangles.
#import launch
#import world
#import air

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                  // substeps done
@group(0) @binding(3) var<storage, read> wind_starts: array<u32>;            // where each particle's slots begin
@group(0) @binding(4) var<storage, read> wind_slots: array<u32>;             // triangles
@group(0) @binding(5) var<storage, read> triangles: array<vec4<u32>>;        // three particles, material
@group(0) @binding(6) var<storage, read> wind_materials: array<vec2<f32>>;   // C_d, C_l
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;        // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read> velocities: array<vec4<f32>>;       // xyz [m/s]
@group(0) @binding(9) var<storage, read_write> forces: array<vec4<f32>>;     // xyz [N]

// Drag and lift on one triangle of area vector A n in air of relative velocity v.
fn wind_force(area: vec3<f32>, v: vec3<f32>, coefficients: vec2<f32>) -> vec3<f32> {
    let size = length(area);
    let speed = length(v);
    if size * speed == 0.0 { return vec3<f32>(0.0); }
    // |v|² cos φ sin φ l̂ = |v| (n·v) n − (n·v)² v̂, whichever way n points.
    let n = area / size;
    let across = dot(n, v);
    let along = v * (coefficients.x * abs(across) - coefficients.y * across * across / speed);
    return (along + n * (coefficients.y * across * speed)) * (0.5 * world.wind.w * size);
}

@compute @workgroup_size(64)
fn wind(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let air = air_velocity(world, world_time(world, clock[0], launch.dt));
    var sum = vec3<f32>(0.0);
    for (var s = wind_starts[i]; s < wind_starts[i + 1u]; s++) {
        let t = triangles[wind_slots[s]];
        let x = positions[t.x].xyz;
        let area = 0.5 * cross(positions[t.y].xyz - x, positions[t.z].xyz - x);
        let mean = (velocities[t.x].xyz + velocities[t.y].xyz + velocities[t.z].xyz) / 3.0;
        sum += wind_force(area, air - mean, wind_materials[t.w]);
    }
    let force = sum / 3.0;
    let relative = length(air - world.keep * velocities[i].xyz);
    let change = launch.dt * positions[i].w * length(force);
    forces[i] = vec4<f32>(force * select(1.0, relative / change, change > relative), 0.0);
}
