// XPBD bending of a hinge that is flat at rest, by the quadratic energy of inextensible sheets, one thread per hinge.
#import launch
#import world
#import iterate
#import corners

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> isometric_particles: array<vec4<u32>>;      // x₁, x₂ opposite, x₃, x₄ on the edge
@group(0) @binding(3) var<storage, read> isometric_weights: array<vec4<f32>>;        // K₁ … K₄
@group(0) @binding(4) var<storage, read> isometric_rest: array<f32>;                 // α [m/N] for weights without unit
@group(0) @binding(5) var<storage, read_write> isometric_lambdas: array<vec4<f32>>;  // λ, the one before [N s²]
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;                // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;            // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> corrections: array<vec4<f32>>;        // xyz [m]

// c = Σ Kᵢ xᵢ from the differences to x₃.
fn curvature(
    weights: vec4<f32>,
    e: vec3<f32>,   // x₄ − x₃ [m]
    a: vec3<f32>,   // x₁ − x₃ [m]
    c: vec3<f32>,   // x₂ − x₃ [m]
) -> vec3<f32> {
    return weights.x * a + weights.y * c + weights.w * e;
}

@compute @workgroup_size(64)
fn isometric(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = isometric_particles[k];
    let c = corners_of(i);
    let weights = isometric_weights[k];
    let bend = curvature(
        weights,
        corners_edge(c.x3, c.o3, c.x4, c.o4),
        corners_edge(c.x3, c.o3, c.x1, c.o1),
        corners_edge(c.x3, c.o3, c.x2, c.o2),
    );

    let tilde = isometric_rest[k] / (launch.dt * launch.dt);
    var lambda = vec3<f32>();
    var before = vec3<f32>();
    if launch.index > 0u {
        lambda = isometric_lambdas[2u * k].xyz;
        before = isometric_lambdas[2u * k + 1u].xyz;
    }
    let square = dot(vec4<f32>(c.o1.w, c.o2.w, c.o3.w, c.o4.w), weights * weights);
    let dl = -(bend + tilde * lambda) * (world.relaxation * iterate_gain(square, tilde));
    if iterate_keeps() {
        isometric_lambdas[2u * k] = vec4<f32>(mix(before, lambda + dl, launch.weight), 0.0);
        isometric_lambdas[2u * k + 1u] = vec4<f32>(lambda, 0.0);
    }
    iterate_apply(4u * number, i.x, c.o1, c.x1.w * weights.x * dl);
    iterate_apply(4u * number + 1u, i.y, c.o2, c.x2.w * weights.y * dl);
    iterate_apply(4u * number + 2u, i.z, c.o3, c.x3.w * weights.z * dl);
    iterate_apply(4u * number + 3u, i.w, c.o4, c.x4.w * weights.w * dl);
}
