// What all others and the field of the scene do to a magnet, one thread each.
#import launch
#import quat
#import turn
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> magnets: array<vec2<u32>>;                // particle, frame
@group(0) @binding(3) var<storage, read> magnet_bodies: array<u32>;                // row of `rigid_torques`
// Along the frame's axes [A m²], w = radius [m]; then B₀ [T] and the columns of G [T/m].
@group(0) @binding(4) var<storage, read> magnet_moments: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> magnet_forces: array<vec4<f32>>;          // force on b [N], torque on a and on b [N m]
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;              // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read> frames: array<vec4<f32>>;                 // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(8) var<storage, read_write> velocities: array<vec4<f32>>;       // xyz [m/s]
@group(0) @binding(9) var<storage, read_write> rigid_torques: array<vec4<f32>>;    // about the principal axes [N m], body by body

@compute @workgroup_size(64)
fn load_magnets(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let count = launch.count;
    let particle = magnets[i].x;
    let frame = magnets[i].y;
    let x = positions[particle];
    let axes = turn_apply(frames[2u * frame], frames[2u * frame + 1u].xyz);
    let moment = quat_rotate(axes, magnet_moments[i].xyz);
    let gx = magnet_moments[count + 1u].xyz;
    let gy = magnet_moments[count + 2u].xyz;
    let gz = magnet_moments[count + 3u].xyz;
    let at = magnet_moments[count].xyz + gx * x.x + gy * x.y + gz * x.z;
    var force = vec3<f32>(dot(gx, moment), dot(gy, moment), dot(gz, moment));
    var torque = cross(moment, at);
    for (var other = 0u; other < count; other++) {
        if other == i { continue; }
        let a = min(i, other);
        let b = max(i, other);
        let row = 3u * (a * (2u * count - a - 1u) / 2u + (b - a - 1u));
        // The second of a pair gets F and the last torque, the first −F and the torque between.
        if other < i {
            force += magnet_forces[row].xyz;
            torque += magnet_forces[row + 2u].xyz;
        } else {
            force -= magnet_forces[row].xyz;
            torque += magnet_forces[row + 1u].xyz;
        }
    }
    let v = velocities[particle];
    velocities[particle] = vec4<f32>(v.xyz + force * (launch.dt * x.w / world.keep), v.w);
    rigid_torques[magnet_bodies[i]] = vec4<f32>(quat_rotate(quat_conjugate(axes), torque), 0.0);
}
