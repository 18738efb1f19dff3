// Rigid motion of point masses. See `src/solids/damping/mod.rs`.

const SPIN_LINE: f32 = 1e-6;   // determinant of an inertia over the cube of its trace where all mass is on a line

// ω of an inertia (xx, yy, zz), (xy, yz, zx) and an angular momentum; nothing for mass on a line.
fn spin_of(diagonal: vec3<f32>, off: vec3<f32>, momentum: vec3<f32>) -> vec3<f32> {
    let x = vec3<f32>(diagonal.x, off.x, off.z);
    let y = vec3<f32>(off.x, diagonal.y, off.y);
    let z = vec3<f32>(off.z, off.y, diagonal.z);
    let c = mat3x3<f32>(cross(y, z), cross(z, x), cross(x, y));
    let determinant = dot(x, c[0]);
    let trace = diagonal.x + diagonal.y + diagonal.z;
    if determinant > SPIN_LINE * trace * trace * trace { return (c * momentum) / determinant; }
    return vec3<f32>(0.0);
}

// r (r·v)/r²: what of v points along r; nothing at the centre.
fn spin_radial(r: vec3<f32>, v: vec3<f32>) -> vec3<f32> {
    let square = dot(r, r);
    if square > 0.0 { return (dot(r, v) / square) * r; }
    return vec3<f32>(0.0);
}
