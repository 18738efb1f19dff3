// F of a tetrahedron. The kernel binds `positions` and `residuals`, which are the digits that positions have lost.
#import elasticity

fn deformation_of(i: vec4<u32>, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>) -> mat3x3<f32> {
    let x = positions[i.x].xyz;
    let r = residuals[i.x].xyz;
    return elasticity_gradient(
        g1, g2, g3,
        (positions[i.y].xyz - x) + (residuals[i.y].xyz - r),
        (positions[i.z].xyz - x) + (residuals[i.z].xyz - r),
        (positions[i.w].xyz - x) + (residuals[i.w].xyz - r),
    );
}
