// How an angular impulse changes the spin of a rigid body within a substep. src/rigid/spin.rs has the equations.
#import turn

const GYRATION_BETWEEN: u32 = 2u;   // Newton steps from one substep to the next
const GYRATION_WITHIN: u32 = 4u;    // and for impulses within a substep

// [v]×, which maps a to v × a.
fn gyration_cross(v: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(vec3<f32>(0.0, v.z, -v.y), vec3<f32>(-v.z, 0.0, v.x), vec3<f32>(v.y, -v.x, 0.0));
}

// ξ after an impulse [N m s], for inverse principal moments; `side` is 1 from one substep to the next, and −1 within a substep.
fn gyration_changed(before: vec3<f32>, inverse: vec3<f32>, given: vec3<f32>, h: f32, side: f32, steps: u32) -> vec3<f32> {
    let least = min(inverse.x, min(inverse.y, inverse.z));
    let i = least / inverse;
    let impulse = least * given;
    let half = 0.5 * h;
    let quarter = 0.25 * h * h;
    let momentum = i * before;
    let gyration = side * cross(before, momentum);
    let energy = dot(before, momentum);
    var change = vec3<f32>(0.0);
    for (var step = 0u; step < steps; step++) {
        let spin = before + change;
        let turned = i * spin;
        let twice = dot(spin, turned);
        let residual = i * change + half * (gyration + cross(spin, turned)) + quarter * (twice * spin - energy * before)
            - impulse;
        let c = gyration_cross(spin);
        let d = gyration_cross(turned);
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

// The rotation g of a substep after an impulse about the axes at its start; `residual` is what rounding had kept from the orientation.
fn gyration_push(g: vec3<f32>, residual: vec3<f32>, inverse: vec3<f32>, impulse: vec3<f32>, h: f32) -> vec3<f32> {
    let rate = 2.0 / h;
    let spin = gyration_changed(turn_compose(-residual, g) * rate, inverse, impulse, h, -1.0, GYRATION_WITHIN);
    return turn_compose(residual, spin / rate);
}
