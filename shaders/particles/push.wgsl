// Forces change velocities, one thread per particle. src/particles/push.rs says why `keep` divides them.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> forces: array<vec4<f32>>;              // xyz [N]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;    // xyz [m/s]

@compute @workgroup_size(64)
fn push(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let v = velocities[i];
    velocities[i] = vec4<f32>(v.xyz + (launch.dt * positions[i].w / world.keep) * forces[i].xyz, v.w);
}
