// XPBD bending of a hinge by the angle across its edge, one thread per hinge.
#import launch
#import world
#import angle
#import hinge
#import iterate
#import corners

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> hinge_particles: array<vec4<u32>>;      // x₁, x₂ opposite, x₃, x₄ on the edge
@group(0) @binding(3) var<storage, read> hinge_rest: array<vec2<f32>>;           // θ₀ [rad], α [rad/(N m)]
@group(0) @binding(4) var<storage, read_write> hinge_lambdas: array<vec2<f32>>;  // λ, the one before [N m s²]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> corrections: array<vec4<f32>>;    // xyz [m]

@compute @workgroup_size(64)
fn dihedral(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = hinge_particles[k];
    let c = corners_of(i);
    let f = hinge_of(
        corners_edge(c.x3, c.o3, c.x4, c.o4),
        corners_edge(c.x3, c.o3, c.x1, c.o1),
        corners_edge(c.x3, c.o3, c.x2, c.o2),
    );

    let rest = hinge_rest[k];
    let tilde = rest.y / (launch.dt * launch.dt);
    var lambdas = vec2<f32>();
    if launch.index > 0u { lambdas = hinge_lambdas[k]; }
    let square = c.o1.w * dot(f.g1, f.g1) + c.o2.w * dot(f.g2, f.g2) + c.o3.w * dot(f.g3, f.g3) + c.o4.w * dot(f.g4, f.g4);
    let gain = world.relaxation * iterate_gain(square, tilde);
    let dl = -(angle_wrap(angle_atan2(f.sine, f.cosine) - rest.x) + tilde * lambdas.x) * gain;
    if iterate_keeps() { hinge_lambdas[k] = vec2<f32>(mix(lambdas.y, lambdas.x + dl, launch.weight), lambdas.x); }
    iterate_apply(4u * number, i.x, c.o1, c.x1.w * dl * f.g1);
    iterate_apply(4u * number + 1u, i.y, c.o2, c.x2.w * dl * f.g2);
    iterate_apply(4u * number + 2u, i.z, c.o3, c.x3.w * dl * f.g3);
    iterate_apply(4u * number + 3u, i.w, c.o4, c.x4.w * dl * f.g4);
}
