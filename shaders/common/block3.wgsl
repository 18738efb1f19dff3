// Symmetric 3×3 matrices as (xx, yy, zz), (xy, yz, zx).

fn block3_multiply(diagonal: vec3<f32>, off: vec3<f32>, v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        diagonal.x * v.x + off.x * v.y + off.z * v.z,
        off.x * v.x + diagonal.y * v.y + off.y * v.z,
        off.z * v.x + off.y * v.y + diagonal.z * v.z,
    );
}
