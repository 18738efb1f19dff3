// The force and the torques between two magnets, each a dipole at its centre; one thread for each pair.
#import launch
#import quat
#import turn

const PAIR_MU: f32 = 1e-7;    // μ₀/4π [T m/A]

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> magnet_pairs: array<vec2<u32>>;           // magnets a, b
@group(0) @binding(2) var<storage, read> magnets: array<vec2<u32>>;                // particle, frame
@group(0) @binding(3) var<storage, read> magnet_moments: array<vec4<f32>>;         // along the frame's axes [A m²], w = radius [m]
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(6) var<storage, read_write> magnet_forces: array<vec4<f32>>;    // force on b [N], torque on a and on b [N m]

// The moment of a magnet in the world.
fn pair_moment(k: u32) -> vec3<f32> {
    let frame = magnets[k].y;
    return quat_rotate(turn_apply(frames[2u * frame], frames[2u * frame + 1u].xyz), magnet_moments[k].xyz);
}

@compute @workgroup_size(64)
fn pair_magnets(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let pair = magnet_pairs[i];
    let a = pair_moment(pair.x);
    let b = pair_moment(pair.y);
    let r = positions[magnets[pair.y].x].xyz - positions[magnets[pair.x].x].xyz;
    let size = length(r);
    var force = vec3<f32>(0.0);
    var on_a = vec3<f32>(0.0);
    var on_b = vec3<f32>(0.0);
    if size > 0.0 {
        let n = r / size;
        let distance = max(size, magnet_moments[pair.x].w + magnet_moments[pair.y].w);
        let share = size / distance;
        let field = PAIR_MU / (distance * distance * distance);
        let an = dot(a, n);
        let bn = dot(b, n);
        let torque = field * share * share;
        force = (b * an + a * bn + n * (dot(a, b) - 5.0 * an * bn)) * (3.0 * field / distance * share);
        on_a = cross(a, 3.0 * bn * n - b) * torque;
        on_b = cross(b, 3.0 * an * n - a) * torque;
    }
    magnet_forces[3u * i] = vec4<f32>(force, 0.0);
    magnet_forces[3u * i + 1u] = vec4<f32>(on_a, 0.0);
    magnet_forces[3u * i + 2u] = vec4<f32>(on_b, 0.0);
}
