// The times of the implicit integrators. See `src/integrate/mod.rs`.
#import launch

const TIMES_TWO_STEP: u32 = 16u;
const TIMES_AGAIN: u32 = 32u;

// The time over which forces of the start change on the way that the offsets stand for [s].
fn times_reach() -> f32 {
    if (launch.flags & TIMES_AGAIN) != 0u { return 0.0; }
    if (launch.flags & TIMES_TWO_STEP) != 0u { return launch.dt; }
    return launch.weight * launch.dt;
}

// What τ D of the matrix is multiplied with.
fn times_damping_share() -> f32 {
    if (launch.flags & TIMES_TWO_STEP) != 0u { return launch.weight; }
    return 1.0;
}
