// The relative orientation of two frames of a net and its gradients. src/nets/joint.rs has the equations.
#import strain

struct NetJoint {
    relative: vec4<f32>,      // (s, c)
    first: mat3x3<f32>,       // −∂C/∂φ of the first frame
    second: mat3x3<f32>,      // ∂C/∂φ of the second
}

fn net_joint(qa: vec4<f32>, qb: vec4<f32>, ga: vec3<f32>, gb: vec3<f32>, oa: vec4<f32>, ob: vec4<f32>) -> NetJoint {
    let ra = transpose(strain_rotation(oa));
    let rb = transpose(strain_rotation(ob));
    let relative = strain_relative(turn_product(qa, oa), turn_product(qb, ob), ra * ga, rb * gb);
    let p = strain_joint(relative);
    return NetJoint(relative, transpose(p) * ra, p * rb);
}
