// Neo-Hookean tetrahedra as XPBD constraints on F, whose multipliers Λ are matrices, one thread per tetrahedron of one colour.
#import launch
#import world
#import iterate
#import corners
#import tet_deformed

const POSITION_LOOSE: u32 = 8u;
const POSITION_LOOSE_LAMBDA: f32 = 2.5;   // the most of λ over μ of what is loose
const POSITION_THIN: f32 = 1e-12;   // squared size of the cofactors of a line or a point
const POSITION_SHARE: f32 = 0.75;   // of the bound of the stiffness that a step takes
const POSITION_CRUSHED: f32 = 1.08;   // F:F below which a tetrahedron is crushed

// What a tetrahedron holds; for colours.
fn position_held(at: TetDeformed) -> TetHeld {
    let growth = elasticity_growth(at.f);
    let square = elasticity_dot(at.f, at.f);
    let missing = max(POSITION_CRUSHED - square, 0.0);
    let shape = 0.5 * growth.squares - growth.minors + 0.25 * missing * missing / POSITION_CRUSHED;
    let energy = at.moduli.y * shape + 0.5 * at.moduli.x * growth.volume * growth.volume;
    let pressure = at.moduli.x * growth.volume - at.moduli.y;
    let stiffness = at.moduli.y * min(square / POSITION_CRUSHED, 1.0);
    return TetHeld(energy, stiffness * at.f + pressure * elasticity_cofactors(at.f));
}

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> position_corners: array<vec4<u32>>;            // particles
@group(0) @binding(3) var<storage, read> position_rest: array<vec4<f32>>;               // g₁, λ V; g₂, μ V; g₃, 0 [1/m, J]
@group(0) @binding(4) var<storage, read_write> position_lambdas: array<vec4<f32>>;      // columns of Λ; in Jacobi those before too
@group(0) @binding(5) var<storage, read> position_memories: array<u32>;                 // 8 for what is loose
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;                   // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;               // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> corrections: array<vec4<f32>>;           // xyz [m]

@compute @workgroup_size(64)
fn tet_position(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let k = launch.first + number;
    let i = position_corners[k];
    let c = corners_of(i);
    let g1 = position_rest[3u * k];
    let g2 = position_rest[3u * k + 1u];
    let g3 = position_rest[3u * k + 2u];
    let f = elasticity_gradient(
        g1.xyz, g2.xyz, g3.xyz,
        corners_edge(c.x1, c.o1, c.x2, c.o2),
        corners_edge(c.x1, c.o1, c.x3, c.o3),
        corners_edge(c.x1, c.o1, c.x4, c.o4),
    );
    var h = mat3x3<f32>(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
    let change = dot(f[0], h[0]) - 1.0;
    // A line or a point is pushed apart as it lies at rest.
    if elasticity_dot(h, h) < POSITION_THIN { h = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); }

    let jacobi = (launch.flags & ITERATE_JACOBI) != 0u;
    let place = k * select(3u, 6u, jacobi);
    var lambda = mat3x3<f32>();
    if launch.index > 0u { lambda = load_lambda(place); }
    let shape = g2.w * (launch.dt * launch.dt);
    var volume = g1.w * (launch.dt * launch.dt);
    if (position_memories[k] & POSITION_LOOSE) != 0u { volume = min(volume, POSITION_LOOSE_LAMBDA * shape); }
    let crushed = min(elasticity_dot(f, f) * (1.0 / POSITION_CRUSHED), 1.0);
    let wrong = shape * (h - crushed * f) - (volume * change) * h - lambda;
    let g0 = g1.xyz + g2.xyz + g3.xyz;
    let w1 = c.o2.w * g1.xyz;
    let w2 = c.o3.w * g2.xyz;
    let w3 = c.o4.w * g3.xyz;
    let w0 = c.o1.w * g0;
    let g = mat3x3<f32>(
        g1.x * w1 + g2.x * w2 + g3.x * w3 + g0.x * w0,
        g1.y * w1 + g2.y * w2 + g3.y * w3 + g0.y * w0,
        g1.z * w1 + g2.z * w2 + g3.z * w3 + g0.z * w0,
    );
    let factors = factorise((bound(f, change, volume, shape) * POSITION_SHARE) * g);
    let moved = solve(factors, h) * g;
    let gain = volume * elasticity_dot(moved, wrong) / (1.0 + volume * elasticity_dot(moved, h));
    let step = world.relaxation * solve(factors, wrong - gain * h);
    if iterate_keeps() {
        var next = lambda + step;
        if jacobi {
            var before = mat3x3<f32>();
            if launch.index > 0u { before = load_lambda(place + 3u); }
            next = (1.0 - launch.weight) * before + launch.weight * next;
            store_lambda(place + 3u, lambda);
        }
        store_lambda(place, next);
    }
    let pull1 = step * g1.xyz;
    let pull2 = step * g2.xyz;
    let pull3 = step * g3.xyz;
    move_corner(4u * number, i.x, c.o1, c.x1.w, -(pull1 + pull2 + pull3));
    move_corner(4u * number + 1u, i.y, c.o2, c.x2.w, pull1);
    move_corner(4u * number + 2u, i.z, c.o3, c.x3.w, pull2);
    move_corner(4u * number + 3u, i.w, c.o4, c.x4.w, pull3);
}

