// Particles against colliders, one thread per particle: position-based contact with Coulomb friction.
#import launch
#import quat
#import collider

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> colliders: array<vec4<u32>>;          // kind, track, first value, sizes of the field
@group(0) @binding(2) var<storage, read> collider_shapes: array<vec4<f32>>;    // sizes by kind [m]; friction
// Position [m]; rotation; way in the substep [m]; turn in the substep.
@group(0) @binding(3) var<storage, read> collider_poses: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> field_values: array<f32>;             // signed distances [m]
@group(0) @binding(5) var<storage, read> contact_surfaces: array<vec2<f32>>;   // contact radius [m], friction
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn collide(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let x = positions[i];
    if x.w == 0.0 { return; }
    let particle = contact_surfaces[i];
    let offset = offsets[i];
    var o = offset.xyz;
    for (var k = 0u; k < arrayLength(&colliders); k++) {
        let collider = colliders[k];
        let shape = collider_shapes[2u * k];
        let rotation = collider_poses[4u * k + 1u];
        let arm = x.xyz - collider_poses[4u * k].xyz;
        let p = quat_rotate(quat_conjugate(rotation), arm);
        let s = quat_rotate(quat_conjugate(rotation), o);
        let nearest = collider_distance(collider, shape, p, s, particle.x);
        let depth = particle.x - nearest.distance;
        // Also false where the distance is not a number.
        if depth > 0.0 {
            let n = quat_rotate(rotation, nearest.normal);
            let touching = (arm + o) - n * nearest.distance;
            let u = o - (collider_poses[4u * k + 2u].xyz + collider_swing(collider_poses[4u * k + 3u], touching));
            let tangential = u - n * dot(n, u);
            let slide = length(tangential);
            let grip = sqrt(particle.y * collider_shapes[2u * k + 1u].x) * depth;
            let held = select(1.0, grip / slide, slide > grip);
            o += n * depth - tangential * held;
        }
    }
    offsets[i] = vec4<f32>(o, offset.w);
}
