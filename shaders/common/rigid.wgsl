// A rigid body within a substep, as contact sees it. src/rigid/motion.rs says what the records are.
#import quat
#import turn

const RIGID_RECORDS: u32 = 7u;
const RIGID_HEADER: u32 = 2u;
const RIGID_BOX: f32 = 1.0;

struct RigidMotion {
    x: vec4<f32>,          // where it started [m], w = 1/mass [1/kg]
    before: vec4<f32>,     // its axes at the start of the substep
    after: vec4<f32>,      // and at the end
    inverse: vec3<f32>,    // inverse principal moments [1/(kg m²)]
    offset: vec3<f32>,     // [m]
    turn: vec3<f32>,       // Gibbs vector
}

// How far a rotation by a Gibbs vector moves a point.
fn rigid_swing(g: vec3<f32>, a: vec3<f32>) -> vec3<f32> {
    let once = cross(g, a);
    return (once + cross(g, once)) * (2.0 / (1.0 + dot(g, g)));
}

// How far the point at `arm`, along the principal axes, is carried in the substep.
fn rigid_way(motion: RigidMotion, arm: vec3<f32>) -> vec3<f32> {
    return motion.offset + quat_rotate(motion.before, rigid_swing(motion.turn, arm));
}

// I⁻¹ v, in the world.
fn rigid_inverse_inertia(motion: RigidMotion, v: vec3<f32>) -> vec3<f32> {
    return quat_rotate(motion.after, motion.inverse * quat_rotate(quat_conjugate(motion.after), v));
}
