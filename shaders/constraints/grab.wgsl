// A particle pulled to a point that the host moves between steps, one thread per slot of the hand.
#import launch

const EMPTY: u32 = 0xffffffffu;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> grabs: array<u32>;                       // particle, or EMPTY
@group(0) @binding(2) var<storage, read> grab_targets: array<vec4<f32>>;          // p [m], w = α [m/N]
@group(0) @binding(3) var<storage, read_write> grab_lambdas: array<vec4<f32>>;    // λ [N s²]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;         // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn grab(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let i = grabs[k];
    if i == EMPTY { return; }
    let x = positions[i];
    if x.w == 0.0 { return; }
    let goal = grab_targets[k];
    let tilde = goal.w / (launch.dt * launch.dt);
    let o = offsets[i];
    let c = (x.xyz - goal.xyz) + o.xyz;
    var lambda = vec3<f32>();
    if launch.index > 0u { lambda = grab_lambdas[k].xyz; }
    let dl = -(c + tilde * lambda) / (x.w + tilde);
    grab_lambdas[k] = vec4<f32>(lambda + dl, 0.0);
    offsets[i] = vec4<f32>(o.xyz + x.w * dl, o.w);
}
