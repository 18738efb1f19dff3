// Local damping: every tetrahedron slows its own corners towards its own motion, one thread per tetrahedron.
#import launch
#import spin
#import couples

const CENTRE: u32 = 1u;
const RIGID: u32 = 2u;
const COUPLES: u32 = 8u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> damp_corners: array<vec4<u32>>;            // particles
@group(0) @binding(2) var<storage, read> damp_starts: array<u32>;                   // where each particle's corners begin, and one end
@group(0) @binding(3) var<storage, read> damp_masses: array<f32>;                   // [kg]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(5) var<storage, read> residuals: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;                 // xyz [m]
@group(0) @binding(7) var<storage, read_write> damp_impulses: array<vec4<f32>>;     // dt Δ(m v) of each corner [kg m]

// v − c/m of the couples c that keep the spin, times the share that leaves the least kinetic energy.
fn spared(masses: vec4<f32>, arms: array<vec3<f32>, 4>, velocities: array<vec3<f32>, 4>) -> array<vec3<f32>, 4> {
    var m = masses;
    var r = arms;
    var v = velocities;
    var momentum = vec3<f32>(0.0);
    var energy = 0.0;
    var inertia = 0.0;
    for (var p = 0u; p < 4u; p++) {
        momentum += m[p] * cross(r[p], v[p]);
        energy += m[p] * dot(v[p], v[p]);
        inertia += m[p] * dot(r[p], r[p]);
    }
    let spin = length(momentum);
    let size = sqrt(inertia / (m.x + m.y + m.z + m.w));
    if !(spin > 0.0 && size > 0.0) { return v; }
    let torque = couples_unit(momentum);
    for (var p = 0u; p < 4u; p++) { r[p] = r[p] / size; }
    var c = Couples();
    for (var round = 0u; round < COUPLES_ROUNDS; round++) {
        let price = couples_price(c, round, torque);
        var e = couples_nobody();
        for (var p = 0u; p < 4u; p++) { e = couples_look(e, p, cross(price, r[p])); }
        let axis = couples_best(e);
        c = couples_enter(c, round, e, axis, r[e.heads[axis]] - r[e.tails[axis]], torque);
        if c.done != 0u { break; }
    }
    c.strengths = (spin / size) * c.strengths;
    var work = 0.0;
    var square = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let axis = c.axes[k];
        let head = c.heads[k];
        let tail = c.tails[k];
        work += c.strengths[k] * (v[head][axis] - v[tail][axis]);
        square += c.strengths[k] * (couples_pull(c, head)[axis] / m[head] - couples_pull(c, tail)[axis] / m[tail]);
    }
    var share = couples_share(launch.weight, energy, work, square);
    // Points on a line make no torque and are not damped.
    if c.strengths.x + c.strengths.y + c.strengths.z == 0.0 { share = 0.0; }
    for (var p = 0u; p < 4u; p++) { v[p] = share * (v[p] - couples_pull(c, p) / m[p]); }
    return v;
}

@compute @workgroup_size(64)
fn damp_tets(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    let t = launch.first + number;
    var particles = damp_corners[t];
    let f = particles.x;
    let base = offsets[f].xyz - residuals[f].xyz;
    var m: vec4<f32>;
    var r: array<vec3<f32>, 4>;
    var v: array<vec3<f32>, 4>;
    for (var c = 0u; c < 4u; c++) {
        let p = particles[c];
        m[c] = damp_masses[p] / f32(damp_starts[p + 1u] - damp_starts[p]);
        r[c] = (positions[p].xyz - positions[f].xyz) + (residuals[p].xyz - residuals[f].xyz);
        v[c] = (offsets[p].xyz - residuals[p].xyz) - base;
    }
    let mass = m.x + m.y + m.z + m.w;
    let centre = (m.x * r[0] + m.y * r[1] + m.z * r[2] + m.w * r[3]) / mass;
    let drift = (m.x * v[0] + m.y * v[1] + m.z * v[2] + m.w * v[3]) / mass;
    for (var c = 0u; c < 4u; c++) {
        r[c] -= centre;
        v[c] -= drift;
    }
    if (launch.flags & RIGID) != 0u {
        var diagonal = vec3<f32>(0.0);
        var off = vec3<f32>(0.0);
        var momentum = vec3<f32>(0.0);
        for (var c = 0u; c < 4u; c++) {
            diagonal += m[c] * (vec3<f32>(dot(r[c], r[c])) - r[c] * r[c]);
            off -= m[c] * r[c] * r[c].yzx;
            momentum += m[c] * cross(r[c], v[c]);
        }
        let omega = spin_of(diagonal, off, momentum);
        for (var c = 0u; c < 4u; c++) { v[c] -= cross(omega, r[c]); }
    } else if (launch.flags & CENTRE) != 0u {
        for (var c = 0u; c < 4u; c++) { v[c] = spin_radial(r[c], v[c]); }
        let left = (m.x * v[0] + m.y * v[1] + m.z * v[2] + m.w * v[3]) / mass;
        for (var c = 0u; c < 4u; c++) { v[c] -= left; }
    } else if (launch.flags & COUPLES) != 0u {
        v = spared(m, r, v);
    }
    for (var c = 0u; c < 4u; c++) {
        damp_impulses[4u * t + c] = vec4<f32>(-(launch.weight * m[c]) * v[c], 0.0);
    }
}
