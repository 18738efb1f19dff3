// Strain-based tetrahedra, XPBD: stretches, shears and volume one after the other, one thread per tetrahedron of one colour.
#import launch
#import world
#import iterate
#import corners
#import tet_deformed
#import rotation

const STRAIN_LOOSE: u32 = 8u;
const STRAIN_LOOSE_LAMBDA: f32 = 1.5;   // the most of λ over μ of what is loose
const STRAIN_SHORT: f32 = 1e-6;   // length of a column without direction
const STRAIN_CRUSHED: f32 = 1e-2;   // F:F of an element that is next to nothing

// The rotation by which an element goes that is folded or loose: none where next to nothing is left of it.
fn strain_turn(f: mat3x3<f32>) -> mat3x3<f32> {
    if elasticity_dot(f, f) < STRAIN_CRUSHED { return mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); }
    let none = vec3<f32>(0.0);
    let before = vec4<f32>(0.0, 0.0, 0.0, 1.0);
    return rotation_matrix(rotation_extract(f, none, none, none, none, ROTATION_SMALLEST, before, 0u).q);
}

fn strain_is_folded(f: mat3x3<f32>) -> bool {
    return elasticity_dot(f, f) < STRAIN_CRUSHED || elasticity_folded(f);
}

// The stress of the shear between two columns of F, that on the first.
fn strain_shear(a: vec3<f32>, b: vec3<f32>, mu: f32) -> vec3<f32> {
    let sizes = vec2<f32>(length(a), length(b));
    if min(sizes.x, sizes.y) == 0.0 { return vec3<f32>(0.0); }
    let c = dot(a, b) / (sizes.x * sizes.y);
    return (mu * c / sizes.x) * (b / sizes.y - c * a / sizes.x);
}

fn strain_unit(v: vec3<f32>) -> vec3<f32> {
    let size = length(v);
    if size == 0.0 { return v; }
    return v / size;
}

// What a tetrahedron holds; for colours.
fn strain_held(at: TetDeformed) -> TetHeld {
    let f = at.f;
    if strain_is_folded(f) { return tet_hooke(f, strain_turn(f), at.moduli.xy); }
    let mu = at.moduli.y;
    let x = strain_unit(f[0]);
    let y = strain_unit(f[1]);
    let z = strain_unit(f[2]);
    let stretch = vec3<f32>(length(f[0]), length(f[1]), length(f[2])) - 1.0;
    let shear = vec3<f32>(dot(y, z), dot(z, x), dot(x, y));
    let volume = elasticity_growth(f).volume;
    let energy = mu * (dot(stretch, stretch) + 0.5 * dot(shear, shear)) + 0.5 * at.moduli.x * volume * volume;
    let p = mat3x3<f32>(
        (2.0 * mu * stretch.x) * x + strain_shear(f[0], f[1], mu) + strain_shear(f[0], f[2], mu),
        (2.0 * mu * stretch.y) * y + strain_shear(f[1], f[2], mu) + strain_shear(f[1], f[0], mu),
        (2.0 * mu * stretch.z) * z + strain_shear(f[2], f[0], mu) + strain_shear(f[2], f[1], mu),
    );
    return TetHeld(energy, p + (at.moduli.x * volume) * elasticity_cofactors(f));
}

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> strain_corners: array<vec4<u32>>;          // particles
@group(0) @binding(3) var<storage, read> strain_rest: array<vec4<f32>>;             // g₁, 1/(μ V); g₂, 1/(λ V), negative for none; g₃, 0
@group(0) @binding(4) var<storage, read_write> strain_lambdas: array<vec4<f32>>;    // λ of stretches, volume; of shears; the ones before
@group(0) @binding(5) var<storage, read> strain_memories: array<u32>;               // 8 for what is loose
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;           // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> corrections: array<vec4<f32>>;       // xyz [m]

// An element on its own: what its corners are away from corner 0, and how far each has moved [m].
var<private> edges: mat3x3<f32>;
var<private> ways: array<vec3<f32>, 4>;
var<private> weights: vec4<f32>;
var<private> g: mat3x3<f32>;    // rest gradients [1/m]
var<private> is_folded: bool;
var<private> turn: mat3x3<f32>; // the rotation of what is folded

// Moves the corners by one constraint, and returns Δλ.
fn project(c: f32, a: vec3<f32>, b: vec3<f32>, d: vec3<f32>, tilde: f32, lambda: f32) -> f32 {
    let first = -(a + b + d);
    let square = weights.x * dot(first, first) + weights.y * dot(a, a) + weights.z * dot(b, b) + weights.w * dot(d, d);
    if square == 0.0 { return 0.0; }
    let dl = -(c + tilde * lambda) / (square + tilde) * world.relaxation;
    let step = (weights.x * dl) * first;
    let step1 = (weights.y * dl) * a;
    let step2 = (weights.z * dl) * b;
    let step3 = (weights.w * dl) * d;
    ways[0] += step;
    ways[1] += step1;
    ways[2] += step2;
    ways[3] += step3;
    edges += mat3x3<f32>(step1 - step, step2 - step, step3 - step);
    return dl;
}

fn deformation() -> mat3x3<f32> {
    return elasticity_gradient(g[0], g[1], g[2], edges[0], edges[1], edges[2]);
}

// Component i of the three gradients.
fn component(i: u32) -> vec3<f32> {
    return vec3<f32>(g[0][i], g[1][i], g[2][i]);
}

