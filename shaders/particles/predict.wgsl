// Semi-implicit prediction, one thread per particle: velocities first, then where they lead.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;           // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(3) var<storage, read> residuals: array<vec4<f32>>;           // xyz [m], w = multiplicity
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;    // xyz [m/s]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;       // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn predict(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let w = positions[i].w;
    let residual = residuals[i];
    var v = velocities[i];
    v = select(v, vec4<f32>(world.keep * v.xyz + launch.dt * world.gravity.xyz, v.w), w > 0.0);
    velocities[i] = v;
    offsets[i] = vec4<f32>(residual.xyz + launch.dt * v.xyz, residual.w * w);
}
