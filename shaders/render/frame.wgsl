// Material frames of rods as the solver keeps them. The importing file declares `frames`: orientation and small turn of each.

fn frame_turn(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

fn frame_product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn frame_back(q: vec4<f32>) -> vec4<f32> {
    return vec4(-q.xyz, q.w);
}

fn frame_orientation(k: u32) -> vec4<f32> {
    let q = frames[2u * k];
    let turn = frames[2u * k + 1u].xyz;
    return normalize(vec4(q.w * turn + q.xyz + cross(q.xyz, turn), q.w - dot(q.xyz, turn)));
}
