// Forces on magnets change the velocities of their particles, one thread each.
#import launch
#import world

const PUSH_WHOLE: u32 = 0u;
const PUSH_SECOND: u32 = 2u;
const PUSH_LEAST: f32 = 1e-30;    // [m²]

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> pushed: array<vec4<u32>>;                 // particle; magnets: first, end
@group(0) @binding(3) var<storage, read> pushing: array<vec2<u32>>;                // magnet, what the particle is to it
@group(0) @binding(4) var<storage, read> magnets: array<vec4<u32>>;                // particles whose mean is the centre, frame, first node
@group(0) @binding(5) var<storage, read> magnet_sums: array<vec4<f32>>;            // force [N], torque about the centre [N m]
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4<f32>>;       // xyz [m/s]

@compute @workgroup_size(64)
fn push_magnets(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let particle = pushed[i].x;
    var force = vec3<f32>(0.0);
    for (var entry = pushed[i].y; entry < pushed[i].z; entry++) {
        let magnet = pushing[entry].x;
        let own = magnet_sums[2u * magnet].xyz;
        if pushing[entry].y == PUSH_WHOLE {
            force += own;
            continue;
        }
        let d = positions[magnets[magnet].y].xyz - positions[magnets[magnet].x].xyz;
        let couple = cross(magnet_sums[2u * magnet + 1u].xyz, d) / max(dot(d, d), PUSH_LEAST);
        force += own * 0.5 + select(-couple, couple, pushing[entry].y == PUSH_SECOND);
    }
    let v = velocities[particle];
    velocities[particle] = vec4<f32>(v.xyz + force * (launch.dt * positions[particle].w / world.keep), v.w);
}