// No less than the stiffness in any direction, but for the part along the cofactors.
fn bound(f: mat3x3<f32>, change: f32, volume: f32, shape: f32) -> f32 {
    let square = elasticity_dot(f, f);
    let pressure = volume * change - shape;
    var ratio = 0.0;
    if square > 0.0 { ratio = (change + 1.0) / square; }
    let crushed = square * (1.0 / POSITION_CRUSHED);
    let own = select(1.0, 3.0 * crushed, crushed < 1.0);
    return shape * own + abs(pressure) * sqrt(square) + pressure * ratio;
}

// 1 + M of a symmetric M that is nowhere negative, as L D Lᵀ.
struct Factors {
    yx: f32,
    zx: f32,
    zy: f32,
    scales: vec3<f32>,   // 1/D
}

fn factorise(m: mat3x3<f32>) -> Factors {
    // No pivot is below 1 but by rounding.
    let x = 1.0 / (1.0 + m[0].x);
    let yx = m[0].y * x;
    let zx = m[0].z * x;
    let y = 1.0 / max(1.0, 1.0 + m[1].y - yx * m[0].y);
    let rest = m[1].z - yx * m[0].z;
    let zy = rest * y;
    let z = 1.0 / max(1.0, 1.0 + m[2].z - zx * m[0].z - zy * rest);
    return Factors(yx, zx, zy, vec3<f32>(x, y, z));
}

// X of X (1 + M) = B.
fn solve(l: Factors, b: mat3x3<f32>) -> mat3x3<f32> {
    let below = b[1] - l.yx * b[0];
    let z = l.scales.z * (b[2] - l.zx * b[0] - l.zy * below);
    let y = l.scales.y * below - l.zy * z;
    let x = l.scales.x * b[0] - l.yx * y - l.zx * z;
    return mat3x3<f32>(x, y, z);
}

fn load_lambda(place: u32) -> mat3x3<f32> {
    return mat3x3<f32>(position_lambdas[place].xyz, position_lambdas[place + 1u].xyz, position_lambdas[place + 2u].xyz);
}

fn store_lambda(place: u32, lambda: mat3x3<f32>) {
    position_lambdas[place] = vec4<f32>(lambda[0], 0.0);
    position_lambdas[place + 1u] = vec4<f32>(lambda[1], 0.0);
    position_lambdas[place + 2u] = vec4<f32>(lambda[2], 0.0);
}

// Tetrahedra of one colour may share what cannot move; that is not written.
fn move_corner(slot: u32, i: u32, offset: vec4<f32>, w: f32, pull: vec3<f32>) {
    if w > 0.0 || (launch.flags & ITERATE_JACOBI) != 0u {
        iterate_apply(slot, i, offset, w * pull);
    }
}