// Whether the element is folded or loose, and by which rotation it goes then.
fn fold(is_loose: bool) {
    let f = deformation();
    is_folded = is_loose || strain_is_folded(f);
    turn = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    if is_folded { turn = strain_turn(f); }
}

fn stretch(i: u32, tilde: f32, lambda: f32) -> f32 {
    let f = deformation()[i];
    let size = length(f);
    // What has no direction goes by its own at rest.
    var n = vec3<f32>(0.0);
    n[i] = 1.0;
    if size >= STRAIN_SHORT { n = f / size; }
    if is_folded { n = turn[i]; }
    let gi = component(i);
    return project(dot(f, n) - 1.0, gi.x * n, gi.y * n, gi.z * n, tilde, lambda);
}

fn shear(i: u32, j: u32, tilde: f32, lambda: f32) -> f32 {
    let f = deformation();
    let gi = component(i);
    let gj = component(j);
    if is_folded {
        let ri = turn[i];
        let rj = turn[j];
        return project(dot(f[i], rj) + dot(f[j], ri), gi.x * rj + gj.x * ri, gi.y * rj + gj.y * ri, gi.z * rj + gj.z * ri, tilde, lambda);
    }
    let li = length(f[i]);
    let lj = length(f[j]);
    if min(li, lj) < STRAIN_SHORT { return 0.0; }
    let ni = f[i] / li;
    let nj = f[j] / lj;
    let c = dot(ni, nj);
    let a = (nj - c * ni) / li;
    let b = (ni - c * nj) / lj;
    return project(c, gi.x * a + gj.x * b, gi.y * a + gj.y * b, gi.z * a + gj.z * b, tilde, lambda);
}

fn volume(tilde: f32, lambda: f32) -> f32 {
    let f = deformation();
    if is_folded { return project(elasticity_dot(f, turn) - 3.0, turn * g[0], turn * g[1], turn * g[2], tilde, lambda); }
    let cofactors = mat3x3<f32>(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
    let c = dot(f[0], cofactors[0]) - 1.0;
    return project(c, cofactors * g[0], cofactors * g[1], cofactors * g[2], tilde, lambda);
}

fn move_corner(slot: u32, i: u32, offset: vec4<f32>, w: f32, way: vec3<f32>) {
    var share = 0.0;
    if offset.w > 0.0 { share = w / offset.w; }
    // Tetrahedra of one colour may share what cannot move; that is not written.
    if w > 0.0 || (launch.flags & ITERATE_JACOBI) != 0u { iterate_apply(slot, i, offset, share * way); }
}

@compute @workgroup_size(64)
fn tet_strain(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = strain_corners[k];
    let c = corners_of(i);
    let r0 = strain_rest[3u * k];
    let r1 = strain_rest[3u * k + 1u];
    let r2 = strain_rest[3u * k + 2u];
    g = mat3x3<f32>(r0.xyz, r1.xyz, r2.xyz);
    edges = mat3x3<f32>(
        corners_edge(c.x1, c.o1, c.x2, c.o2),
        corners_edge(c.x1, c.o1, c.x3, c.o3),
        corners_edge(c.x1, c.o1, c.x4, c.o4),
    );
    let is_loose = (strain_memories[k] & STRAIN_LOOSE) != 0u;
    fold(is_loose);
    ways = array<vec3<f32>, 4>();
    weights = vec4<f32>(c.o1.w, c.o2.w, c.o3.w, c.o4.w);
    let rate = 1.0 / (launch.dt * launch.dt);
    let tilde = r0.w * rate;
    var s = vec4<f32>();
    var t = vec4<f32>();
    var s_before = vec4<f32>();
    var t_before = vec4<f32>();
    if launch.index > 0u {
        s = strain_lambdas[4u * k];
        t = strain_lambdas[4u * k + 1u];
        s_before = strain_lambdas[4u * k + 2u];
        t_before = strain_lambdas[4u * k + 3u];
    }
    var ds = vec4<f32>();
    var dt = vec4<f32>();
    ds.x = stretch(0u, 0.5 * tilde, s.x);
    ds.y = stretch(1u, 0.5 * tilde, s.y);
    ds.z = stretch(2u, 0.5 * tilde, s.z);
    dt.x = shear(1u, 2u, tilde, t.x);
    dt.y = shear(2u, 0u, tilde, t.y);
    dt.z = shear(0u, 1u, tilde, t.z);
    let least = select(0.0, r0.w / STRAIN_LOOSE_LAMBDA, is_loose);
    if r1.w >= 0.0 { ds.w = volume(max(r1.w, least) * rate, s.w); }
    if iterate_keeps() {
        strain_lambdas[4u * k] = mix(s_before, s + ds, launch.weight);
        strain_lambdas[4u * k + 1u] = mix(t_before, t + dt, launch.weight);
        strain_lambdas[4u * k + 2u] = s;
        strain_lambdas[4u * k + 3u] = t;
    }
    move_corner(4u * number, i.x, c.o1, c.x1.w, ways[0]);
    move_corner(4u * number + 1u, i.y, c.o2, c.x2.w, ways[1]);
    move_corner(4u * number + 2u, i.z, c.o3, c.x3.w, ways[2]);
    move_corner(4u * number + 3u, i.w, c.o4, c.x4.w, ways[3]);
}
