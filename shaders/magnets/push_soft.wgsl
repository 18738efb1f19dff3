// Forces on soft magnets change the velocities of their particles, one thread each.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> soft_pushed: array<vec4<u32>>;            // particle; slots: first, end
@group(0) @binding(3) var<storage, read> soft_slots: array<u32>;                   // corners of cells
@group(0) @binding(4) var<storage, read> soft_forces: array<vec4<f32>>;            // on each corner [N]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4<f32>>;       // xyz [m/s]

@compute @workgroup_size(64)
fn push_soft(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let particle = soft_pushed[i].x;
    var force = vec3<f32>(0.0);
    for (var slot = soft_pushed[i].y; slot < soft_pushed[i].z; slot++) {
        force += soft_forces[soft_slots[slot]].xyz;
    }
    let v = velocities[particle];
    velocities[particle] = vec4<f32>(v.xyz + force * (launch.dt * positions[particle].w / world.keep), v.w);
}
