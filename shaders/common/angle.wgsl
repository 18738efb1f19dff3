// The angle of a direction in the plane, to f32 rounding: WGSL lets its own atan2 err by 4096 ulp.

const ANGLE_PI: f32 = 3.14159265358979;
const ANGLE_EIGHTH: f32 = 0.41421356237310;   // tan π/8

// The angle of (x, y) from the x axis, in [−π, π]; 0 at the origin.
fn angle_atan2(y: f32, x: f32) -> f32 {
    let low = min(abs(x), abs(y));
    let high = max(abs(x), abs(y));
    // atan(low/high) = π/4 + atan((low − high)/(low + high)) brings the argument below tan π/8.
    let steep = low > ANGLE_EIGHTH * high;
    let over = select(high, low + high, steep);
    let t = select(low, low - high, steep) / select(1.0, over, over > 0.0);
    let z = t * t;
    // Interpolates (atan t − t)/t³ at the Chebyshev points of z; 1e-7 relative in f32.
    let p = ((0.085204920 * z - 0.140241428) * z + 0.199912377) * z - 0.333332866;
    let eighth = select(0.0, 0.25 * ANGLE_PI, steep) + (t + t * z * p);
    let quarter = select(eighth, 0.5 * ANGLE_PI - eighth, abs(y) > abs(x));
    let half = select(quarter, ANGLE_PI - quarter, x < 0.0);
    return select(half, -half, y < 0.0);
}

// The same angle in (−π, π], from one in [−2π, 2π].
fn angle_wrap(angle: f32) -> f32 {
    let below = select(angle, angle - 2.0 * ANGLE_PI, angle > ANGLE_PI);
    return select(below, below + 2.0 * ANGLE_PI, below <= -ANGLE_PI);
}
