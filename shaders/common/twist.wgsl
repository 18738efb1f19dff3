// What the rotation of a frame, turning with F, adds to its change. See `src/solids/elasticity.rs`.
#import rotation

const TWIST_LEAST_OPENING: f32 = 0.1;   // tr S − S along an axis
const TWIST_LEAST_WHOLE: f32 = 1.0;     // the same of the whole stiffness, 2 at rest

struct Twist {
    rotation: mat3x3<f32>,
    modulus: mat3x3<f32>,    // N [Pa]
}

// Of the frame R at F; of a stiffness that must not be negative only what is positive, of the whole one nothing where it is far from rest.
fn twist(r: mat3x3<f32>, f: mat3x3<f32>, lambda: f32, mu: f32, is_whole: bool) -> Twist {
    let b = transpose(r) * f - mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let strain = 0.5 * (b + transpose(b));
    let trace = strain[0].x + strain[1].y + strain[2].z;
    var axes = rotation_symmetric_eigenvectors(strain);
    var modulus = mat3x3<f32>();
    for (var i = 0u; i < 3u; i++) {
        let v = axes[i];
        let across = trace - dot(v, strain * v);
        let opening = 2.0 + across;
        if is_whole && opening < TWIST_LEAST_WHOLE { return Twist(r, mat3x3<f32>()); }
        let n = (mu * across + lambda * trace) / max(opening, TWIST_LEAST_OPENING);
        if is_whole || n > 0.0 { modulus += n * mat3x3<f32>(v.x * v, v.y * v, v.z * v); }
    }
    return Twist(r, modulus);
}

fn twist_change(law: Twist, df: mat3x3<f32>) -> mat3x3<f32> {
    let b = transpose(law.rotation) * df;
    let n = law.modulus * vec3<f32>(b[1].z - b[2].y, b[2].x - b[0].z, b[0].y - b[1].x);
    return law.rotation * mat3x3<f32>(0.0, n.z, -n.y, -n.z, 0.0, n.x, n.y, -n.x, 0.0);
}
