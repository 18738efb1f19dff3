// XPBD attachment of a particle to the point its pin stands at, one thread per compliant pin.
#import launch
#import world
#import iterate

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> pins: array<vec4<u32>>;                      // particle, track, flags, axes
@group(0) @binding(3) var<storage, read> pin_rest: array<vec4<f32>>;                  // anchor [m], 1/mass; release [s], α [m/N]
@group(0) @binding(4) var<storage, read> pin_targets: array<vec4<f32>>;               // xyz [m], w = 1 while it holds
@group(0) @binding(5) var<storage, read_write> attachment_lambdas: array<vec4<f32>>;  // λ, the one before [N s²]
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;                 // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;             // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> corrections: array<vec4<f32>>;         // xyz [m]

@compute @workgroup_size(64)
fn attachment(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = pins[k].x;
    let x = positions[i];
    let o = offsets[i];
    let goal = pin_targets[k];
    let c = (x.xyz - goal.xyz) + o.xyz;

    let tilde = pin_rest[2u * k + 1u].y / (launch.dt * launch.dt);
    var lambda = vec3<f32>();
    var before = vec3<f32>();
    if launch.index > 0u {
        lambda = attachment_lambdas[2u * k].xyz;
        before = attachment_lambdas[2u * k + 1u].xyz;
    }
    let held = vec3<f32>((vec3<u32>(pins[k].w) >> vec3<u32>(0u, 1u, 2u)) & vec3<u32>(1u));
    let dl = -(c + tilde * lambda) * (world.relaxation * iterate_gain(goal.w * o.w, tilde)) * held;
    if iterate_keeps() {
        attachment_lambdas[2u * k] = vec4<f32>(mix(before, lambda + dl, launch.weight), 0.0);
        attachment_lambdas[2u * k + 1u] = vec4<f32>(lambda, 0.0);
    }
    iterate_apply(number, i, o, x.w * dl);
}
