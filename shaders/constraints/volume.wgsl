// XPBD signed volume of a tetrahedron, one thread per tetrahedron.
#import launch
#import world
#import iterate
#import corners

const VOLUME_THIN: f32 = 1e-3;   // faces' area over squared edges of a tetrahedron that counts as a line

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> volume_particles: array<vec4<u32>>;      // x₁ … x₄
@group(0) @binding(3) var<storage, read> volume_rest: array<vec2<f32>>;           // V₀ [m³], α [m⁵/N]
@group(0) @binding(4) var<storage, read_write> volume_lambdas: array<vec2<f32>>;  // λ, the one before [Pa s²]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;         // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> corrections: array<vec4<f32>>;     // xyz [m]

struct Volume {
    volume: f32,   // [m³]
    g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>, g4: vec3<f32>,   // [m²]
}

// V and its gradients, which are zero when the tetrahedron is a line.
fn volume_of(
    a: vec3<f32>,   // x₂ − x₁ [m]
    b: vec3<f32>,   // x₃ − x₁ [m]
    c: vec3<f32>,   // x₄ − x₁ [m]
) -> Volume {
    let g2 = (1.0 / 6.0) * cross(b, c);
    let g3 = (1.0 / 6.0) * cross(c, a);
    let g4 = (1.0 / 6.0) * cross(a, b);
    let thin = VOLUME_THIN * (dot(a, a) + dot(b, b) + dot(c, c));
    if !(dot(g2, g2) + dot(g3, g3) + dot(g4, g4) > thin * thin) {
        return Volume(dot(a, g2), vec3<f32>(), vec3<f32>(), vec3<f32>(), vec3<f32>());
    }
    return Volume(dot(a, g2), -(g2 + g3 + g4), g2, g3, g4);
}

@compute @workgroup_size(64)
fn volume(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = volume_particles[k];
    let c = corners_of(i);
    let t = volume_of(
        corners_edge(c.x1, c.o1, c.x2, c.o2),
        corners_edge(c.x1, c.o1, c.x3, c.o3),
        corners_edge(c.x1, c.o1, c.x4, c.o4),
    );

    let rest = volume_rest[k];
    let tilde = rest.y / (launch.dt * launch.dt);
    var lambdas = vec2<f32>();
    if launch.index > 0u { lambdas = volume_lambdas[k]; }
    let square = c.o1.w * dot(t.g1, t.g1) + c.o2.w * dot(t.g2, t.g2) + c.o3.w * dot(t.g3, t.g3) + c.o4.w * dot(t.g4, t.g4);
    let gain = world.relaxation * iterate_gain(square, tilde);
    let dl = -((t.volume - rest.x) + tilde * lambdas.x) * gain;
    if iterate_keeps() { volume_lambdas[k] = vec2<f32>(mix(lambdas.y, lambdas.x + dl, launch.weight), lambdas.x); }
    iterate_apply(4u * number, i.x, c.o1, c.x1.w * dl * t.g1);
    iterate_apply(4u * number + 1u, i.y, c.o2, c.x2.w * dl * t.g2);
    iterate_apply(4u * number + 2u, i.z, c.o3, c.x3.w * dl * t.g3);
    iterate_apply(4u * number + 3u, i.w, c.o4, c.x4.w * dl * t.g4);
}
