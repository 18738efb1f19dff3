// The rotation of a rigid body under a torque, one thread each: two Newton steps of a variational integrator.
#import launch
#import turn

const PREDICT_STEPS: u32 = 2u;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> frame_inertia: array<vec4<f32>>;        // inverse inertia [1/(kg m²)]
@group(0) @binding(2) var<storage, read> rigid_torques: array<vec4<f32>>;        // about the principal axes [N m], body by body
@group(0) @binding(3) var<storage, read> frames: array<vec4<f32>>;               // unit quaternion, then the rotation that rounding kept from it
@group(0) @binding(4) var<storage, read_write> spins: array<vec4<f32>>;          // xyz [rad/s], about the frame's axes
@group(0) @binding(5) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the rotation of this substep

// [v]×, which maps a to v × a.
fn predict_cross(v: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(vec3<f32>(0.0, v.z, -v.y), vec3<f32>(-v.z, 0.0, v.x), vec3<f32>(v.y, -v.x, 0.0));
}

// ξ after ξ₋, for inverse principal moments and a torque.
fn predict_spin(before: vec3<f32>, inverse: vec3<f32>, torque: vec3<f32>, h: f32) -> vec3<f32> {
    let least = min(inverse.x, min(inverse.y, inverse.z));
    let i = least / inverse;
    let impulse = least * h * torque;
    let half = 0.5 * h;
    let quarter = 0.25 * h * h;
    let momentum = i * before;
    let gyration = cross(before, momentum);
    let energy = dot(before, momentum);
    var change = vec3<f32>(0.0);
    for (var step = 0u; step < PREDICT_STEPS; step++) {
        let spin = before + change;
        let turned = i * spin;
        let twice = dot(spin, turned);
        let residual = i * change + half * (gyration + cross(spin, turned)) + quarter * (twice * spin - energy * before)
            - impulse;
        let c = predict_cross(spin);
        let d = predict_cross(turned);
        let g = i + vec3<f32>(quarter * twice);
        let outer = 2.0 * quarter * spin;
        let x = vec3<f32>(g.x, 0.0, 0.0) + half * (c[0] * i.x - d[0]) + outer * turned.x;
        let y = vec3<f32>(0.0, g.y, 0.0) + half * (c[1] * i.y - d[1]) + outer * turned.y;
        let z = vec3<f32>(0.0, 0.0, g.z) + half * (c[2] * i.z - d[2]) + outer * turned.z;
        let yz = cross(y, z);
        let solved = vec3<f32>(dot(yz, residual), dot(cross(z, x), residual), dot(cross(x, y), residual));
        change -= solved / dot(x, yz);
    }
    return before + change;
}

@compute @workgroup_size(64)
fn predict_bodies(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let inverse = frame_inertia[k].xyz;
    if inverse.x == 0.0 { return; }
    let spin = predict_spin(spins[k].xyz, inverse, rigid_torques[launch_id(id)].xyz, launch.dt);
    spins[k] = vec4<f32>(spin, 0.0);
    turns[k] = vec4<f32>(turn_compose(frames[2u * k + 1u].xyz, spin / (2.0 / launch.dt)), 0.0);
}
