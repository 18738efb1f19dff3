// Points of soft bodies that are held by a rigid one, XPBD, one thread per body of one colour. src/attach/anchor.rs has the equations.
#import launch
#import world
#import quat
#import turn
#import gyration

const ANCHOR_LAST: u32 = 1u;             // the last iteration of a substep
const ANCHOR_NONE: u32 = 0xffffffffu;
const ANCHOR_REGULAR: f32 = 1e-7;        // share of the trace that makes a matrix regular

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                        // substeps done
@group(0) @binding(3) var<storage, read> anchors: array<vec4<u32>>;                // four particles; particle and frame of the body, number of the next anchor
@group(0) @binding(4) var<storage, read> anchor_rest: array<vec4<f32>>;            // s; a [m], w = sign of λ in the force on b; ℓ [m], α [m/N], β [N s/m], most force [N]; 1/I [1/(kg m²)], release [s]
@group(0) @binding(5) var<storage, read_write> anchor_states: array<vec4<f32>>;    // pull on the soft point so far, |λ| of a length [kg m]; force on b [N], w = 1 when torn
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;          // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(9) var<storage, read_write> turns: array<vec4<f32>>;            // xyz the rotation of this substep

// How far the two points part by a pull; `inverse` are the inverse principal moments.
fn anchor_response(pull: vec3<f32>, weight: f32, arm: vec3<f32>, before: vec4<f32>, inverse: vec3<f32>) -> vec3<f32> {
    let about = quat_rotate(quat_conjugate(before), cross(arm, pull));
    return pull * weight + cross(quat_rotate(before, inverse * about), arm);
}

@compute @workgroup_size(64)
fn anchor(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    var next = launch.first + launch_id(id);
    let h = launch.dt;
    let time = world_time(world, clock[0], h);
    let centre = anchors[2u * next + 1u].x;
    let frame = anchors[2u * next + 1u].y;
    let c = positions[centre];
    let residual = frames[2u * frame + 1u].xyz;
    let before = turn_apply(frames[2u * frame], residual);
    var offset = offsets[centre];
    var turned = turns[frame].xyz;
    while next != ANCHOR_NONE {
        let k = next;
        next = anchors[2u * k + 1u].z;
        let places = anchors[2u * k];
        let shares = anchor_rest[4u * k];
        let point = anchor_rest[4u * k + 1u];
        let law = anchor_rest[4u * k + 2u];
        let inertia = anchor_rest[4u * k + 3u];
        let known = anchor_states[2u * k + 1u];
        if time >= inertia.w || known.w != 0.0 {
            anchor_states[2u * k + 1u] = vec4<f32>(0.0, 0.0, 0.0, known.w);
            continue;
        }
        var arm = vec3<f32>();
        var way = vec3<f32>();
        var weight = c.w;
        for (var j = 0u; j < 4u; j++) {
            let x = positions[places[j]];
            arm += (x.xyz - c.xyz) * shares[j];
            way += offsets[places[j]].xyz * shares[j];
            weight += shares[j] * shares[j] * x.w;
        }
        // How far the body's point is carried, in full digits also where that is little.
        let g = turn_compose(-residual, turned);
        let once = cross(g, point.xyz);
        let carried = quat_rotate(before, (once + cross(g, once)) * (2.0 / (1.0 + dot(g, g))));
        let moved = way - offset.xyz - carried;
        let start = arm - quat_rotate(before, point.xyz);
        let d = start + moved;
        var lambda = vec4<f32>();
        if launch.index > 0u { lambda = anchor_states[2u * k]; }
        let tilde = law.y / (h * h);
        let gamma = law.y * law.z / h;
        var pull = vec3<f32>();
        var change = 0.0;
        if law.x > 0.0 {
            let apart = length(start);
            let along = select(vec3<f32>(), start / select(1.0, apart, apart > 0.0), apart > 0.0);
            let give = dot(along, anchor_response(along, weight, arm, before, inertia.xyz));
            if give > 0.0 {
                let error = length(d) - law.x + tilde * lambda.w + gamma * dot(along, moved);
                change = -error / ((1.0 + gamma) * give + tilde);
                pull = along * change;
            }
        } else {
            var x = anchor_response(vec3<f32>(1.0, 0.0, 0.0), weight, arm, before, inertia.xyz);
            var y = anchor_response(vec3<f32>(0.0, 1.0, 0.0), weight, arm, before, inertia.xyz);
            var z = anchor_response(vec3<f32>(0.0, 0.0, 1.0), weight, arm, before, inertia.xyz);
            let trace = x.x + y.y + z.z;
            if trace > 0.0 {
                let more = tilde + ANCHOR_REGULAR * trace;
                x = x * (1.0 + gamma) + vec3<f32>(more, 0.0, 0.0);
                y = y * (1.0 + gamma) + vec3<f32>(0.0, more, 0.0);
                z = z * (1.0 + gamma) + vec3<f32>(0.0, 0.0, more);
                let wanted = -(d + lambda.xyz * tilde + moved * gamma);
                let yz = cross(y, z);
                pull = vec3<f32>(dot(yz, wanted), dot(cross(z, x), wanted), dot(cross(x, y), wanted)) / dot(x, yz);
            }
        }
        let total = lambda.xyz + pull;
        anchor_states[2u * k] = vec4<f32>(total, lambda.w + change);
        for (var j = 0u; j < 4u; j++) {
            let i = places[j];
            let s = shares[j];
            let w = positions[i].w;
            // What cannot move is not written: anchors of one pass may share it.
            if s != 0.0 && w > 0.0 {
                let o = offsets[i];
                offsets[i] = vec4<f32>(o.xyz + pull * (s * w), o.w);
            }
        }
        offset = vec4<f32>(offset.xyz - pull * c.w, offset.w);
        let impulse = quat_rotate(quat_conjugate(before), cross(pull, arm)) / h;
        turned = gyration_push(turned, residual, inertia.xyz, impulse, h);
        if (launch.flags & ANCHOR_LAST) != 0u {
            let force = total * (point.w / (h * h));
            anchor_states[2u * k + 1u] = vec4<f32>(force, select(0.0, 1.0, length(force) > law.w));
        }
    }
    offsets[centre] = offset;
    turns[frame] = vec4<f32>(turned, 0.0);
}
