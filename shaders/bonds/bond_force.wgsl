// What a bond does to its two cells, how that changes with their motion, and what breaks, one thread per bond.
#import launch
#import turn

const POSE: u32 = 3u;
const LAW: u32 = 6u;
const BLOCK: u32 = 12u;
const UPDATE: u32 = 1u;            // after a solution, when damage grows
const COMMIT: u32 = 2u;            // the last visit of a substep
const LEAST: f32 = 1.0 / 1.05;     // most 1/λ_f
const YIELDING: f32 = 0.02;        // of the stiffness of what yields

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> bond_ends: array<vec4<u32>>;           // cells i, j, law
@group(0) @binding(2) var<storage, read> bond_laws: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bond_strengths: array<f32>;            // factors of all strengths but that to pressure
@group(0) @binding(4) var<storage, read> cell_poses: array<vec4<f32>>;          // three per cell
@group(0) @binding(5) var<storage, read> bond_counts: array<u32>;               // done, rounds
@group(0) @binding(6) var<storage, read_write> bond_states: array<vec4<f32>>;   // damage, δᵖ before and now [m], energy spent [J/m²]
@group(0) @binding(7) var<storage, read_write> bond_blocks: array<vec4<f32>>;   // twelve per bond, along the axes of the world
@group(0) @binding(8) var<storage, read_write> bond_changes: array<f32>;        // the largest change of damage or yield

// How far a rotation by a Gibbs vector moves a point.
fn swing(g: vec3<f32>, a: vec3<f32>) -> vec3<f32> {
    let once = cross(g, a);
    return (once + cross(g, once)) * (2.0 / (1.0 + dot(g, g)));
}

fn matrix_of(q: vec4<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(
        vec3<f32>(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y)),
        vec3<f32>(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x)),
        vec3<f32>(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
    );
}

fn store(first: u32, axes: mat3x3<f32>, m: mat3x3<f32>) {
    let world = axes * m * transpose(axes);
    for (var k = 0u; k < 3u; k++) { bond_blocks[first + k] = vec4<f32>(world[k], 0.0); }
}

struct Pull {
    traction: vec3<f32>,     // [Pa]
    stiffness: vec3<f32>,    // [Pa/m]
    state: vec4<f32>,
    load: f32,               // stress over strength
    change: f32,
}

// The share of its energy that a damage has spent.
fn spent(d: f32, inverse: f32) -> f32 {
    return d * inverse / max(1.0 - d * (1.0 - inverse), inverse);
}

// The law of a point from how far it has parted.
fn pull(law: u32, strength: f32, state: vec4<f32>, gap: vec3<f32>, is_update: bool) -> Pull {
    let k = bond_laws[law].xyz;
    let n = bond_laws[law + 1u].xyz / bond_laws[law + 1u].w;
    let resistance = bond_laws[law + 4u].w;
    let normal = dot(k, n);
    let opening = dot(gap, n);
    // Pressure, and what it leaves.
    let yields = normal * (opening - state.y) < -resistance;
    let plastic = select(state.y, opening + resistance / normal, yields);
    let whole = k * (gap - plastic * n);
    let tension = dot(whole, n);
    let is_pressed = tension < 0.0;
    let pressure = min(tension, 0.0) * n;
    // Tension and shear.
    let ratio = (bond_laws[law + 4u].xyz * (whole - pressure)) / strength;
    let square = dot(ratio, ratio);
    let load = sqrt(square);
    var grown = 0.0;
    var share = 0.0;
    var inverse = LEAST;
    if load > 1.0 {
        share = 1.0 / square;
        inverse = min(dot(ratio * ratio, bond_laws[law + 5u].xyz) * share * strength * strength, LEAST);
        grown = min((load - 1.0) / (load * (1.0 - inverse)), 1.0);
    }
    let damage = select(state.x, max(state.x, grown), is_update);
    var spending = 0.0;
    if damage > state.x {
        let energy = 0.5 * dot(whole - pressure, gap - plastic * n) * share / max(inverse, 1e-9);
        spending = energy * (spent(damage, inverse) - spent(state.x, inverse));
    }
    let left = 1.0 - damage;
    var stiffness = left * k;
    if is_pressed { stiffness += (select(1.0, YIELDING, yields) - left) * (normal * n); }
    let flow = abs(plastic - state.z) * normal / resistance;
    return Pull(
        left * (whole - pressure) + pressure,
        stiffness,
        vec4<f32>(damage, state.y, plastic, state.w + spending),
        load * left,
        max(damage - state.x, flow),
    );
}

