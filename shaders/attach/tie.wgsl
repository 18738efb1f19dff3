// Two points of bodies that are joined, XPBD, one thread per tie of one colour. src/attach/tie.rs has the equations.
#import launch
#import world

const TIE_LAST: u32 = 1u;   // the last iteration of a substep

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                        // substeps done
@group(0) @binding(3) var<storage, read> ties: array<vec4<u32>>;                   // four particles of a; four of b
@group(0) @binding(4) var<storage, read> tie_rest: array<vec4<f32>>;               // s of a; s of b; ℓ [m], α [m/N], β [N s/m], most force [N]; release [s], closes from [s], 1/duration [1/s]
@group(0) @binding(5) var<storage, read_write> tie_lambdas: array<vec4<f32>>;      // pull on b so far, |λ| of a length [N s²]
@group(0) @binding(6) var<storage, read_write> tie_forces: array<vec4<f32>>;       // force on b [N], w = 1 when torn
@group(0) @binding(7) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(8) var<storage, read_write> offsets: array<vec4<f32>>;          // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn tie(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let law = tie_rest[4u * k + 2u];
    let times = tie_rest[4u * k + 3u];
    let state = tie_forces[k];
    let time = world_time(world, clock[0], launch.dt);
    if time >= times.x || state.w != 0.0 {
        tie_forces[k] = vec4<f32>(0.0, 0.0, 0.0, state.w);
        return;
    }
    let first = ties[2u * k].x;
    let x0 = positions[first].xyz;
    let o0 = offsets[first].xyz;
    var d = vec3<f32>();
    var moved = vec3<f32>();
    var weight = 0.0;
    for (var c = 0u; c < 8u; c++) {
        let i = ties[2u * k + c / 4u][c % 4u];
        let s = tie_rest[4u * k + c / 4u][c % 4u];
        let x = positions[i];
        let o = offsets[i].xyz;
        d += ((x.xyz - x0) + (o - o0)) * s;
        moved += o * s;
        weight += s * s * x.w;
    }
    var lambda = vec4<f32>();
    if launch.index > 0u { lambda = tie_lambdas[k]; }
    let closed = clamp((time - times.y) * times.z, 0.0, 1.0);
    let length_now = law.x * (1.0 - closed);
    let tilde = law.y / (launch.dt * launch.dt);
    let gamma = law.y * law.z / launch.dt;
    let movable = weight > 0.0;
    let gain = select(0.0, 1.0 / select(1.0, (1.0 + gamma) * weight + tilde, movable), movable);
    let distance = length(d);
    var pull = -(d + lambda.xyz * tilde + moved * gamma) * gain;
    var change = 0.0;
    if length_now > 0.0 {
        let n = select(vec3<f32>(), d / select(1.0, distance, distance > 0.0), distance > 0.0);
        change = -(distance - length_now + tilde * lambda.w + gamma * dot(n, moved)) * gain;
        pull = n * change;
    }
    let total = lambda.xyz + pull;
    tie_lambdas[k] = vec4<f32>(total, lambda.w + change);
    for (var c = 0u; c < 8u; c++) {
        let i = ties[2u * k + c / 4u][c % 4u];
        let s = tie_rest[4u * k + c / 4u][c % 4u];
        let w = positions[i].w;
        // What cannot move is not written: ties of one pass may share it.
        if s != 0.0 && w > 0.0 {
            let o = offsets[i];
            offsets[i] = vec4<f32>(o.xyz + pull * (s * w), o.w);
        }
    }
    if (launch.flags & TIE_LAST) != 0u {
        let force = total / (launch.dt * launch.dt);
        tie_forces[k] = vec4<f32>(force, select(0.0, 1.0, length(force) > law.w));
    }
}
