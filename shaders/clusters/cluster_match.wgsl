// The best motion of a cluster's rest shape, and the pull of its members towards it, one thread per cluster.
// src/clusters/cluster_match.rs has the equations.
#import launch
#import rotation

const CLUSTER_LAW: u32 = 6u;
const CLUSTER_STATE: u32 = 4u;
const CLUSTER_PULL: u32 = 2u;
const CLUSTER_RIGID: u32 = 0u;
const CLUSTER_QUADRATIC: u32 = 2u;
const CLUSTER_GRADIENT: u32 = 4u;       // the rotation is that of F
const CLUSTER_KEEPS_VOLUME: u32 = 8u;
const CLUSTER_LAST: u32 = 1u;           // the last iteration of a substep
const CLUSTER_LEAST_VOLUME: f32 = 1e-3; // det F below which it says nothing about the volume

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cluster_starts: array<u32>;                // where each cluster's members begin, and one end
@group(0) @binding(2) var<storage, read> cluster_laws: array<vec4<f32>>;            // kind, β, α [s²], 1/radius [1/m]; columns of M of trace 3, w: yield, rate [1/s], most; means of products
@group(0) @binding(3) var<storage, read> cluster_members: array<u32>;               // particles
@group(0) @binding(4) var<storage, read> member_rest: array<vec4<f32>>;             // q [m], μ; d [1/m]; of quadratic clusters d of xx, yy, zz; d of xy, yz, zx
@group(0) @binding(5) var<storage, read_write> cluster_states: array<vec4<f32>>;    // rotation; columns of D
@group(0) @binding(6) var<storage, read_write> member_pulls: array<vec4<f32>>;      // δ [m]; Λ [m]
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(8) var<storage, read> offsets: array<vec4<f32>>;                 // xyz [m]

fn outer(x: vec3<f32>, y: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(x * y.x, x * y.y, x * y.z);
}

fn size_of(m: mat3x3<f32>) -> f32 {
    return sqrt(dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]));
}

// M⁻¹ of a matrix of positive determinant.
fn inverse(m: mat3x3<f32>) -> mat3x3<f32> {
    let cofactors = mat3x3<f32>(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    return transpose(cofactors) * (1.0 / dot(m[0], cofactors[0]));
}

fn cube_root(x: f32) -> f32 {
    return exp(log(x) / 3.0);
}

fn unit() -> mat3x3<f32> {
    return mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
}

// Of volume one again.
fn of_volume_one(m: mat3x3<f32>) -> mat3x3<f32> {
    return m * cube_root(1.0 / max(determinant(m), CLUSTER_LEAST_VOLUME));
}

// D after the flow of one substep, from RᵀF and D before.
fn flow(stretch: mat3x3<f32>, flowed: mat3x3<f32>, limit: f32, share: f32, most: f32) -> mat3x3<f32> {
    let symmetric = (stretch + transpose(stretch)) * 0.5;
    let mean = (symmetric[0].x + symmetric[1].y + symmetric[2].z) / 3.0;
    let e = symmetric - unit() * mean;
    let size = size_of(e);
    if !(size > limit) { return flowed; }
    var next = of_volume_one((unit() + e * (share * (1.0 - limit / size))) * flowed);
    let change = next - unit();
    let distance = size_of(change);
    if distance > most { next = of_volume_one(unit() + change * (most / distance)); }
    return next;
}

@compute @workgroup_size(64)
fn cluster_match(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let rows = launch.base;
    let law = CLUSTER_LAW * k;
    let own = CLUSTER_STATE * k;
    let begin = cluster_starts[k];
    let end = cluster_starts[k + 1u];
    let settings = cluster_laws[law];
    let kind = u32(settings.x);
    let quadratic = kind % CLUSTER_GRADIENT == CLUSTER_QUADRATIC;
    let first = cluster_members[begin];
    let x0 = positions[first].xyz;
    let o0 = offsets[first].xyz;
    var centre = vec3<f32>();
    var f = mat3x3<f32>();
    var squares = mat3x3<f32>();
    var products = mat3x3<f32>();
    for (var s = begin; s < end; s++) {
        let i = cluster_members[s];
        let x = (positions[i].xyz - x0) + (offsets[i].xyz - o0);
        centre += x * member_rest[rows * s].w;
        f += outer(x, member_rest[rows * s + 1u].xyz);
        if quadratic {
            squares += outer(x, member_rest[rows * s + 2u].xyz);
            products += outer(x, member_rest[rows * s + 3u].xyz);
        }
    }
    let flowed = mat3x3<f32>(cluster_states[own + 1u].xyz, cluster_states[own + 2u].xyz, cluster_states[own + 3u].xyz);
    let gradient = f * inverse(flowed);
    let moments = mat3x3<f32>(cluster_laws[law + 1u].xyz, cluster_laws[law + 2u].xyz, cluster_laws[law + 3u].xyz);
    var fitted = gradient;
    if (kind & CLUSTER_GRADIENT) == 0u { fitted = f * moments * transpose(flowed); }
    let none = vec3<f32>();
    let turn = rotation_extract(fitted, none, none, none, none, ROTATION_SMALLEST, cluster_states[own], 0u).q;
    let rotation = rotation_matrix(turn);
    var goal_map = rotation;
    if kind % CLUSTER_GRADIENT != CLUSTER_RIGID {
        let beta = settings.y;
        let volume = determinant(gradient);
        let keeps = (kind & CLUSTER_KEEPS_VOLUME) != 0u && volume > CLUSTER_LEAST_VOLUME;
        let size = select(1.0, cube_root(1.0 / max(volume, CLUSTER_LEAST_VOLUME)), keeps);
        goal_map = gradient * (beta * size) + rotation * (1.0 - beta);
        squares = squares * beta;
        products = products * beta;
        if quadratic {
            centre = centre - squares * cluster_laws[law + 4u].xyz - products * cluster_laws[law + 5u].xyz;
        }
    }
    let to = goal_map * flowed;
    let a = settings.z / (launch.dt * launch.dt);
    for (var s = begin; s < end; s++) {
        let i = cluster_members[s];
        let x = (positions[i].xyz - x0) + (offsets[i].xyz - o0);
        let q = member_rest[rows * s].xyz;
        var goal = centre + to * q;
        if quadratic {
            let u = q * settings.w;
            goal = goal + squares * (u * u) + products * (u * u.yzx);
        }
        var sum = vec3<f32>();
        if launch.index > 0u { sum = member_pulls[CLUSTER_PULL * s + 1u].xyz; }
        let pull = (goal - x - sum * a) / (1.0 + a);
        member_pulls[CLUSTER_PULL * s] = vec4<f32>(pull, 0.0);
        member_pulls[CLUSTER_PULL * s + 1u] = vec4<f32>(sum + pull, 0.0);
    }
    cluster_states[own] = turn;
    let limit = cluster_laws[law + 1u].w;
    if (launch.flags & CLUSTER_LAST) != 0u && limit > 0.0 {
        let share = min(launch.dt * cluster_laws[law + 2u].w, 1.0);
        let next = flow(transpose(rotation) * gradient, flowed, limit, share, cluster_laws[law + 3u].w);
        cluster_states[own + 1u] = vec4<f32>(next[0], 0.0);
        cluster_states[own + 2u] = vec4<f32>(next[1], 0.0);
        cluster_states[own + 3u] = vec4<f32>(next[2], 0.0);
    }
}
