// Global damping with the least couples that keep the spin, one workgroup per body.
#import launch
#import couples

const LANES: u32 = 256u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> damp_motions: array<vec4<f32>>;     // centre from the first particle, mass; dt v_cm; dt ω; dt Σ m vᵣ/M
@group(0) @binding(2) var<storage, read> damp_masses: array<f32>;            // [kg]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;        // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> residuals: array<vec4<f32>>;        // xyz [m]
@group(0) @binding(5) var<storage, read_write> offsets: array<vec4<f32>>;    // xyz [m], w = solver's 1/mass

var<workgroup> sums_a: array<vec4<f32>, LANES>;     // dt L; dt² Σ m v²
var<workgroup> sums_b: array<vec2<f32>, LANES>;     // Σ m r²; M
var<workgroup> extremes: array<CouplesExtremes, LANES / 4u>;
var<workgroup> chosen: Couples;

// What can move has its mass; points have the body's own numbers.
fn mass(k: u32) -> f32 {
    let i = launch.first + k;
    return select(0.0, damp_masses[i], positions[i].w > 0.0);
}

fn arm(k: u32) -> vec3<f32> {
    let i = launch.first + k;
    let f = launch.first;
    let place = (positions[i].xyz - positions[f].xyz) + (residuals[i].xyz - residuals[f].xyz);
    return place - damp_motions[4u * launch.base].xyz;
}

fn way(k: u32) -> vec3<f32> {
    let i = launch.first + k;
    return offsets[i].xyz - residuals[i].xyz - damp_motions[4u * launch.base + 1u].xyz;
}

@compute @workgroup_size(256)
fn damp_couples(@builtin(local_invocation_index) lane: u32) {
    var a = vec4<f32>(0.0);
    var b = vec2<f32>(0.0);
    for (var k = lane; k < launch.count; k += LANES) {
        let m = mass(k);
        let r = arm(k);
        let v = way(k);
        a += vec4<f32>(m * cross(r, v), m * dot(v, v));
        b += vec2<f32>(m * dot(r, r), m);
    }
    sums_a[lane] = a;
    sums_b[lane] = b;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if lane < half {
            sums_a[lane] += sums_a[lane + half];
            sums_b[lane] += sums_b[lane + half];
        }
        workgroupBarrier();
    }
    let sums = workgroupUniformLoad(&sums_a[0]);
    let size = sqrt(workgroupUniformLoad(&sums_b[0]).x / workgroupUniformLoad(&sums_b[0]).y);
    if !(size > 0.0) { return; }
    let spin = length(sums.xyz);
    let torque = couples_unit(sums.xyz);

    if lane == 0u { chosen = Couples(); }
    workgroupBarrier();
    if spin > 0.0 {
        for (var round = 0u; round < COUPLES_ROUNDS; round++) {
            let price = couples_price(workgroupUniformLoad(&chosen), round, torque);
            var own = couples_nobody();
            for (var k = lane; k < launch.count; k += LANES) {
                if mass(k) > 0.0 { own = couples_look(own, k, cross(price, arm(k) / size)); }
            }
            // A quarter of the lanes' memory is enough: they come in four turns.
            for (var turn = 0u; turn < 4u; turn++) {
                if lane / (LANES / 4u) == turn {
                    let place = lane % (LANES / 4u);
                    if turn == 0u { extremes[place] = own; } else { extremes[place] = couples_join(extremes[place], own); }
                }
                workgroupBarrier();
            }
            for (var half = LANES / 8u; half > 0u; half /= 2u) {
                if lane < half { extremes[lane] = couples_join(extremes[lane], extremes[lane + half]); }
                workgroupBarrier();
            }
            if lane == 0u {
                let e = extremes[0];
                let axis = couples_best(e);
                let between = (arm(e.heads[axis]) - arm(e.tails[axis])) / size;
                chosen = couples_enter(chosen, round, e, axis, between, torque);
            }
            if workgroupUniformLoad(&chosen.done) != 0u { break; }
        }
    }
    var c = workgroupUniformLoad(&chosen);
    c.strengths = (spin / size) * c.strengths;
    var work = 0.0;
    var square = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let axis = c.axes[k];
        if c.strengths[k] > 0.0 {
            work += c.strengths[k] * (way(c.heads[k])[axis] - way(c.tails[k])[axis]);
            square += c.strengths[k] * (couples_pull(c, c.heads[k])[axis] / mass(c.heads[k])
                - couples_pull(c, c.tails[k])[axis] / mass(c.tails[k]));
        }
    }
    var share = launch.weight * couples_share(launch.weight, sums.w, work, square);
    // Points on a line make no torque and are not damped.
    if spin > 0.0 && c.strengths.x + c.strengths.y + c.strengths.z == 0.0 { share = 0.0; }
    // The ends' velocities have been read by all.
    storageBarrier();
    workgroupBarrier();
    for (var k = lane; k < launch.count; k += LANES) {
        let m = mass(k);
        let i = launch.first + k;
        if m > 0.0 { offsets[i] -= vec4<f32>(share * (way(k) - couples_pull(c, k) / m), 0.0); }
    }
}
