// XPBD area of a triangle, one thread per triangle.
#import launch
#import world
#import iterate

const AREA_THIN: f32 = 1e-4;   // |N| over the sum of two squared edges of a triangle whose plane is noise

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> area_particles: array<vec4<u32>>;       // x₁, x₂, x₃
@group(0) @binding(3) var<storage, read> area_rest: array<vec2<f32>>;            // A₀ [m²], α [m³/N]
@group(0) @binding(4) var<storage, read_write> area_lambdas: array<vec2<f32>>;   // λ, the one before [N s²/m]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> corrections: array<vec4<f32>>;    // xyz [m]

struct Area {
    area: f32,   // [m²]
    g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>,   // [m]
}

// A and its gradients, which are zero when the triangle is too thin to have a plane.
fn area_of(
    a: vec3<f32>,   // x₂ − x₁ [m]
    b: vec3<f32>,   // x₃ − x₁ [m]
) -> Area {
    let n = cross(a, b);
    let length = sqrt(dot(n, n));
    if !(length > AREA_THIN * (dot(a, a) + dot(b, b))) {
        return Area(0.5 * length, vec3<f32>(), vec3<f32>(), vec3<f32>());
    }
    let half = (0.5 / length) * n;
    return Area(0.5 * length, cross(half, b - a), cross(b, half), cross(half, a));
}

@compute @workgroup_size(64)
fn area(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = area_particles[k];
    let x1 = positions[i.x];
    let x2 = positions[i.y];
    let x3 = positions[i.z];
    let o1 = offsets[i.x];
    let o2 = offsets[i.y];
    let o3 = offsets[i.z];
    let t = area_of((x2.xyz - x1.xyz) + (o2.xyz - o1.xyz), (x3.xyz - x1.xyz) + (o3.xyz - o1.xyz));

    let rest = area_rest[k];
    let tilde = rest.y / (launch.dt * launch.dt);
    var lambdas = vec2<f32>();
    if launch.index > 0u { lambdas = area_lambdas[k]; }
    let square = o1.w * dot(t.g1, t.g1) + o2.w * dot(t.g2, t.g2) + o3.w * dot(t.g3, t.g3);
    let gain = world.relaxation * iterate_gain(square, tilde);
    let dl = -((t.area - rest.x) + tilde * lambdas.x) * gain;
    if iterate_keeps() { area_lambdas[k] = vec2<f32>(mix(lambdas.y, lambdas.x + dl, launch.weight), lambdas.x); }
    iterate_apply(3u * number, i.x, o1, x1.w * dl * t.g1);
    iterate_apply(3u * number + 1u, i.y, o2, x2.w * dl * t.g2);
    iterate_apply(3u * number + 2u, i.z, o3, x3.w * dl * t.g3);
}
