// The four corners of a hinge or a tetrahedron. The kernel binds `positions` and `offsets`.

struct Corners {
    x1: vec4<f32>, x2: vec4<f32>, x3: vec4<f32>, x4: vec4<f32>,   // xyz [m], w = 1/mass [1/kg]
    o1: vec4<f32>, o2: vec4<f32>, o3: vec4<f32>, o4: vec4<f32>,   // xyz [m], w = the solver's 1/mass
}

fn corners_of(i: vec4<u32>) -> Corners {
    return Corners(
        positions[i.x], positions[i.y], positions[i.z], positions[i.w],
        offsets[i.x], offsets[i.y], offsets[i.z], offsets[i.w],
    );
}

// From one corner to another [m], without the rounding of far places.
fn corners_edge(xa: vec4<f32>, oa: vec4<f32>, xb: vec4<f32>, ob: vec4<f32>) -> vec3<f32> {
    return (xb.xyz - xa.xyz) + (ob.xyz - oa.xyz);
}
