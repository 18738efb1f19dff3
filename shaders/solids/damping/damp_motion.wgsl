// The rigid motion of a body: centre of mass, its velocity, the spin, one workgroup per body.
#import launch
#import spin

const LANES: u32 = 256u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> damp_masses: array<f32>;               // [kg], also of pinned particles
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(3) var<storage, read> residuals: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(4) var<storage, read> offsets: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(5) var<storage, read_write> damp_motions: array<vec4<f32>>;  // centre from the first particle, mass; dt v_cm; dt ω; dt Σ m vᵣ/M

var<workgroup> sums_a: array<vec4<f32>, LANES>;
var<workgroup> sums_b: array<vec3<f32>, LANES>;
var<workgroup> sums_c: array<vec3<f32>, LANES>;
var<workgroup> sums_d: array<vec3<f32>, LANES>;

// Every lane's four sums onto those of lane 0.
fn gather_sums(lane: u32) {
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if lane < half {
            sums_a[lane] += sums_a[lane + half];
            sums_b[lane] += sums_b[lane + half];
            sums_c[lane] += sums_c[lane + half];
            sums_d[lane] += sums_d[lane + half];
        }
        workgroupBarrier();
    }
}

fn place(i: u32) -> vec3<f32> {
    let f = launch.first;
    return (positions[i].xyz - positions[f].xyz) + (residuals[i].xyz - residuals[f].xyz);
}

fn way(i: u32) -> vec3<f32> {
    return offsets[i].xyz - residuals[i].xyz;
}

@compute @workgroup_size(256)
fn damp_motion(@builtin(local_invocation_index) lane: u32) {
    let end = launch.first + launch.count;
    let base = way(launch.first);
    var a = vec4<f32>(0.0);
    var b = vec3<f32>(0.0);
    for (var i = launch.first + lane; i < end; i += LANES) {
        let m = damp_masses[i];
        a += vec4<f32>(m * place(i), m);
        b += m * (way(i) - base);
    }
    sums_a[lane] = a;
    sums_b[lane] = b;
    sums_c[lane] = vec3<f32>(0.0);
    sums_d[lane] = vec3<f32>(0.0);
    gather_sums(lane);
    let mass = sums_a[0].w;
    let centre = sums_a[0].xyz / mass;
    let drift = sums_b[0] / mass;
    workgroupBarrier();

    var l = vec4<f32>(0.0);
    var d = vec3<f32>(0.0);
    var o = vec3<f32>(0.0);
    var s = vec3<f32>(0.0);
    for (var i = launch.first + lane; i < end; i += LANES) {
        let m = damp_masses[i];
        let r = place(i) - centre;
        let v = (way(i) - base) - drift;
        l += vec4<f32>(m * cross(r, v), 0.0);
        d += m * (vec3<f32>(dot(r, r)) - r * r);
        o -= m * r * r.yzx;
        s += m * spin_radial(r, v);
    }
    sums_a[lane] = l;
    sums_b[lane] = d;
    sums_c[lane] = o;
    sums_d[lane] = s;
    gather_sums(lane);
    if lane == 0u {
        let slot = 4u * launch.base;
        damp_motions[slot] = vec4<f32>(centre, mass);
        damp_motions[slot + 1u] = vec4<f32>(base + drift, 0.0);
        damp_motions[slot + 2u] = vec4<f32>(spin_of(sums_b[0], sums_c[0], sums_a[0].xyz), 0.0);
        damp_motions[slot + 3u] = vec4<f32>(sums_d[0] / mass, 0.0);
    }
}
