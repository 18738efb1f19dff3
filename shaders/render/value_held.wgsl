// Energy and stress of each constraint and of each triangle or hinge of a sheet. The same as src/model/fields.rs on the host,
// which has the formulas.
#import values

struct Held {
    particles: vec4<u32>,
    kind: vec4<u32>,
    numbers: array<vec4<f32>, 3>,    // as each kind says below; energies are one particle's share
}

const LINK = 0u;
const HINGE = 1u;
const ISOMETRIC = 2u;
const AREA = 3u;
const VOLUME = 4u;
const MEMBRANE = 5u;
const FOLD = 6u;
const TURN = 6.2831853;
const SMALL = 0.3;                   // [rad] below which the sine is taken by its series

@group(0) @binding(0) var<uniform> values: Values;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(2) var<storage, read> held: array<Held>;
@group(0) @binding(3) var<storage, read_write> element_values: array<vec4<f32>>;    // a particle's share of the energy [J], stress [Pa], stretch [J/m]

// The angle between the triangles that share the edge from x₃ to x₄, which is where all are measured from.
fn dihedral(x1: vec3<f32>, x2: vec3<f32>, e: vec3<f32>) -> f32 {
    let n1 = cross(e, x1);
    let n2 = cross(x2, e);
    let size = length(e);
    return atan2(dot(cross(n1, n2), select(vec3(0.0), e / size, size > 0.0)), dot(n1, n2));
}

// sin δ − δ.
fn sine_rest(angle: f32) -> f32 {
    let square = angle * angle;
    let series = -angle * square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0));
    return select(sin(angle) - angle, series, abs(angle) < SMALL);
}

// x: L [m], y z: energy over c² pulled and pushed; then stress over c.
fn of_link(c: f32, n0: vec4<f32>, n1: vec4<f32>) -> vec2<f32> {
    return vec2(select(n0.z, n0.y, c > 0.0) * c * c, select(n1.y, n1.x, c > 0.0) * c);
}

// D⁻¹ by columns; moduli a₁₁ a₂₂ a₁₂ G [N/m]; a third of the area [m²], 1 for a co-rotational law, 1 over the thickness [1/m],
// 1 for a sheet that wrinkles.
fn of_membrane(b: vec3<f32>, c: vec3<f32>, rest: vec4<f32>, moduli: vec4<f32>, size: vec4<f32>) -> vec2<f32> {
    let f1 = b * rest.x + c * rest.y;
    let f2 = b * rest.z + c * rest.w;
    let c11 = dot(f1, f1);
    let c22 = dot(f2, f2);
    let c12 = dot(f1, f2);
    let s = length(cross(f1, f2));
    let t = sqrt(c11 + c22 + 2.0 * s);
    let u = select(vec3(-1.0, -1.0, 0.0), vec3((c11 + s) / t - 1.0, (c22 + s) / t - 1.0, c12 / t), t > 0.0);
    let green = 0.5 * vec3(c11 - 1.0, c22 - 1.0, c12);
    let e = select(green, u, size.y > 0.0);
    var energy = 0.5 * (moduli.x * e.x * e.x + 2.0 * moduli.z * e.x * e.y + moduli.y * e.y * e.y) + 2.0 * moduli.w * e.z * e.z;
    if size.w > 0.0 {
        let nu = moduli.z / moduli.x;
        let mean = 0.5 * (e.x + e.y);
        let radius = length(vec2(0.5 * (e.x - e.y), e.z));
        let high = max(mean + radius, 0.0);
        if (mean - radius) + nu * (mean + radius) < 0.0 { energy = 0.5 * moduli.x * (1.0 - nu * nu) * high * high; }
    }
    let stress = vec3(moduli.x * u.x + moduli.z * u.y, moduli.z * u.x + moduli.y * u.y, 2.0 * moduli.w * u.z);
    return vec2(size.x * energy, max(max(abs(stress.x), abs(stress.y)), abs(stress.z)) * size.z);
}

@compute @workgroup_size(64)
fn value_held(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= values.held_count { return; }
    let element = held[i];
    let p = element.particles;
    let n0 = element.numbers[0];
    let n1 = element.numbers[1];
    let a = positions[p.x].xyz;
    let b = positions[p.y].xyz;
    var value = vec2(0.0);
    if element.kind.x == LINK {
        value = of_link(distance(a, b) - n0.x, n0, n1);
    } else {
        let c = positions[p.z].xyz;
        let d = positions[select(p.w, p.z, p.w == NOBODY)].xyz;
        switch element.kind.x {
            case HINGE {
                let wide = dihedral(a - c, b - c, d - c) - n0.x;
                let bent = wide - TURN * round(wide / TURN);
                value.x = n0.y * bent * bent;
            }
            case ISOMETRIC {
                // The weights sum to zero: nothing is lost by measuring from the last.
                let bent = n0.x * (a - d) + n0.y * (b - d) + n0.z * (c - d);
                value.x = n1.x * dot(bent, bent);
            }
            case AREA {
                let change = 0.5 * length(cross(b - a, c - a)) - n0.x;
                value.x = n0.y * change * change;
            }
            case VOLUME {
                let change = dot(cross(b - a, c - a), d - a) / 6.0 - n0.x;
                value.x = n0.y * change * change;
            }
            case MEMBRANE {
                value = of_membrane(b - a, c - a, n0, n1, element.numbers[2]);
            }
            default {
                // cos r/2 − cos θ/2 − ½ sin r/2 (θ − r), written so that nothing cancels where θ is near r.
                let turn = 0.5 * (dihedral(a - c, b - c, d - c) - n0.x);
                let half = sin(0.5 * turn);
                value.x = n0.y * (cos(0.5 * n0.x) * 2.0 * half * half + sin(0.5 * n0.x) * sine_rest(turn));
            }
        }
    }
    element_values[i] = vec4(value.x, abs(value.y), 0.0, 0.0);
}