@compute @workgroup_size(64)
fn bond_force(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = launch_id(id);
    if n >= launch.count { return; }
    let is_update = (launch.flags & UPDATE) != 0u;
    let is_last = (launch.flags & COMMIT) != 0u;
    if bond_counts[0] != 0u && !is_last { return; }
    let ends = bond_ends[n];
    let i = POSE * ends.x;
    let j = POSE * ends.y;
    let law = LAW * ends.z;
    let area = bond_laws[law].w;
    let along = bond_laws[law + 1u].xyz;
    let way = (cell_poses[j].xyz - cell_poses[i].xyz) + (cell_poses[j + 1u].xyz - cell_poses[i + 1u].xyz);
    let g = turn_between(cell_poses[i + 2u], cell_poses[j + 2u]);
    let half = g / (1.0 + sqrt(1.0 + dot(g, g)));
    let middle = turn_apply(cell_poses[i + 2u], half);
    let d = quat_rotate(quat_conjugate(middle), way);
    var force = vec3<f32>(0.0);
    var moment = vec3<f32>(0.0);
    var tt = vec3<f32>(0.0);
    var tr = mat3x3<f32>();
    var rr = mat3x3<f32>();
    var load = 0.0;
    var damage = 0.0;
    var change = 0.0;
    for (var k = 0u; k < 4u; k++) {
        let place = select(-1.0, 1.0, (k & 1u) == 1u) * bond_laws[law + 2u].xyz
            + select(-1.0, 1.0, (k >> 1u & 1u) == 1u) * bond_laws[law + 3u].xyz;
        let near = place + 0.5 * along;
        let back = swing(-half, near);
        let delta = (d - along) + (swing(half, place - 0.5 * along) - back);
        let s = near + back + 0.5 * (delta - d);
        let point = 4u * n + k;
        let found = pull(law, bond_strengths[n], bond_states[point], delta, is_update);
        if is_update {
            let state = found.state;
            bond_states[point] = vec4<f32>(state.x, select(state.y, state.z, is_last), state.z, state.w);
        }
        load = max(load, found.load);
        damage += 0.25 * found.state.x;
        change = max(change, found.change);
        let c = area * found.stiffness;
        let t = area * found.traction;
        force += t;
        moment += cross(s, t);
        // φ × s = X φ.
        let x = mat3x3<f32>(0.0, -s.z, s.y, s.z, 0.0, -s.x, -s.y, s.x, 0.0);
        let cx = mat3x3<f32>(c * x[0], c * x[1], c * x[2]);
        tt += c;
        tr += cx;
        rr += transpose(x) * cx;
    }
    bond_changes[n] = change;
    let axes = matrix_of(middle);
    store(BLOCK * n, axes, mat3x3<f32>(tt.x, 0.0, 0.0, 0.0, tt.y, 0.0, 0.0, 0.0, tt.z));
    store(BLOCK * n + 3u, axes, tr);
    store(BLOCK * n + 6u, axes, rr);
    bond_blocks[BLOCK * n + 9u] = vec4<f32>(axes * force, load);
    bond_blocks[BLOCK * n + 10u] = vec4<f32>(axes * moment, damage);
    bond_blocks[BLOCK * n + 11u] = vec4<f32>(0.5 * way, 0.0);
}
