// Loads change the velocities of particles, one thread per loaded particle. src/loads/act.rs has the equations.
#import launch
#import world

const FIXED: u32 = 0u;
const PRESSING: u32 = 2u;
const STRUNG: u32 = 3u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> strengths: array<f32>;                  // s, or p [Pa]
@group(0) @binding(3) var<storage, read> act_rows: array<vec4<u32>>;             // particle; slots: first, end
@group(0) @binding(4) var<storage, read> act_slots: array<vec4<u32>>;            // load, or of a cable the stretch after it; particles a and b, kind
@group(0) @binding(5) var<storage, read> act_vectors: array<vec4<f32>>;          // F [N]; of a cable 1 where there is a, b
@group(0) @binding(6) var<storage, read> tensions: array<f32>;                   // of cables [N]
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read_write> velocities: array<vec4<f32>>;     // xyz [m/s]
@group(0) @binding(9) var<storage, read_write> acting: array<vec4<f32>>;         // xyz [N]

// A vector given along the axes of a corner; nothing where these are not known.
fn along(u: vec3<f32>, v: vec3<f32>, given: vec3<f32>) -> vec3<f32> {
    let n = cross(u, v);
    let length_u = length(u);
    let height = length(n);
    if length_u * height == 0.0 { return vec3<f32>(0.0); }
    let e1 = u / length_u;
    let e3 = n / height;
    return e1 * given.x + cross(e3, e1) * given.y + e3 * given.z;
}

// The direction of a vector; nothing of nothing.
fn unit(v: vec3<f32>) -> vec3<f32> {
    let size = length(v);
    return select(vec3<f32>(0.0), v / select(1.0, size, size > 0.0), size > 0.0);
}

@compute @workgroup_size(64)
fn act(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let row = act_rows[launch_id(id)];
    let x = positions[row.x];
    var sum = vec3<f32>(0.0);
    for (var slot = row.y; slot < row.z; slot++) {
        let what = act_slots[slot];
        let given = act_vectors[slot].xyz;
        let u = positions[what.y].xyz - x.xyz;
        let v = positions[what.z].xyz - x.xyz;
        if what.w == STRUNG {
            if given.x > 0.0 { sum += unit(u) * tensions[what.x - 1u]; }
            if given.y > 0.0 { sum += unit(v) * tensions[what.x]; }
        } else if what.w == FIXED {
            sum += given * strengths[what.x];
        } else if what.w == PRESSING {
            sum += cross(u, v) * (strengths[what.x] / 6.0);
        } else {
            sum += along(u, v, given) * strengths[what.x];
        }
    }
    let velocity = velocities[row.x];
    velocities[row.x] = vec4<f32>(velocity.xyz + sum * (launch.dt * x.w / world.keep), velocity.w);
    acting[row.x] = vec4<f32>(sum, 0.0);
}
